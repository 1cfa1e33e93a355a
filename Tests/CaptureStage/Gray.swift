package import AVFoundation
import ImageIO

/// The light of a picture, to be asked at places of the unit square.
package struct Gray {
  private let width: Int
  private let height: Int
  private var light: [UInt8]

  package init(_ buffer: CVPixelBuffer) {
    width = CVPixelBufferGetWidth(buffer)
    height = CVPixelBufferGetHeight(buffer)
    light = []
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
    let stride = CVPixelBufferGetBytesPerRow(buffer)
    for y in 0..<height {
      for x in 0..<width { light.append(base.load(fromByteOffset: y * stride + 4 * x + 1, as: UInt8.self)) }
    }
  }

  package init(_ image: CGImage) {
    width = image.width
    height = image.height
    var bytes = [UInt8](repeating: 0, count: width * height * 4)
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      image.copyPixels8(into: base, bytesPerRow: image.width * 4, order: .rgba, alpha: .premultiplied)
    }
    light = (0..<width * height).map { bytes[4 * $0 + 1] }
  }

  /// The mean of 5×5 pixels around a place.
  package func light(at place: (x: Double, y: Double)) -> Double {
    let x = Int(place.x * Double(width)), y = Int(place.y * Double(height))
    var sum = 0
    for dy in -2...2 {
      for dx in -2...2 {
        sum += Int(light[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)])
      }
    }
    return Double(sum) / 25
  }
}
