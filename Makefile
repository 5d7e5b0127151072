# Every target sets up what it needs; `make env` takes a moment when nothing has changed.
PYTHON ?= python3
CORES ?= all
CLUSTER ?=
export PYTHONDONTWRITEBYTECODE = # compiled modules are kept, whatever the shell says: making them anew takes seconds

.PHONY: report notebook bench docs test check test-browser test-cluster test-bucket faults fuzz determinism audit lint env resolve lock clean help

report: env ## the default study -> results/report/index.html
	@.venv/bin/truerank run --cores $(CORES)

notebook: env ## the notebooks of the last study's pages, in Jupyter
	@.venv/bin/python -m truerank.notebooks results

bench: env ## time and memory, compared with other tools -> results/bench/bench.html; JOBS="metrics ranks" for some
	@.venv/bin/python -m bench $(if $(JOBS),--jobs $(JOBS))

docs: env ## documentation site -> site/index.html
	@.venv/bin/python docs/make_site.py

test: env ## the whole test suite
	@.venv/bin/python -m pytest --numprocesses 2 --dist worksteal --quiet

check: lint ## linters and fast unit tests, before each commit
	@.venv/bin/python -m pytest --numprocesses 2 --dist worksteal --quiet --hypothesis-profile quick -m "not slow" tests/unit tests/style

test-browser: env ## pages in Chromium: the test fixture's, or PAGES="results/report/*.html"
	@.venv/bin/python -m pytest --quiet tests/browser $(if $(PAGES),--pages $(PAGES))

test-cluster: env ## a small study on the SLURM cluster that is here; CLUSTER= options for Snakemake
	@.venv/bin/python -m truerank.launch.cluster
	@TRUERANK_CLUSTER="$(CLUSTER)" .venv/bin/python -m pytest --quiet --numprocesses 2 --dist loadfile --basetemp .test-cluster tests/cluster
	@rm -rf .test-cluster

test-bucket: env ## a small study whose results are in a bucket, on an S3 server that is made for it
	@TRUERANK_S3=1 .venv/bin/python -m pytest --quiet tests/cluster/test_s3.py

faults: env ## fault injection: disturbed runs and their results -> results/faults/
	@.venv/bin/python -m tests.faults.run

fuzz: env ## fuzzing: thousands of slightly wrong files and configs
	@.venv/bin/python -m pytest --quiet --numprocesses 2 --hypothesis-profile fuzz tests/fuzz

determinism: env ## the default study twice, on 1 core and on 2: the same bytes
	@.venv/bin/python -m tests.faults.determinism results/determinism

audit: env ## known vulnerabilities of the locked packages
	@.venv/bin/python envs/audit.py

lint: env ## formatting, imports, types, snakemake --lint, GitHub workflows
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/snakefmt --check Snakefile workflow/rules
	@.venv/bin/snakemake --lint
	@.venv/bin/actionlint

env: ## .venv with exactly the locked packages
	@$(PYTHON) envs/install.py

resolve: env ## check that the lock resolves for Python 3.11 to 3.14 on Linux and macOS
	@.venv/bin/python envs/resolve.py

lock: env ## newest versions into envs/requirements.txt and envs/truerank.yaml
	@.venv/bin/python envs/lock.py

clean: ## remove results and caches; .venv stays
	@find results -mindepth 1 -not -path results/README.md -delete
	@rm -rf site .test/results .test/.snakemake .snakemake .test-cluster .pytest_cache .ruff_cache .mypy_cache .hypothesis

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' $(MAKEFILE_LIST)
