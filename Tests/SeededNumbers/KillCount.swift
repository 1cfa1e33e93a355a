internal import Foundation

/// How many processes a test kills at random moments: 200 with `OBSCURA_STRESS=1`, few otherwise, and in any case the number in
/// `OBSCURA_KILLS`, where there is one.
package struct KillCount {
  package let value: Int
  /// Whether more are killed than in each run of the suite, at moments that are spread more widely.
  package let isLong: Bool

  package init(usual: Int) {
    let environment = ProcessInfo.processInfo.environment
    let full = environment["OBSCURA_STRESS"] == nil ? usual : 200
    value = environment["OBSCURA_KILLS"].flatMap { Int($0) } ?? full
    isLong = value > usual
  }
}
