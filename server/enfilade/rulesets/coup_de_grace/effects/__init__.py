"""What races, held items and mage foci add to the common rules."""
