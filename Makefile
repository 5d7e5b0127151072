# Every target sets up what it needs; `make env` takes a moment when nothing has changed.
PYTHON ?= python3
CORES ?= all
CLUSTER ?=

.PHONY: report bench test check test-browser test-cluster faults fuzz determinism audit lint env lock clean help

report: env ## the default study -> results/report/index.html
	@.venv/bin/snakemake --cores $(CORES)

bench: env ## time and memory beside peers -> results/bench/bench.html; JOBS="metrics ranks" for some
	@.venv/bin/python -m bench $(if $(JOBS),--jobs $(JOBS))

test: env ## the whole test suite
	@.venv/bin/python -m pytest --numprocesses 2 --dist worksteal --quiet

check: lint ## the linters, and the unit tests that take a moment: in under a minute, before each commit
	@.venv/bin/python -m pytest --numprocesses 2 --dist worksteal --quiet --hypothesis-profile quick -m "not slow" tests/unit tests/style

test-browser: env ## pages in Chromium: the test fixture's, or PAGES="results/report/*.html"
	@.venv/bin/python -m pytest --quiet tests/browser $(if $(PAGES),--pages $(PAGES))

test-cluster: env ## a small study on the SLURM cluster that is here; CLUSTER= options for Snakemake
	@.venv/bin/python -m snakemake_logger_plugin_truerank.cluster
	@TRUERANK_CLUSTER="$(CLUSTER)" .venv/bin/python -m pytest --quiet --basetemp .test-cluster tests/cluster
	@rm -rf .test-cluster

faults: env ## runs broken on purpose, and what came of them -> results/faults/
	@.venv/bin/python -m tests.faults.run

fuzz: env ## many thousands of files and configs that are almost right
	@.venv/bin/python -m pytest --quiet --numprocesses 2 --hypothesis-profile fuzz tests/fuzz

determinism: env ## the default study twice, on 1 core and on 2: the same bytes
	@.venv/bin/python -m tests.faults.determinism results/determinism

audit: env ## known vulnerabilities of the locked packages
	@.venv/bin/python envs/audit.py

lint: env ## formatting, imports, types, and Snakemake's own advice
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/snakefmt --check Snakefile workflow/rules
	@.venv/bin/snakemake --lint

env: ## .venv with exactly the locked packages
	@$(PYTHON) envs/install.py

lock: env ## newest versions into envs/requirements.txt and envs/truerank.yaml
	@.venv/bin/python envs/lock.py

clean: ## remove results and caches; .venv stays
	@rm -rf results .snakemake .test-cluster .pytest_cache .ruff_cache .mypy_cache .hypothesis

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' $(MAKEFILE_LIST)
