internal import DepthMaps
internal import Foundation

/// The JSON object of `obscura depth --json` for one depth map; distances in metres, rounded to tenths of a millimetre.
struct DepthAnswer: Encodable, Sendable {
  var schema = "obscura.depth"
  var version = 1
  /// The file that was written; absent while watching.
  var path: String?
  /// The file's format; absent while watching.
  var format: String?
  /// The camera's unique identifier.
  var device: String
  var width: Int
  var height: Int
  /// Seconds on the camera's clock.
  var timestamp: Double
  /// Whether the map was smoothed over time, and its holes filled.
  var isFiltered: Bool
  /// The share of the map that is known, from 0 to 1; the distances are absent where nothing is.
  var knownShare: Double
  var nearest: Double?
  var lowerQuartile: Double?
  var median: Double?
  var upperQuartile: Double?
  var farthest: Double?
  /// The median of the middle tenth of width and height.
  var middle: Double?

  init(_ map: DepthMap, timestamp: Double, isFiltered: Bool, device: String) {
    self.device = device
    width = map.width
    height = map.height
    self.timestamp = timestamp
    self.isFiltered = isFiltered
    let statistics = DepthStatistics(map)
    knownShare = ((statistics?.knownShare ?? 0) * 1e4).rounded() / 1e4
    func rounded(_ metres: Float?) -> Double? { metres.map { (Double($0) * 1e4).rounded() / 1e4 } }
    nearest = rounded(statistics?.nearest)
    lowerQuartile = rounded(statistics?.lowerQuartile)
    median = rounded(statistics?.median)
    upperQuartile = rounded(statistics?.upperQuartile)
    farthest = rounded(statistics?.farthest)
    middle = rounded(statistics?.middle)
  }

  /// The line for people.
  var line: String {
    guard let nearest, let median, let farthest else { return "\(width)×\(height): nothing is known" }
    func metres(_ value: Double?) -> String { value.map { String(format: "%.3f m", $0) } ?? "unknown" }
    return
      "\(width)×\(height): middle \(metres(middle)), nearest \(metres(nearest)), median \(metres(median)), "
      + "farthest \(metres(farthest)), \(Int((knownShare * 100).rounded(.down))) % known"
  }
}
