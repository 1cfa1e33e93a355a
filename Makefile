# Two commands serve a fresh Debian machine: `make run` takes a first photo, `make test` shows that all of it works.
# `make verify` takes longer and finds more.

.PHONY: run test verify build install docs setup lab bench format lint

BUILD = swift build -c release
PREFIX ?= /usr/local
SWIFT_FOLDERS = Package.swift Sources Tests Benchmarks Examples

run: build
	@scripts/first-photo

test: setup
	@scripts/test

# `make test`, then sanitizers, stress, models and the device lab: what CI runs.
verify: setup
	@scripts/verify

build: setup
	$(BUILD) --product obscura

# The command, its manual page and completions under PREFIX; DESTDIR is for packagers.
install: build
	@scripts/install "$(DESTDIR)$(PREFIX)"

# The API's pages, by DocC.
docs: build
	@scripts/docs

setup:
	@scripts/setup

# Real kernel drivers in a virtual machine; see DeviceLab/README.md.
lab:
	@scripts/setup --lab
	@scripts/lab

# Ratios against peers in the same run; see Benchmarks/README.md.
bench:
	@scripts/setup --bench
	@scripts/bench

format:
	swift format --in-place --parallel --recursive $(SWIFT_FOLDERS)

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_FOLDERS)
