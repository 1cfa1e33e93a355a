import DepthMaps
import Foundation

/// A depth map as it is shown: near is warm, far is cold, and where nothing is known the picture below is seen.
struct DepthPicture: Sendable {
  var picture: Thumbnail
  /// Metres.
  private let map: DepthMap
  /// The ends of the colours, in metres; `nil` where nothing is known.
  let nearest: Float?
  let farthest: Float?

  /// Draws a map of metres, in the colours of a stream's range.
  init(_ map: DepthMap, range: inout DepthRange) {
    self.map = map
    let found = Self.range(of: map.values).map { range.take($0.near, $0.far) }
    (nearest, farthest) = (found?.near, found?.far)
    let (near, far) = found ?? (0, 1)
    let scale = far > near && near > 0 ? 255 / (1 / near - 1 / far) : 0
    var bytes = Data(count: map.values.count * 4)
    bytes.withUnsafeMutableBytes { target in
      let pixels = target.bindMemory(to: UInt32.self)
      for place in map.values.indices {
        let distance = map.values[place]
        // Clear, for what is unknown has no colour.
        guard distance == distance else { continue }
        let step = max(0, min(255, (1 / distance - 1 / far) * scale))
        pixels[place] = FalseColors.table[Int(step)]
      }
    }
    picture = Thumbnail(width: map.width, height: map.height, bytes: bytes)
  }

  /// Metres at a place in fractions of the picture; `nil` where they are not known.
  func distance(at place: CGPoint) -> Float? {
    guard (0...1).contains(place.x), (0...1).contains(place.y), map.width > 0, map.height > 0 else {
      return nil
    }
    let column = min(map.width - 1, Int(place.x * Double(map.width)))
    let row = min(map.height - 1, Int(place.y * Double(map.height)))
    let distance = map.metres(x: column, y: row)
    return distance == distance ? distance : nil
  }

  /// The median distance in the middle of the picture, in metres: how far away a person before the camera is.
  var middle: Float? {
    var found: [Float] = []
    for row in stride(from: map.height * 3 / 8, to: map.height * 5 / 8, by: 2) {
      for column in stride(from: map.width * 3 / 8, to: map.width * 5 / 8, by: 2) {
        let distance = map.metres(x: column, y: row)
        if distance == distance { found.append(distance) }
      }
    }
    guard found.count > 16 else { return nil }
    found.sort()
    return found[found.count / 2]
  }

  /// The distances between which all but the outermost hundredths lie.
  private static func range(of metres: [Float]) -> (near: Float, far: Float)? {
    var sample = stride(from: 0, to: metres.count, by: 31).map { metres[$0] }.filter { $0 == $0 }
    guard sample.count > 8 else { return nil }
    sample.sort()
    return (sample[sample.count / 100], sample[sample.count - 1 - sample.count / 100])
  }
}
