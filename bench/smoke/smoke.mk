.PHONY: smoke smoke-short
smoke: install ## a short real game over the real server: every answer checked, round trips timed
	node bench/smoke/smoke.mjs

smoke-short: install ## the same without the bound on the time in echoes; part of `make test`
	node bench/smoke/smoke.mjs --short
