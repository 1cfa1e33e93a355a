/// The statistics of a depth map's distances, in metres.
public struct DepthStatistics: Sendable, Hashable {
  /// The share of the map that is known, from 0 to 1.
  public var knownShare: Double
  /// The nearest place.
  public var nearest: Float
  /// Nearer than this is a quarter of what is known.
  public var lowerQuartile: Float
  /// The median of what is known.
  public var median: Float
  /// Farther than this is a quarter of what is known.
  public var upperQuartile: Float
  /// The farthest place.
  public var farthest: Float
  /// The median of what is known within the middle tenth of width and height; `nil` where nothing is.
  public var middle: Float?

  /// The numbers of a map; `nil` when nothing of it is known.
  ///
  /// Cost: what is known is sorted; some 30 milliseconds for 640×480.
  public init?(_ map: DepthMap) {
    let metres = map.expressed(as: .depth)
    let known = metres.values.filter { $0 == $0 }.sorted()
    guard let first = known.first, let last = known.last else { return nil }
    knownShare = Double(known.count) / Double(map.values.count)
    nearest = first
    farthest = last
    lowerQuartile = known[known.count / 4]
    median = known[known.count / 2]
    upperQuartile = known[known.count * 3 / 4]
    var inMiddle: [Float] = []
    for y in map.height * 9 / 20..<max(map.height * 11 / 20, map.height * 9 / 20 + 1) {
      for x in map.width * 9 / 20..<max(map.width * 11 / 20, map.width * 9 / 20 + 1) {
        let value = metres.values[y * map.width + x]
        if value == value { inMiddle.append(value) }
      }
    }
    inMiddle.sort()
    middle = inMiddle.isEmpty ? nil : inMiddle[inMiddle.count / 2]
  }
}
