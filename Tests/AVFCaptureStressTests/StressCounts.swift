import Foundation

/// The amounts of the stress tests: small in every run of the suite, and full with `OBSCURA_STRESS` in the environment.
///
/// `OBSCURA_STRESS=1` runs the full counts; `OBSCURA_STRESS=real` also the soak in real time, which takes its ten minutes.
enum StressCounts {
  private static let wish = ProcessInfo.processInfo.environment["OBSCURA_STRESS"]

  static let isFull = wish != nil
  static let isInRealTime = wish == "real"

  static func count(_ full: Int, small: Int) -> Int { isFull ? full : small }
}
