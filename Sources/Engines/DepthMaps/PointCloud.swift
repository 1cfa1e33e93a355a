public import CoreVideo

/// The surfaces that a depth map shows, as points in space with the colours of a picture of the same view.
///
/// Positions are metres from the camera: x to the right, y down, z into the scene, as the picture shows them.
public struct PointCloud: Sendable {
  /// A place of a surface.
  public struct Point: Sendable, Hashable {
    /// Metres to the right.
    public var x: Float
    /// Metres down.
    public var y: Float
    /// Metres into the scene, greater than 0.
    public var z: Float
    /// Alpha in the highest byte, then red, green and blue: a pixel of `kCVPixelFormatType_32BGRA` as it lies in memory.
    public var color: UInt32

    /// A point.
    public init(x: Float, y: Float, z: Float, color: UInt32) {
      self.x = x
      self.y = y
      self.z = z
      self.color = color
    }
  }

  /// The points, in the order of the map's rows.
  public var points: [Point]
  /// The difference in slope between neighbours of the map: a point at z metres stands for a square that is z times as wide.
  public var spacing: Float

  /// A neighbour on the same surface is at most by this factor farther or nearer.
  static let sameSurface: Float = 1.05

  /// Points that were found otherwise.
  public init(points: [Point], spacing: Float) {
    self.points = points
    self.spacing = spacing
  }

  /// The points of a map; places where nothing is known have none.
  ///
  /// - Parameters:
  ///   - map: Depth or disparity.
  ///   - lens: What the map was seen through; its distortion is undone.
  ///   - colors: One for each place of the map, as ``Point/color``; see ``colors(of:width:height:)``.
  ///   - leavesOutEdges: Whether places are left out that lie between two surfaces, with neither neighbour of their row or of their
  ///     column on theirs: sensors and filters measure the mean of both there, and such points would fly in the air.
  ///
  /// Cost: one pass; some 2 milliseconds for 640×480.
  public init(_ map: DepthMap, lens: DepthLens, colors: [UInt32], leavesOutEdges: Bool = false) {
    precondition(colors.count == map.values.count, "A cloud has a colour for each place of its map.")
    let slopes = lens.slopes(width: map.width, height: map.height)
    self.init(map, slopes: slopes, lens: lens, colors: colors, leavesOutEdges: leavesOutEdges)
  }

  /// The same with slopes that are known already.
  init(_ map: DepthMap, slopes: [SIMD2<Float>], lens: DepthLens, colors: [UInt32], leavesOutEdges: Bool) {
    let (width, height, isDepth) = (map.width, map.height, map.quantity == .depth)
    spacing = lens.size.x / Float(max(width, 1)) / lens.focal.x
    points = map.values.withUnsafeBufferPointer { values in
      slopes.withUnsafeBufferPointer { slopes in
        colors.withUnsafeBufferPointer { colors in
          [Point](unsafeUninitializedCapacity: width * height) { target, count in
            for row in 0..<height {
              for column in 0..<width {
                let place = row * width + column
                let value = values[place]
                guard value == value else { continue }
                if leavesOutEdges, Self.flies(values, column: column, row: row, width: width, height: height)
                {
                  continue
                }
                let z = isDepth ? value : 1 / value
                let slope = slopes[place]
                target[count] = Point(x: slope.x * z, y: slope.y * z, z: z, color: colors[place])
                count += 1
              }
            }
          }
        }
      }
    }
  }

  /// Whether a place has neither neighbour of its row, or neither of its column, on its surface.
  private static func flies(
    _ values: UnsafeBufferPointer<Float>, column: Int, row: Int, width: Int, height: Int
  ) -> Bool {
    let place = row * width + column
    let value = values[place]
    func isNear(_ other: Float) -> Bool { other < value * sameSurface && value < other * sameSurface }
    let isAlone =
      (column > 0 || column + 1 < width) && !(column > 0 && isNear(values[place - 1]))
      && !(column + 1 < width && isNear(values[place + 1]))
    return isAlone
      || (row > 0 || row + 1 < height) && !(row > 0 && isNear(values[place - width]))
        && !(row + 1 < height && isNear(values[place + width]))
  }

  /// The distances between which all but the outermost hundredths of the points lie, in metres; `nil` without points.
  ///
  /// Cost: a few thousand points are sorted.
  public var depths: ClosedRange<Float>? {
    let step = max(points.count / 4096, 1)
    let sample = stride(from: 0, to: points.count, by: step).map { points[$0].z }.sorted()
    guard !sample.isEmpty else { return nil }
    return sample[sample.count / 100]...sample[sample.count - 1 - sample.count / 100]
  }

  /// The colours of a picture at the places of a map that shows the same view, edge to edge.
  ///
  /// - Parameter picture: Of `kCVPixelFormatType_32BGRA`, of any size.
  /// - Throws: ``DepthMapError/pictureUnsupported(_:)`` for other formats, ``DepthMapError/bufferUnavailable``.
  ///
  /// Cost: one pass over the map; the nearest pixel is taken.
  public static func colors(
    of picture: CVPixelBuffer, width: Int, height: Int
  ) throws(DepthMapError) -> [UInt32] {
    let format = CVPixelBufferGetPixelFormatType(picture)
    guard format == kCVPixelFormatType_32BGRA else { throw .pictureUnsupported(format) }
    guard CVPixelBufferLockBaseAddress(picture, .readOnly) == kCVReturnSuccess,
      let base = CVPixelBufferGetBaseAddress(picture)
    else { throw .bufferUnavailable }
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    let (wide, high) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    let bytesPerRow = CVPixelBufferGetBytesPerRow(picture)
    let columns = (0..<width).map { (2 * $0 + 1) * wide / (2 * width) }
    return [UInt32](unsafeUninitializedCapacity: width * height) { target, count in
      columns.withUnsafeBufferPointer { columns in
        for row in 0..<height {
          let source = base + bytesPerRow * ((2 * row + 1) * high / (2 * height))
          for column in 0..<width {
            target[count] = 0xFF00_0000 | source.load(fromByteOffset: 4 * columns[column], as: UInt32.self)
            count += 1
          }
        }
      }
    }
  }
}
