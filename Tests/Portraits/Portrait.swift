package import CoreVideo
package import Foundation
internal import FoundationExtras
package import PixelTransforms
internal import StillCodecs

/// A photograph of one person, with the face marked by hand: from the hairline (a cap's or fringe's edge) to the chin.
package struct Portrait: Sendable, CustomStringConvertible {
  /// The file's name without its end.
  package let name: String
  /// The face, in pixels.
  package let face: CGRect

  /// The name.
  package var description: String { name }

  /// Every portrait, the first from the front.
  package static let all = [
    Portrait(name: "astronaut", face: CGRect(x: 178, y: 78, width: 94, height: 106)),
    Portrait(name: "admiral", face: CGRect(x: 140, y: 118, width: 170, height: 166)),
    Portrait(name: "president", face: CGRect(x: 162, y: 58, width: 119, height: 134)),
    Portrait(name: "vice-president", face: CGRect(x: 95, y: 45, width: 73, height: 91)),
    Portrait(name: "photographer", face: CGRect(x: 190, y: 112, width: 72, height: 90)),
  ]

  /// The astronaut, who looks at the camera.
  package static let astronaut = all[0]

  /// The photograph, decoded.
  package func picture() throws -> CVPixelBuffer { try CVPixelBuffer.bundled(name) }

  /// The photograph in a black picture of `width` × `height`, turned clockwise, its longer side `side` pixels long and its
  /// middle at `center`; and where the face is then.
  ///
  /// Y′CbCr in two planes, as cameras give it.
  package func picture(
    width: Int, height: Int, side: Double, center: CGPoint, turn: QuarterTurn = .none
  ) throws -> (pixels: CVPixelBuffer, face: CGRect) {
    let transformer = PixelTransformer()
    let photograph = try picture()
    let size = CGSize(
      width: CVPixelBufferGetWidth(photograph), height: CVPixelBufferGetHeight(photograph))
    let scale = side / max(size.width, size.height)
    let (turned, face) = place(in: size, turned: turn)
    let place = PixelPlace(
      x: center.x - turned.width * scale / 2, y: center.y - turned.height * scale / 2,
      width: turned.width * scale, height: turned.height * scale)
    let canvas = try CVPixelBuffer(
      format: kCVPixelFormatType_32BGRA, width: width, height: height, attributes: [:])
    try transformer.draw(photograph, rotation: turn, over: place, of: canvas)
    return (
      try transformer.apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: canvas),
      CGRect(
        x: place.x + face.minX * scale, y: place.y + face.minY * scale, width: face.width * scale,
        height: face.height * scale)
    )
  }

  /// The size of the turned photograph, and the face in it.
  private func place(in size: CGSize, turned turn: QuarterTurn) -> (CGSize, CGRect) {
    let turned = CGSize(width: size.height, height: size.width)
    return switch turn {
    case .none: (size, face)
    case .clockwise90:
      (
        turned,
        CGRect(x: size.height - face.maxY, y: face.minX, width: face.height, height: face.width)
      )
    case .half:
      (
        size,
        CGRect(
          x: size.width - face.maxX, y: size.height - face.maxY, width: face.width, height: face.height)
      )
    case .clockwise270:
      (turned, CGRect(x: face.minY, y: size.width - face.maxX, width: face.height, height: face.width))
    }
  }
}

extension CVPixelBuffer {
  /// The picture `name`.jpg of this module, decoded.
  static func bundled(_ name: String) throws -> CVPixelBuffer {
    guard let url = Bundle.module.url(forResource: name, withExtension: "jpg", subdirectory: "Pictures")
    else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try JPEGDecoder.decode(Data(contentsOf: url), isStrict: true)
  }
}
