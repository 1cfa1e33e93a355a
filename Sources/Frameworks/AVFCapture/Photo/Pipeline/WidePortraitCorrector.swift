internal import CameraFrames
internal import CaptureDevice
internal import CoreVideo
internal import Foundation
internal import GraphicsCore
internal import PeopleFinding
internal import PhotoProcessing
internal import PixelTransforms
internal import VideoEffects

/// Finds faces in developed photos of wide lenses, and makes heads at the edges round.
///
/// The model is loaded with the first. One call at a time.
final class WidePortraitCorrector: @unchecked Sendable {
  // Safe because only a pipeline's developing queue calls it.
  private var finder: FaceFinder?
  private let transformer = PixelTransformer(bufferLimit: .max)

  /// A lens that sees more than this, in degrees, is wide: beside its middle heads are stretched so that it is seen.
  static let leastFieldOfView = 80.0

  /// Whether one of the lenses is wide.
  static func isWide(_ lenses: CameraLenses) -> Bool {
    let all = [lenses.own].compactMap(\.self) + lenses.constituents.values.map(\.lens)
    return all.contains { $0.fieldOfView >= leastFieldOfView }
  }

  /// Whether so much of a wide lens's view is shown that heads may be stretched.
  static func showsWideView(_ request: PhotoProcessingRequest, _ controls: ControlState) -> Bool {
    let (lens, enlargement) = request.camera.lenses.lens(for: controls)
    guard let lens, lens.fieldOfView >= leastFieldOfView else { return false }
    let shown = tan(lens.fieldOfView * .pi / 360) / max(enlargement * max(request.enlargement, 1), 1)
    return atan(shown) * 360 / .pi >= leastFieldOfView / 2
  }

  /// Corrects the pictures of a photo; those of one without people stay what they are.
  ///
  /// - Parameter still: The still's size, before it was cut.
  func correct(
    _ negative: inout PhotoDeveloper.Negative, for request: PhotoProcessingRequest, still: FrameSize
  ) {
    guard let lens = Self.projection(of: negative.picture, request, still) else { return }
    do {
      let faces = try faces(in: negative.picture, lens)
      guard !faces.isEmpty, let picture = try corrected(negative.picture, faces, lens) else { return }
      let width = Double(negative.picture.width)
      negative.picture = picture
      negative.roundHeads = faces
      // What the camera compressed has the long heads still.
      negative.cameraFile = nil
      func small(_ other: CVPixelBuffer?) throws -> CVPixelBuffer? {
        try other.map { other in
          let factor = Double(other.width) / width
          let places = faces.map { $0.applying(CGAffineTransform(scaleX: factor, y: factor)) }
          return try corrected(other, places, lens.scaled(by: factor)) ?? other
        }
      }
      negative.preview = try small(negative.preview)
      negative.thumbnail = try small(negative.thumbnail)
    } catch {
      Log.note("A photo's heads stay as they are: \(error)")
    }
  }

  /// A matte of a photo whose heads were made round, with the same heads made round.
  func corrected(
    _ matte: CVPixelBuffer, as negative: PhotoDeveloper.Negative, for request: PhotoProcessingRequest,
    still: FrameSize
  ) throws -> CVPixelBuffer {
    guard let lens = Self.projection(of: matte, request, still) else { return matte }
    return try corrected(matte, negative.roundHeads, lens) ?? matte
  }

  /// The longer side of the picture in which faces are sought.
  private static let searchSide = 1280

  /// The faces of a picture, which are sought as they are, not as the lens stretches them.
  private func faces(in picture: CVPixelBuffer, _ lens: WideProjection) throws -> [CGRect] {
    let finder = try finder ?? FaceFinder()
    self.finder = finder
    let size = PhotoDeveloper.size(
      FrameSize(width: picture.width, height: picture.height), within: Self.searchSide, Self.searchSide)
    let factor = Double(size.width) / Double(picture.width)
    let small = try transformer.apply(
      FrameTransform(
        size: PixelSize(width: size.width, height: size.height),
        pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: picture)
    let round = try transformer.copy(small)
    guard let view = WidePortraits.drawRoundView(of: small, lens.scaled(by: factor), into: round) else {
      return []
    }
    return try finder.faces(in: round).map {
      view.face($0.bounds).applying(CGAffineTransform(scaleX: 1 / factor, y: 1 / factor))
    }
  }

  private static func projection(
    of picture: CVPixelBuffer, _ request: PhotoProcessingRequest, _ still: FrameSize
  ) -> WideProjection? {
    guard let controls = request.frame?.controls else { return nil }
    let (lens, enlargement) = request.camera.lenses.lens(for: controls)
    return lens.map { lens in
      WideProjection(
        size: CGSize(width: picture.width, height: picture.height),
        viewWidth: Double(still.width) * enlargement * max(request.enlargement, 1),
        fieldOfView: lens.fieldOfView, bending: controls.isDistortionCorrected ? 0 : lens.bending,
        corner: controls.isDistortionCorrected ? 1 : lens.cornerBending(of: still))
    }
  }

  /// A picture of its own with round heads; `nil` where none was long.
  private func corrected(
    _ picture: CVPixelBuffer, _ faces: [CGRect], _ lens: WideProjection
  ) throws -> CVPixelBuffer? {
    let readable =
      WidePortraits.formats.contains(picture.format)
      ? picture
      : try transformer.apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: picture)
    let copy = try transformer.copy(readable)
    guard WidePortraits.correct(readable, faces: faces, of: lens, into: copy) else { return nil }
    return copy.format == picture.format
      ? copy : try transformer.apply(FrameTransform(pixelFormat: picture.format), to: copy)
  }
}
