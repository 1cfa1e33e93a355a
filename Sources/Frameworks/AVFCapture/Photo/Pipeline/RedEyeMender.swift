internal import CoreVideo
internal import Foundation
internal import PeopleFinding
internal import PhotoProcessing
internal import PixelTransforms
internal import VideoEffects

/// Finds eyes in developed photos, and makes red ones dark.
///
/// The model is loaded with the first. One call at a time.
final class RedEyeMender: @unchecked Sendable {  // Safe: only a pipeline's developing queue calls it.
  private var finder: FaceFinder?
  private let transformer = PixelTransformer(bufferLimit: .max)

  /// Mends the pictures of a photo; those of one without red eyes stay what they are.
  func mend(_ negative: inout PhotoDeveloper.Negative) {
    do {
      let finder = try finder ?? FaceFinder()
      self.finder = finder
      let eyes = try finder.faces(in: negative.picture).flatMap { face -> [RedEyes.Eye] in
        guard let marks = face.marks else { return [] }
        let distance = hypot(marks.leftEye.x - marks.rightEye.x, marks.leftEye.y - marks.rightEye.y)
        return [marks.leftEye, marks.rightEye].map { RedEyes.Eye(center: $0, distance: distance) }
      }
      guard !eyes.isEmpty, let picture = try mended(negative.picture, eyes) else { return }
      let width = Double(negative.picture.width)
      negative.picture = picture
      // What the camera compressed has the red eyes still.
      negative.cameraFile = nil
      func small(_ other: CVPixelBuffer?) throws -> CVPixelBuffer? {
        try other.map { other in
          let factor = Double(other.width) / width
          return try mended(other, eyes.map { $0.scaled(by: factor) }) ?? other
        }
      }
      negative.preview = try small(negative.preview)
      negative.thumbnail = try small(negative.thumbnail)
    } catch {
      Log.note("A photo's eyes stay as they are: \(error)")
    }
  }

  /// A picture of its own without red eyes; `nil` where none are red, or the format is one that clients asked for and that is not changed here.
  private func mended(_ picture: CVPixelBuffer, _ eyes: [RedEyes.Eye]) throws -> CVPixelBuffer? {
    let copy =
      RedEyes.formats.contains(picture.format)
      ? try transformer.copy(picture)
      : try transformer.apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: picture)
    guard RedEyes.mend(copy, eyes) > 0 else { return nil }
    return copy.format == picture.format
      ? copy : try transformer.apply(FrameTransform(pixelFormat: picture.format), to: copy)
  }
}
