# shellcheck shell=bash
# Sourced by scripts/test, and by the stages of scripts/verify and scripts/lab/soak-tests: stages with names and times, and how the
# tests are built and run.

# A stage fails when its command does, not only the last of a pipeline.
set -o pipefail
# Programming mistakes trap instead of being logged.
export OBSCURA_STRICT=1
# Else SwiftPM passes the package's traits in an order of chance, and each second build builds everything anew.
export SWIFT_DETERMINISTIC_HASHING=1

# What is run, as people start it: "make test".
title=$1
stage_times=()
left_out=()
unsteady=()
output=$(mktemp)
trap 'rm -f "$output"' EXIT

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# The lines of a log that say what went wrong; they stand among thousands.
failure_lines() {
  grep -aE '(error|warning): |(Thread|Address)Sanitizer: |^[[:space:]]+#[0-9] |Fatal error' "$1" | head -n 60 || true
  grep -aE '^tests: (red|unsteady): ' "$1" || true
}

# Runs a command as a stage. When it fails, its name and the lines that say why are the last ones that are printed.
stage() { # NAME COMMAND…
  local name=$1 began=$SECONDS
  shift
  printf '== %s\n' "$name"
  if ! "$@" 2>&1 | tee "$output"; then
    failure_lines "$output" >&2
    printf '\n%s: failed at: %s\n' "$title" "$name" >&2
    exit 1
  fi
  stage_times+=("$(minutes $((SECONDS - began)))  $name")
  mapfile -t -O "${#unsteady[@]}" unsteady < <(sed -n 's/^tests: \(unsteady: .*\)/\1/p' "$output")
  printf '== %s: %s min\n' "$name" "$(minutes $((SECONDS - began)))"
}

# Names what could not be done here, and why; the last lines repeat it.
leave_out() { left_out+=("$1"); printf '%s: left out: %s\n' "$title" "$1"; }

# What took how long, what was unsteady, and what was left out.
finish() {
  local line
  printf '\n'
  for line in "${stage_times[@]}"; do printf '%s: %s\n' "$title" "$line"; done
  printf '%s: passed in %s min\n' "$title" "$(minutes $SECONDS)"
  for line in ${left_out[@]+"${left_out[@]}"}; do printf '%s: left out: %s\n' "$title" "$line"; done
  for line in ${unsteady[@]+"${unsteady[@]}"}; do printf '%s: %s\n' "$title" "$line"; done
}

# The builds that tests run in. Each has a folder of its own, so that none undoes another's work.
test_options() { # KIND
  case "$1" in
    release) echo "-c release" ;;
    thread-sanitizer) echo "--sanitize=thread --scratch-path .build/thread-sanitizer" ;;
    # Beside the other builds: another trait is another build of everything.
    libcamera) echo "--traits LibcameraDevices --scratch-path .build/libcamera" ;;
    address-sanitizer) echo "--sanitize=address --scratch-path .build/address-sanitizer" ;;
    *) echo "stages.bash: there is no build '$1'." >&2; return 1 ;;
  esac
}

# The suites that a build holds; all where nothing is said. ThreadSanitizer's are those with many threads, AddressSanitizer's those
# that parse foreign bytes; with OBSCURA_SHARE only the modules right above C libraries, so that most of the package is not built.
suites_of() { # KIND
  case "$1" in
    thread-sanitizer)
      # Every part of AVFCapture's.
      basename -a Tests/AVFCapture*Tests | tr '\n' ,
      printf '%sTests,' AVFCore VideoToolbox V4L2Devices Combine os
      ;;
    libcamera) printf 'LibcameraDevicesTests' ;;
    address-sanitizer)
      printf '%sTests,' StillCodecs ImageIO CodeReading MediaFiles VideoCodecs
      [ -n "${OBSCURA_SHARE:-}" ] || printf '%sTests,' V4L2Devices SimulatedDevices AVFCore
      ;;
  esac
}

# Whether the libraries of the desktop camera are there; it is built and tested with the rest, then.
has_desktop_camera() { pkg-config --exists libadwaita-1 libpipewire-0.3; }

build_tests() { # KIND
  local -x OBSCURA_SUITES
  ! has_desktop_camera || local -x OBSCURA_DESKTOP_CAMERA=yes
  OBSCURA_SUITES=$(suites_of "$1")
  # shellcheck disable=SC2046 # Options are words.
  swift build $(test_options "$1") --build-tests
}

# Runs what build_tests has built, all but the quarantined, and again what failed (scripts/run-tests). Under ThreadSanitizer those are
# the tests with many threads. AddressSanitizer looks for wrong accesses, not for leaks: x265, libheif and Foundation keep some
# memory until the end, which it would report.
run_tests() { # KIND [OPTION…]
  local kind=$1 tests
  shift
  case "$kind" in
    release) tests=.build/release ;;
    *) tests=.build/$kind/debug ;;
  esac
  tests+=/obscuraPackageTests.xctest
  export TSAN_OPTIONS="halt_on_error=1 suppressions=$PWD/scripts/tsan-suppressions.txt" ASAN_OPTIONS=detect_leaks=0
  if [ $# -gt 0 ]; then
    scripts/run-tests "$tests" "$@"
  elif [ "$kind" = thread-sanitizer ]; then
    # A process has one set of devices, so tests of sessions run one after the other in it: two processes take half of the time.
    scripts/run-tests "$tests" --filter 'CaptureStage|AVFCapture|AVFCoreTests|VideoToolboxTests|Race|^(Combine|os)Tests' \
      --beside '^CaptureStage\.DeviceSuites/[A-L]' --silence 300
  else
    # The tests of the command mostly wait for processes, the others compute; those of the desktop camera install cameras of their own.
    local beside=(--beside '^ObscuraCommandsTests\.')
    ! has_desktop_camera || beside+=(--beside '^(CameraModel|GTKKit)Tests\.')
    scripts/run-tests "$tests" "${beside[@]}"
  fi
}

build_and_run_tests() { # KIND [OPTION…]
  build_tests "$1"
  run_tests "$@"
}

# Runs a command where the packages that it needs beside the library's are installed or can be; says elsewhere that it is left out.
with_packages() { # OPTION-OF-SETUP COMMAND…
  local said option=$1
  shift
  if said=$(timeout 600 scripts/setup "$option" 2>&1); then
    "$@"
  else
    leave_out "$*, as its packages cannot be installed: ${said##*$'\n'}"
  fi
}
