"""The effects of races, held items and mage foci on the common rules."""
