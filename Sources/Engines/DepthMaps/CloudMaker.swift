/// Makes the point clouds of one stream's maps, and computes the rays of its lens only once.
///
/// One object for one stream; not thread-safe.
public struct CloudMaker: Sendable {
  private struct Key: Hashable {
    var lens: DepthLens
    var width: Int
    var height: Int
  }

  private var known: (key: Key, slopes: [SIMD2<Float>])?

  /// A maker that has seen no map.
  public init() {}

  /// As ``PointCloud/init(_:lens:colors:leavesOutEdges:)``.
  public mutating func cloud(
    _ map: DepthMap, lens: DepthLens, colors: [UInt32], leavesOutEdges: Bool = false
  ) -> PointCloud {
    precondition(colors.count == map.values.count, "A cloud has a colour for each place of its map.")
    let key = Key(lens: lens, width: map.width, height: map.height)
    if known?.key != key { known = (key, lens.slopes(width: map.width, height: map.height)) }
    return PointCloud(
      map, slopes: known?.slopes ?? [], lens: lens, colors: colors, leavesOutEdges: leavesOutEdges)
  }
}
