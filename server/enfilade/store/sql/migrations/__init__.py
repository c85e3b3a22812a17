"""How the database's schema came about, step by step; a step that was released is never changed again."""
