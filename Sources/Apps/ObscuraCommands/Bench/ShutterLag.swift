internal import Foundation

/// The figures of one run of `obscura bench zsl`.
///
/// Lags are in frames: from the newest frame that the viewfinder's delegate had been given at the press to the frame in the
/// photo, both read from the stamps in the pictures; below 0 is earlier. Where the delegate was given a frame during the press
/// itself, either counts as the newest.
struct ShutterLag: Encodable, Sendable {
  struct Percentiles: Encodable, Sendable {
    var median: Double
    var ninety: Double
    var ninetyNine: Double
    var most: Double

    init(_ values: [Double]) {
      let sorted = values.sorted()
      func at(_ share: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
      }
      median = at(0.5)
      ninety = at(0.9)
      ninetyNine = at(0.99)
      most = sorted.last ?? 0
    }
  }

  var schema = "obscura.bench.zsl"
  var version = 1
  /// `manual` or `real`.
  var clock: String
  var zeroShutterLag: Bool
  var width: Int
  var height: Int
  /// Frames a second that the viewfinder was given.
  var rate: Double
  var presses: Int
  var earliest: Int
  var latest: Int
  /// The numbers of presses by their lag.
  var lags: [String: Int]
  /// Photos of a frame that the viewfinder had not been given.
  var laterThanViewfinder: Int
  /// Photos of a frame from before the one that was shown before.
  var tooEarly: Int
  /// Frames that the viewfinder lost.
  var viewfinderDrops: Int
  /// Real milliseconds from the press to the end of the exposure, and to the finished photo.
  var captured: Percentiles
  var delivered: Percentiles

  /// The same for people.
  var text: String {
    func line(_ name: String, _ times: Percentiles) -> String {
      let values = [times.median, times.ninety, times.ninetyNine, times.most]
      return "  \(name) after \(values.map { String(format: "%.1f", $0) }.joined(separator: ", ")) ms"
    }
    let list = lags.sorted { Int($0.key) ?? 0 < Int($1.key) ?? 0 }.map { "\($0.key): \($0.value)" }
    return [
      "zero shutter lag \(zeroShutterLag ? "on" : "off"), \(clock) clock, \(width)×\(height) at \(String(format: "%.1f", rate))/s, \(presses) presses",
      "  frames from viewfinder to photo: \(list.joined(separator: ", "))",
      "  later than the viewfinder \(laterThanViewfinder), more than a frame earlier \(tooEarly), viewfinder lost \(viewfinderDrops)",
      line("captured", captured) + " (median, 90 %, 99 %, most)", line("delivered", delivered),
    ].joined(separator: "\n")
  }
}
