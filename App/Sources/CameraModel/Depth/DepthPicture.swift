import AVFoundation
import Foundation

/// A depth map as it is shown: near is warm, far is cold, unknown is dark.
struct DepthPicture: Sendable {
  var picture: Thumbnail
  private var metres: [Float]
  var nearest: Float?
  var farthest: Float?

  /// Draws a map of 32-bit metres.
  init?(_ data: AVDepthData) {
    let map = data.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32).depthDataMap
    CVPixelBufferLockBaseAddress(map, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(map, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(map) else { return nil }
    let (width, height) = (CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map))
    let rowBytes = CVPixelBufferGetBytesPerRow(map)
    let metres = [Float](unsafeUninitializedCapacity: width * height) { target, count in
      for row in 0..<height {
        let source = (base + row * rowBytes).assumingMemoryBound(to: Float.self)
        for column in 0..<width {
          target[row * width + column] = source[column]
        }
      }
      count = width * height
    }
    self.metres = metres
    (nearest, farthest) = Self.range(of: metres)
    let (near, far) = (nearest ?? 0, farthest ?? 1)
    let scale = far > near ? 255 / (1 / near - 1 / far) : 0
    var bytes = Data(count: width * height * 4)
    bytes.withUnsafeMutableBytes { target in
      let pixels = target.bindMemory(to: UInt32.self)
      for place in 0..<metres.count {
        let distance = metres[place]
        guard distance.isFinite, distance > 0 else {
          pixels[place] = 0xFF14_1418
          continue
        }
        let step = max(0, min(255, (1 / distance - 1 / far) * scale))
        pixels[place] = FalseColors.table[Int(step)]
      }
    }
    picture = Thumbnail(width: width, height: height, bytes: bytes)
  }

  /// Metres at a place in fractions of the picture; `nil` where they are not known.
  func distance(at place: CGPoint) -> Float? {
    guard (0...1).contains(place.x), (0...1).contains(place.y) else { return nil }
    let column = min(picture.width - 1, Int(place.x * Double(picture.width)))
    let row = min(picture.height - 1, Int(place.y * Double(picture.height)))
    let distance = metres[row * picture.width + column]
    return distance.isFinite && distance > 0 ? distance : nil
  }

  /// The median distance in the middle of the picture, in metres: how far away a person before the camera is.
  var middle: Float? {
    var found: [Float] = []
    for row in stride(from: picture.height * 3 / 8, to: picture.height * 5 / 8, by: 2) {
      for column in stride(from: picture.width * 3 / 8, to: picture.width * 5 / 8, by: 2) {
        let distance = metres[row * picture.width + column]
        if distance.isFinite, distance > 0 { found.append(distance) }
      }
    }
    guard found.count > 16 else { return nil }
    found.sort()
    return found[found.count / 2]
  }

  /// The distances between which all but the outermost hundredths lie.
  private static func range(of metres: [Float]) -> (Float?, Float?) {
    var sample = stride(from: 0, to: metres.count, by: 31).map { metres[$0] }
      .filter { $0.isFinite && $0 > 0 }
    guard sample.count > 8 else { return (nil, nil) }
    sample.sort()
    return (sample[sample.count / 100], sample[sample.count - 1 - sample.count / 100])
  }
}
