# Two commands serve a fresh Debian machine: `make run` opens the camera, or takes a first photo where there is no display;
# `make test` shows that all of it works.
# `make test` is also what CI runs; `make verify` takes longer and finds more.

.PHONY: run test verify build app app-test deb install uninstall docs setup lab bench format lint

# Else SwiftPM passes the package's traits in an order of chance, and each second build builds everything anew.
export SWIFT_DETERMINISTIC_HASHING = 1
BUILD = swift build -c release
PREFIX ?= /usr/local
SWIFT_FOLDERS = Package.swift Sources Tests Benchmarks Examples App/Package.swift App/Sources App/Tests

run:
	@scripts/run

test: setup
	@scripts/test

# `make test`, then sanitizers, stress, models and the device lab: what comes after a landing.
verify: setup
	@scripts/verify

build: setup
	$(BUILD) --product obscura

# The desktop camera, in App/.build/release.
app:
	@scripts/setup --app
	swift build -c release --package-path App --product obscura-camera -Xlinker -rpath -Xlinker '$$ORIGIN/../lib/obscura-camera'
	@scripts/app/files --words App/.build/locale

# The desktop camera's own tests, its window on a screen in memory included.
app-test:
	@scripts/setup --app
	@scripts/app/test

# A Debian package of the desktop camera, in App/.build, checked by unpacking it.
deb: app
	@scripts/app/make-deb App/.build

# The command, its manual page, completions and the timer that finishes photos under PREFIX; DESTDIR is for packagers.
install: build
	@scripts/install "$(DESTDIR)$(PREFIX)" "$(PREFIX)"
	@[ ! -x App/.build/release/obscura-camera ] || scripts/app/install "$(DESTDIR)$(PREFIX)"

# Removes what `make install` put there; with the same PREFIX and DESTDIR.
uninstall:
	@scripts/uninstall "$(DESTDIR)$(PREFIX)"

# The API's pages, by DocC.
docs: build
	@scripts/docs

setup:
	@scripts/setup

# Real kernel drivers in a virtual machine; see DeviceLab/README.md.
lab:
	@scripts/setup --lab
	@scripts/lab/run

# Ratios against peers in the same run; see Benchmarks/README.md.
bench:
	@scripts/setup --bench
	@scripts/lab/bench

format:
	swift format --in-place --parallel --recursive $(SWIFT_FOLDERS)

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_FOLDERS)
