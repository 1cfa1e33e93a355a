internal import Foundation

/// The number of a test's inputs: all with `OBSCURA_STRESS=1`, few otherwise; with `OBSCURA_SHARE=10` a tenth of all, and so on.
package struct FuzzCount {
  package let value: Int

  package init(usual: Int, all: Int) {
    let environment = ProcessInfo.processInfo.environment
    guard environment["OBSCURA_STRESS"] != nil else {
      value = usual
      return
    }
    let share = environment["OBSCURA_SHARE"].flatMap { Int($0) } ?? 1
    value = max(usual, all / max(1, share))
  }
}
