import AVFoundation
import GTKLayers
import Testing

extension LayerView {
  /// Red, green and blue at places of the view's picture, in its pixels.
  func colors(_ places: [(Int, Int)]) throws -> [[Int]] {
    let picture = try #require(try makePicture())
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    let base = try #require(CVPixelBufferGetBaseAddress(picture))
    return places.map { x, y in
      let pixel = (base + y * CVPixelBufferGetBytesPerRow(picture) + x * 4).assumingMemoryBound(
        to: UInt8.self)
      return [Int(pixel[2]), Int(pixel[1]), Int(pixel[0])]
    }
  }
}
