import AVFoundation

/// Changes a camera's pictures by a look.
///
/// Thread-safe.
final class CubeChange: Sendable {
  private let side: Int
  private let data: Data
  // Looks are made for the numbers of coded pictures, so nothing is converted to light.
  private let context = CIContext(options: [.workingColorSpace: NSNull()])

  init(_ table: CubeTable) {
    (side, data) = table.cube
  }

  /// Writes the picture with the look into a buffer of the same size.
  func change(_ picture: CVPixelBuffer, _ target: CVPixelBuffer) {
    let filter = CIFilter.colorCube()
    filter.inputImage = CIImage(cvPixelBuffer: picture)
    filter.cubeDimension = Float(side)
    filter.cubeData = data
    if let image = filter.outputImage { context.render(image, to: target) }
  }
}
