internal import CameraFrames
internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import MediaFiles
internal import PixelTransforms
internal import StillCodecs

/// Makes a movie's samples of a camera's frames; on the queue of the recording.
final class RecordedVideo {
  /// The reason why a frame is not in the movie.
  enum Loss: Error {
    /// It cannot be decoded.
    case broken
    /// It is of another kind than the movie's pictures.
    case changed
  }

  private let plan: RecordingPlan.Video
  private let transformer = PixelTransformer()
  private var description: CMVideoFormatDescription?
  private var jpegDescription: CMVideoFormatDescription?

  init(_ plan: RecordingPlan.Video) {
    self.plan = plan
  }

  /// The settings of the track in the file.
  var track: MovieTrackSettings {
    var track = MovieTrackSettings(mediaType: kCMMediaType_Video)
    let size = CGSize(width: Double(plan.size.width), height: Double(plan.size.height))
    track.transform = OrientationTable.change(rotation: plan.rotation, isMirrored: plan.isMirrored)
      .movieMatrix(for: size)
    return track
  }

  /// Whether a movie can begin with the frame.
  func canBegin(with frame: CapturedFrame) -> Bool {
    frame.content.coded?.isKeyFrame ?? true
  }

  /// The frame's sample, shown at `time`.
  func sample(of frame: CapturedFrame, over route: MediaRoute, at time: CMTime) throws(Loss) -> CMSampleBuffer
  {
    let timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)
    guard plan.settings != nil else { return try coded(frame, timing) }
    let pixels: CVPixelBuffer
    do {
      pixels = try turned(route.processor.picture(of: frame), route.plan)
    } catch {
      throw .broken
    }
    guard let description = description(of: pixels) else { throw .broken }
    return CMSampleBuffer(picture: pixels, formatDescription: description, timing: timing)
  }

  /// Copied: the file holds it until the fragment is full, and the device has few buffers.
  private func coded(_ frame: CapturedFrame, _ timing: CMSampleTimingInfo) throws(Loss) -> CMSampleBuffer {
    switch frame.picture {
    case .coded(let picture):
      let size = CMVideoFormatDescriptionGetDimensions(picture.format)
      guard Int(size.width) == plan.size.width, Int(size.height) == plan.size.height,
        let data = picture.data.copied()
      else { throw .changed }
      return CMSampleBuffer.coded(
        data, formatDescription: picture.format, timing: timing, isKeyFrame: picture.isKeyFrame)
    case .jpeg(let block, let size):
      guard size == plan.size, let data = block.copied(), let description = describeJPEG(size) else {
        throw .changed
      }
      return CMSampleBuffer.coded(data, formatDescription: description, timing: timing, isKeyFrame: true)
    case .pixels, .mosaic: throw .changed
    }
  }

  private func describeJPEG(_ size: FrameSize) -> CMVideoFormatDescription? {
    if jpegDescription == nil {
      _ = CMVideoFormatDescriptionCreate(
        allocator: nil, codecType: kCMVideoCodecType_JPEG, width: Int32(size.width),
        height: Int32(size.height),
        extensions: nil, formatDescriptionOut: &jpegDescription)
    }
    return jpegDescription
  }

  /// The picture as the one matrix of the track expects it: another camera may lie otherwise.
  private func turned(_ picture: CVPixelBuffer, _ present: ConnectionPlan) throws -> CVPixelBuffer {
    guard present.rotation != plan.rotation || present.isMirrored != plan.isMirrored else { return picture }
    // First as this camera's connection says, then back as the track's matrix will turn it.
    let shown = FrameTransform(
      rotation: QuarterTurn(degrees: present.rotation) ?? .none, isMirrored: present.isMirrored)
    let upright = try transformer.apply(shown, to: picture)
    let back = FrameTransform(
      rotation: QuarterTurn(degrees: plan.isMirrored ? plan.rotation : -plan.rotation) ?? .none,
      isMirrored: plan.isMirrored)
    return try transformer.apply(back, to: upright)
  }

  /// Made anew only when a picture differs from the one before.
  private func description(of pixels: CVPixelBuffer) -> CMVideoFormatDescription? {
    if let description, CMVideoFormatDescriptionMatchesImageBuffer(description, imageBuffer: pixels) {
      return description
    }
    _ = CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: nil, imageBuffer: pixels, formatDescriptionOut: &description)
    return description
  }
}

extension CMBlockBuffer {
  /// The same bytes in memory of their own; `nil` when they cannot be had.
  func copied() -> CMBlockBuffer? {
    (try? dataBytes()).map { bytes in bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) } }
  }
}
