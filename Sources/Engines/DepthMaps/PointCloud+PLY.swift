public import Foundation

extension PointCloud {
  /// The cloud as a PLY file: binary, little-endian, a vertex with `x y z` as floats in metres and `red green blue` as bytes.
  ///
  /// Viewers of such files have y upwards and look along -z: so it is written, with the camera at the origin. Cost: 15 bytes and one
  /// pass for each point.
  ///
  /// Source: Greg Turk, *The PLY Polygon File Format*, 1994.
  public var ply: Data {
    let header = """
      ply
      format binary_little_endian 1.0
      comment metres from the camera at the origin: x to the right, y up, it looks along -z
      element vertex \(points.count)
      property float x
      property float y
      property float z
      property uchar red
      property uchar green
      property uchar blue
      end_header

      """
    var data = Data(header.utf8)
    let start = data.count
    let size = 15
    data.count += points.count * size
    data.withUnsafeMutableBytes { bytes in
      var place = start
      for point in points {
        for (index, value) in [point.x, -point.y, -point.z].enumerated() {
          bytes.storeBytes(
            of: value.bitPattern.littleEndian, toByteOffset: place + 4 * index, as: UInt32.self)
        }
        bytes[place + 12] = UInt8(truncatingIfNeeded: point.color >> 16)
        bytes[place + 13] = UInt8(truncatingIfNeeded: point.color >> 8)
        bytes[place + 14] = UInt8(truncatingIfNeeded: point.color)
        place += size
      }
    }
    return data
  }
}
