.PHONY: smoke smoke-short
smoke: install ## a short real game over the real server: every answer checked, round trips timed
	node bench/smoke/smoke.mjs

smoke-short: install ## the same with fewer moves and attacks, and without bounds on times; part of `make test`
	node bench/smoke/smoke.mjs --short
