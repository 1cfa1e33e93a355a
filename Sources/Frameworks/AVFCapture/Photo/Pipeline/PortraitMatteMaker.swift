internal import CaptureDevice
internal import CoreVideo
internal import ImageIO
internal import PixelTransforms
internal import VideoEffects

/// Makes the mattes of the people in photos, in half their width and height.
///
/// The models are loaded with the first. One call at a time.
final class PortraitMatteMaker: @unchecked Sendable {  // Safe: only a pipeline's encoding queue calls it.
  private var detector: PersonDetector?
  private let transformer = PixelTransformer(bufferLimit: 2)

  /// The share of a picture that counts as a person: less is a speck.
  private static let leastShare = 0.004

  /// The matte of a picture; `nil` without a person in it, or without models of people.
  ///
  /// - Parameter orientation: How a viewer must turn the picture.
  func matte(of picture: CVPixelBuffer, _ orientation: CGImagePropertyOrientation) -> AVPortraitEffectsMatte?
  {
    let detector = detector ?? PersonDetector()
    self.detector = detector
    let size = PhotoMatteRequest.size(of: FrameSize(width: picture.width, height: picture.height))
    let change = OrientationTable.changes.first { $0.exif == orientation }
    do {
      let half = try transformer.apply(
        FrameTransform(
          size: PixelSize(width: size.width, height: size.height),
          pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: picture)
      let turn = change.flatMap { QuarterTurn(degrees: $0.rotation) } ?? .none
      guard let mask = try detector.mask(of: half, turn: turn, at: 0, isStill: true)?.matte,
        Double(mask.alpha.count { $0 >= 128 }) > Self.leastShare * Double(mask.alpha.count),
        let buffer = MattePixels.make(mask.width, mask.height)
      else { return nil }
      for row in 0..<mask.height {
        buffer.planes[0].row(row).copyBytes(from: mask.alpha[row * mask.width..<(row + 1) * mask.width])
      }
      return AVPortraitEffectsMatte(buffer)
    } catch {
      Log.note("A photo has no matte: \(error)")
      return nil
    }
  }
}
