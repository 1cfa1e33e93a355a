import Foundation
import Glibc

/// The CPU seconds of all threads of this process so far, user and system.
///
/// C: `getrusage(RUSAGE_SELF)`.
func cpuSeconds() -> Double {
  var usage = rusage()
  getrusage(RUSAGE_SELF.rawValue, &usage)
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The seconds that `body` took on the clock.
func wallSeconds(_ body: () throws -> Void) rethrows -> Double {
  let start = DispatchTime.now().uptimeNanoseconds
  try body()
  return Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
}

extension Array where Element == Double {
  /// The middle value; the mean of the two middle ones for an even count.
  var median: Double {
    let sorted = self.sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}

/// One line of the report: a figure, the bar it must stay under, and where the figure came from.
struct Figure: Encodable {
  /// The key in Thresholds.json.
  var name: String
  /// A ratio, or a count.
  var value: Double
  /// A description of the measurement, with the absolute numbers of this run.
  var detail: String
}

/// Runs ours and the peer in turn, A B A B …, and returns the median of the ratios pair by pair.
///
/// Machines are shared and drift; only a ratio of neighbours in time is worth comparing with a bar.
func medianRatio(
  pairs: Int, ours: () throws -> Double, peer: () throws -> Double
) rethrows -> (ratio: Double, ours: Double, peer: Double) {
  _ = try ours()
  _ = try peer()
  var ratios: [Double] = []
  var mine: [Double] = []
  var theirs: [Double] = []
  for _ in 0..<pairs {
    let a = try ours()
    let b = try peer()
    ratios.append(a / b)
    mine.append(a)
    theirs.append(b)
  }
  return (ratios.median, mine.median, theirs.median)
}
