internal import Foundation

/// The number of processes that a test kills at random moments: all with `OBSCURA_STRESS=1`, few otherwise; `OBSCURA_KILLS`
/// overrides it.
package struct KillCount {
  package let value: Int
  /// Whether more are killed than in each run of the suite, at moments that are spread more widely.
  package let isLong: Bool

  package init(usual: Int, all: Int = 200) {
    let environment = ProcessInfo.processInfo.environment
    let full = environment["OBSCURA_STRESS"] == nil ? usual : all
    value = environment["OBSCURA_KILLS"].flatMap { Int($0) } ?? full
    isLong = value > usual
  }
}
