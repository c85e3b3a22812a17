# The page's tests: on node, and in a real browser against the real server.
.PHONY: test-js e2e

test-js: node_modules/.installed ## types and tests of the JavaScript
	npm run --silent check
	npm test --silent

e2e: node_modules/.installed ## the board page in a real browser (Chromium, or the one named in CHROMIUM)
	node tests/e2e/run.mjs
