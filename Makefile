# Every target works on a fresh clone; each makes what it needs first.
PY := .venv/bin/python
.DEFAULT_GOAL := help
.PHONY: help demo test check unit test-sites soak bench chromium clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.venv/ok: pyproject.toml constraints.txt
	@.ci/venv
	@touch $@

node_modules/ok: package.json package-lock.json
	@.ci/node
	@touch $@

chromium:
	@.ci/chromium

demo: .venv/ok chromium ## send one /run to a demo site through a real browser (HEADED=1 shows it)
	@$(PY) -m bot.cli demo $(if $(HEADED),--headed)

test: ## every check and every test; what CI runs
	@$(MAKE) -j 2 check unit

check: .venv/ok node_modules/ok ## style, types and layers, without running anything
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports
	npx --no-install tsc --noEmit -p tsconfig.json
	node --test tests/extension/js/*.test.js

unit: .venv/ok chromium
	.venv/bin/pytest -q -n 2 --no-loadscope-reorder

test-sites: .venv/ok chromium ## the built-in subroutines on the real WordPress and Misago of ../shared/sites
	.venv/bin/pytest -q -m sites tests/sites

soak: .venv/ok chromium ## kill it at 200 random moments, 10 more with Chromium, and count the posts (ten minutes)
	.venv/bin/pytest -q -s -m soak tests/scheduler/test_killed_at_random.py

bench: .venv/ok chromium ## one table: our runs beside what you would use instead (EDITORS=1: typing too)
	@$(PY) -m bench $(if $(EDITORS),--editors)

clean: ## forget what the other targets made
	rm -rf .venv node_modules .mypy_cache .ruff_cache .import_linter_cache
