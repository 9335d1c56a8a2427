# `make` and `make help` say what there is. All that is made lies in .venv and build.

PYTHON ?= python3
ROBOT ?=
OPTIONS ?=
RATE ?= 1000
TEST ?= test
WORKERS ?= -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
WORKSPACE := build/workspace
RUN := bootstrap/run
ENVIRONMENT := $(PYTHON) bootstrap/environment.py
SKIPPED := build/skipped.txt
MORE := chromium clang g++-aarch64-linux-gnu maxima octave qemu-user
SOURCES := package.xml CMakeLists.txt $(shell find $(wildcard \
  robcogen_ros templates include cmake config launch examples/arm_example) -type f -not -name '*.pyc')

.DEFAULT_GOAL := help
.PHONY: help setup workspace demo test test-more quick lint docs bench clean distclean environment-%

help:
	@echo 'make setup             all that is needed, into .venv (ROS 2 too, where none is sourced)'
	@echo 'make demo              a simulated arm moves under its generated controller'
	@echo 'make demo ROBOT=FILE   the same for your robot: URDF, xacro with NAME:=VALUE ... after it, Kinematics-DSL'
	@echo 'make demo ROBOT=FILE OPTIONS="--fixed-base"   other options of python -m robcogen_ros.demo, such as --foot, --posture, --loops'
	@echo 'make demo RATE=200     with 200 cycles in a simulated second in place of 1000, which takes less time'
	@echo 'make test              all tests; make test TEST=test/cmake for a part'
	@echo 'make test-more        what the last make test skipped: more cases, other compilers and languages; as root, on Debian, it installs them'
	@echo 'make quick             those that need no compiler and end within a minute'
	@echo 'make lint              ruff, mypy, clang-format, and the linters of ament that pip has'
	@echo 'make docs              the site of the documentation, in build/docs/html; nothing is fetched while it is built'
	@echo 'make bench             speed and accuracy of the generated code, beside other libraries'
	@echo 'make clean             removes what was built; make distclean removes .venv too'
	@echo 'bootstrap/run COMMAND  any command in this environment, for instance bash'

setup: environment-demo

environment-%:
	@$(ENVIRONMENT) $*

# robcogen_ros and an example robot, built the way a user builds them
workspace: $(WORKSPACE)/built

$(WORKSPACE)/built: $(SOURCES) .venv/.base
	@$(RUN) bootstrap/build_workspace
	@touch $@

.venv/.base: environment-demo
	@:

demo: $(WORKSPACE)/built
	@$(RUN) python -c 'import rclpy' 2>/dev/null || { echo 'the demo needs ROS 2' >&2; exit 1; }
	@$(RUN) python -c 'import tf2_msgs' 2>/dev/null || \
	{ echo 'the demo needs tf2_msgs, which needs the headers of Python (apt install python3-dev)' >&2; exit 1; }
	@rm -f build/demo/report.txt
	@set --; for word in $(MAKEOVERRIDES); do case "$$word" in *:=*) set -- "$$@" "$$word";; esac; done; \
	$(RUN) python -m robcogen_ros.demo --out build/demo --rate $(RATE) \
	  $(if $(ROBOT),--robot '$(ROBOT)',--model arm_example/arm) "$$@" $(OPTIONS)
	@test -f build/demo/report.txt

test: environment-test environment-docs $(WORKSPACE)/built
	@$(RUN) python -m pytest $(WORKERS) --list-skipped $(SKIPPED) $(TEST)

test-more: environment-test environment-docs environment-more $(WORKSPACE)/built
	@test -f $(SKIPPED) || { echo 'make test comes first: it lists what it skips' >&2; exit 1; }
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get install -y -qq --no-install-recommends $(MORE) >/dev/null; \
	else echo 'what is missing of these is skipped again: $(MORE)'; fi
	@$(RUN) python -m pytest $(WORKERS) -rs --more @$(SKIPPED)

quick: environment-test
	@$(RUN) python -m pytest $(WORKERS) -m 'not slow' $(TEST)

lint: environment-demo environment-test environment-lint
	$(RUN) ruff check
	$(RUN) ruff format --check --exclude '*.md'
	$(RUN) mypy --config-file .mypy.ini
	$(RUN) clang-format --dry-run --Werror $$(find include -name '*.h' -o -name '*.hpp')
	$(RUN) flake8 bootstrap examples launch robcogen_ros test
	$(RUN) pydocstyle --convention=google --add-ignore=D105,D107,D402,D403 robcogen_ros
	$(RUN) cmakelint --quiet --linelength=140 $$(find CMakeLists.txt cmake examples test/cmake -name '*.cmake' -o -name CMakeLists.txt)
	@if command -v xmllint >/dev/null; then xmllint --noout --nonet $$(find package.xml examples launch test/cmake -name '*.xml'); \
	else echo 'xmllint is missing (Debian, Ubuntu: apt install libxml2-utils): XML is not checked'; fi

docs: environment-docs
	@$(RUN) python -m sphinx -q -E -W --keep-going -d build/docs/doctrees docs build/docs/html
	@echo 'build/docs/html/index.html'

bench: environment-test environment-demo environment-bench $(WORKSPACE)/built
	@$(RUN) python -m robcogen_ros.bench peers --out build/bench/results.md
	@$(RUN) python -m robcogen_ros.bench generation
	@$(RUN) python -m robcogen_ros.bench python
	@$(RUN) python -m test.oracle.accuracy

clean:
	rm -rf build .mypy_cache .ruff_cache .hypothesis robcogen_ros.egg-info
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv
