"""HTTP: the API routes, uploads, membership, health checks, and the pages."""
