.PHONY: smoke
smoke: install ## a short real game over the real server: every answer checked, round trips timed
	node bench/smoke/smoke.mjs
