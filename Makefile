# The tasks of this repository; 'make' alone lists them.
.DEFAULT_GOAL := help
.PHONY: help demo serve test test-all campaign attack bench instructions load soak lint format manual coverage test-sanitizers fuzz docs check-diagrams check-monitoring check-service build release \
	deb try-deb try-upgrade check-dependencies check-reproducible clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Built for debugging: that takes less time than an optimised build, the tests use the same objects,
# and the demonstration itself waits for its payer, not for the processor.
demo: ## pay six times at a sandbox PSP over HTTP, then replay and verify the logs
	@scripts/install-packages
	@swift build --product workflowctl
	@"$$(swift build --show-bin-path)/workflowctl" demo

serve: ## run the service with its console beside a sandbox PSP, with 300 payments to look at
	@scripts/install-packages
	@swift build --product workflowctl
	@scripts/serve

test: ## build everything and run the tests: all but those that need long
	@scripts/install-packages --tests
	@scripts/test

test-all: ## the same, then the tests that need long: campaigns, sweeps, thousands of worlds, failovers
	@scripts/install-packages --tests
	@scripts/test --all

campaign: ## kill paying processes for SECONDS (600), as SEED decides, and compare logs with the PSP's ledger
	@scripts/install-packages --tests
	@CAMPAIGN_SECONDS=$(or $(SECONDS),600) CAMPAIGN_SEED=$(SEED) TESTS_THOROUGH=1 scripts/test --filter '^CampaignTests\.'

attack: ## run attacks against the built program; print one line per attack with its result
	@scripts/install-packages
	@swift build --product workflowctl
	@scripts/attack

bench: ## measure, as ratios to baselines of the same run
	@scripts/install-packages --bench
	@mkdir -p .build; rm -f .build/instructions.txt; \
	scripts/count-instructions --into .build/instructions.txt; counted=$$?; \
	test -s .build/instructions.txt || exit $$counted; \
	swift run --package-path Benchmarks -c release bench --instructions .build/instructions.txt && exit $$counted

instructions: ## count the instructions of an event's work, and compare them with the recorded numbers
	@scripts/install-packages --bench
	@scripts/count-instructions

load: ## open SESSIONS=100000 sessions, kill the engine, resume them, and simulate an outage of the PSP
	@scripts/install-packages --bench
	@swift run --package-path Benchmarks -c release load --sessions $(or $(SESSIONS),100000)

soak: ## pay for MINUTES=10 and watch memory, files and threads
	@scripts/install-packages --bench
	@swift run --package-path Benchmarks -c release load soak --minutes $(or $(MINUTES),10)

lint: ## check the format and the documentation comments
	@swift format lint --strict --parallel --recursive Package.swift Plugins Sources Tests Examples Benchmarks

format: ## put the sources into the project's format
	@swift format format --in-place --parallel --recursive Package.swift Plugins Sources Tests Examples Benchmarks

coverage: ## run the tests with coverage, list the lines of the rules that they miss, write .build/coverage.lcov
	@scripts/install-packages --tests
	@scripts/coverage

test-sanitizers: ## run the tests of threads and C memory under the thread and the address sanitizer
	@scripts/install-packages --tests
	@scripts/sanitize

fuzz: ## random bytes for every reader of outside bytes: TARGET=name or all, SECONDS=60 each
	@scripts/install-packages --tests
	@scripts/fuzz "$(or $(TARGET),all)" "$(or $(SECONDS),60)"

docs: ## build the site of the documentation, .build/docs, for any file server
	@scripts/install-packages --docs
	@swift build
	@scripts/build-docs

manual: ## make the manual page, .build/workflowctl.1, from the page of the command line
	@mkdir -p .build
	@scripts/make-manual > .build/workflowctl.1

check-diagrams: ## read the diagrams of all kept logs with Mermaid's own parser
	@scripts/install-packages --tests
	@scripts/check-diagrams

check-monitoring: ## have Prometheus' own tool read its configuration and try the alerts
	@scripts/check-monitoring

check-service: ## try the service from outside: its document, generated clients, a shop in a browser, many payers
	@scripts/install-packages --service
	@swift build --product workflowctl
	@scripts/check-service

try-upgrade: ## upgrade two nodes one after the other under load, FROM=tag or commit, and count the payments
	@scripts/install-packages --tests
	@scripts/try-upgrade $(FROM)

build: ## build everything, for debugging
	@scripts/install-packages
	@swift build

release: ## build workflowctl to be installed: optimised, with the Swift libraries in it
	@scripts/install-packages
	@echo "built: $$(scripts/build-release)"

deb: ## make a Debian package, .build/deb/workflowctl_VERSION_ARCH.deb
	@scripts/install-packages --deb
	@scripts/make-deb

check-dependencies: ## compare the resolved versions of the Swift packages with the recorded ones
	@swift package resolve
	@scripts/dependencies check

check-reproducible: ## build the release twice, in two folders, and compare the programs byte by byte
	@scripts/install-packages
	@scripts/check-reproducible

try-deb: ## install that package in a clean Debian, as root, and run it there
	@scripts/install-packages --deb
	@scripts/try-deb

clean: ## remove everything that was built
	@rm -rf .build Benchmarks/.build
