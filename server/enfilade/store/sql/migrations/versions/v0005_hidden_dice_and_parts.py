"""Mark rows and entries that older programs cannot read: hidden rolls, contributions, public texts.

The step changes nothing, because absent fields have their defaults. The version number keeps an older program
from reporting such a table as damaged.
"""

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Change nothing."""
