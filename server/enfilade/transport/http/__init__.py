"""HTTP routes, uploads, pages and health checks."""
