internal import CaptureDevice
internal import CoreVideo
internal import FoundationExtras
internal import PhotoProcessing
internal import PixelTransforms

/// Makes the mattes of parts of the people in photos, in half their width and height, of what the camera knows of them.
///
/// Thread-safe.
final class PartMatteMaker: Sendable {
  private let transformer = PixelTransformer(bufferLimit: 2)

  /// The matte of a part; `nil` where the photo shows nothing of it.
  ///
  /// - Parameter still: The still's size, before it was enlarged and cut.
  func matte(
    _ type: AVSemanticSegmentationMatte.MatteType, of people: any FramePeople,
    _ negative: PhotoDeveloper.Negative, _ request: PhotoProcessingRequest, _ still: FrameSize,
    by processor: PhotoProcessor, _ heads: WidePortraitCorrector
  ) -> AVSemanticSegmentationMatte? {
    guard let part = type.part else { return nil }
    do {
      // In the photo's own size, so that it goes the photo's way to the pixel.
      var matte = try processor.shown(people.matte(of: part, size: still), for: request)
      if !negative.roundHeads.isEmpty {
        matte = try heads.corrected(matte, as: negative, for: request, still: still)
      }
      let size = PhotoMatteRequest.size(of: negative.size)
      let half = try transformer.apply(
        FrameTransform(size: PixelSize(width: size.width, height: size.height)), to: matte)
      guard let buffer = MattePixels.make(size.width, size.height) else { return nil }
      var isEmpty = true
      for row in 0..<size.height {
        let luma = half.planes[0].row(row).prefix(size.width)
        buffer.planes[0].row(row).copyBytes(from: luma)
        if isEmpty { isEmpty = luma.allSatisfy { $0 < 128 } }
      }
      return isEmpty ? nil : AVSemanticSegmentationMatte(type, buffer)
    } catch {
      Log.note("A photo has no matte of \(type.rawValue): \(error)")
      return nil
    }
  }
}
