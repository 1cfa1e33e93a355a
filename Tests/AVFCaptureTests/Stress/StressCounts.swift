import Foundation

/// How much the stress tests do: little in every run of the suite, and all of it with `OBSCURA_STRESS` in the environment.
///
/// `OBSCURA_STRESS=1` runs the full counts; `OBSCURA_STRESS=real` also the soak in real time, which takes its ten minutes.
enum StressCounts {
  private static let wish = ProcessInfo.processInfo.environment["OBSCURA_STRESS"]

  static let isFull = wish != nil
  static let isInRealTime = wish == "real"

  static func count(_ full: Int, small: Int) -> Int { isFull ? full : small }
}
