internal import ImageIO
internal import AVFCore
internal import CaptureDevice
package import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
package import Linux
internal import PixelTransforms

/// The way from one connection to a video data output under one plan: what is converted, and what repeats from frame to
/// frame and is therefore made once.
final class VideoDataRoute: DeliveryRoute, @unchecked Sendable {  // Safe: `cache` guards what changes.
  let connection: AVCaptureConnection
  let plan: ConnectionPlan
  /// Where to note which frames were shown; `nil` when nobody asks.
  let history: FrameHistory?
  /// Where decoded frames are shared with other outputs.
  let opened: DecodedFrames?
  /// `nil` when the device's own buffers are what the client asked for: nothing is copied then.
  let conversion: FrameDelivery.Conversion?
  private let lenses: CameraLenses
  private let transform: FrameTransform

  private struct Cache {
    var description: CMVideoFormatDescription?
    var pixelFormat: OSType = 0
    var width = 0
    var height = 0
    var conditions: FrameConditions?
    var attachments = PreparedAttachments([:], numberKey: FrameAttachments.sequenceNumber)
    /// `description` and `attachments`; `nil` when one of them is new, or there is no description.
    var repeating: Repeating?
  }

  /// What samples have in common: one object, and with it one reference to take for each sample.
  private final class Repeating: Sendable {
    let description: CMVideoFormatDescription
    let attachments: PreparedAttachments

    init(_ description: CMVideoFormatDescription, _ attachments: PreparedAttachments) {
      self.description = description
      self.attachments = attachments
    }
  }

  private let cache = Locked(Cache())

  init(
    connection: AVCaptureConnection, plan: ConnectionPlan, settings: VideoDataSettings,
    history: FrameHistory? = nil, opened: DecodedFrames? = nil
  ) {
    self.connection = connection
    self.plan = plan
    self.history = history
    self.opened = opened
    lenses = connection.inputPorts.first.map { CameraLenses($0.device) } ?? CameraLenses()
    transform = FrameTransform(
      rotation: QuarterTurn(degrees: plan.rotation) ?? .none, isMirrored: plan.isMirrored,
      size: PixelSize(settings.size ?? plan.turnedSize), scaling: .fill,
      pixelFormat: settings.pixelFormat(for: plan.stream.format.encoding) ?? VideoDataSettings.pixelFormats[0]
    )
    if plan.stream.format.encoding == .h264, settings.codedVideo != .never {
      conversion = nil
    } else if case .pixels(let format) = plan.stream.format.encoding,
      transform.isIdentity(for: PixelSize(plan.stream.size), pixelFormat: format)
    {
      conversion = nil
    } else {
      conversion = Self.conversion(transform, opened)
    }
  }

  private static func conversion(
    _ transform: FrameTransform, _ opened: DecodedFrames?
  ) -> FrameDelivery.Conversion {
    let decoder = FrameDecoder()
    let transformer = PixelTransformer()
    return { frame throws(LostFrame.Reason) in
      do {
        return try transformer.apply(transform, to: decoder.open(frame, sharing: opened))
      } catch PixelTransformError.poolExhausted {
        throw .outOfBuffers
      } catch {
        // What cannot be decoded is a lost frame, and the client hears of it as of every other.
        throw .discontinuity
      }
    }
  }

  // MARK: Samples

  /// The frame as the client gets it; `nil` when Core Media cannot describe the picture, which it can any pixel buffer.
  func sampleBuffer(for frame: ReadyFrame) -> CMSampleBuffer? {
    let pixels = frame.pixels
    let repeating = cache.withLock { cache in
      // A stream's colours do not change while it runs; a new stream has a new route.
      cache.conditions === frame.conditions
        && pixels.has(format: cache.pixelFormat, width: cache.width, height: cache.height)
        ? cache.repeating : nil
    }
    guard let repeating = repeating ?? renew(for: frame) else { return nil }
    // The description is cached by what it says of this very buffer: checking it against the buffer again would be a
    // third of what a frame costs here.
    return CMSampleBuffer.ofStream(
      pixels, formatDescription: repeating.description, atNanoseconds: frame.timestamp.nanoseconds,
      attachments: repeating.attachments, number: frame.sequence)
  }

  @inline(never)
  private func renew(for frame: ReadyFrame) -> Repeating? {
    let pixels = frame.pixels
    return cache.withLock { cache in
      if cache.conditions !== frame.conditions { note(frame.conditions, &cache) }
      if !pixels.has(format: cache.pixelFormat, width: cache.width, height: cache.height) {
        describe(pixels, &cache)
      }
      cache.repeating = cache.description.map { Repeating($0, cache.attachments) }
      return cache.repeating
    }
  }

  /// The access unit as the client gets it: its data, the stream's parameter sets, and whether decoding can begin with it.
  func sampleBuffer(forCoded frame: CapturedFrame) -> CMSampleBuffer? {
    guard let picture = frame.content.coded else { return nil }
    let attachments = cache.withLock { cache in
      if cache.conditions !== frame.conditions { note(frame.conditions, &cache) }
      // For the news of lost frames.
      cache.description = picture.format
      return cache.attachments
    }
    return CMSampleBuffer.ofStream(
      coded: picture.data, formatDescription: picture.format, atNanoseconds: frame.timestamp.nanoseconds,
      attachments: attachments, number: frame.sequence, isKeyFrame: picture.isKeyFrame,
      isReference: picture.isReference)
  }

  /// The news of a lost frame as the client gets it: its time and the reason, no picture.
  func sampleBuffer(for frame: LostFrame) -> CMSampleBuffer? {
    var timing = Self.timing(frame.timestamp)
    var sample: CMSampleBuffer?
    // A frame may be lost before there was one to describe.
    _ = CMSampleBufferCreateReady(
      allocator: kCFAllocatorDefault, dataBuffer: nil, formatDescription: cache.withLock { $0.description },
      sampleCount: 0, sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 0,
      sampleSizeArray: nil, sampleBufferOut: &sample)
    guard let sample else { return nil }
    CMSetAttachment(
      sample, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, value: frame.reason.coreMediaName,
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
    CMSetAttachment(
      sample, key: FrameAttachments.sequenceNumber, value: frame.sequence,
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
    return sample
  }

  /// No duration: a nominal frame rate says nothing of one frame.
  private static func timing(_ timestamp: MonotonicInstant) -> CMSampleTimingInfo {
    CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(timestamp), decodeTimeStamp: .invalid)
  }

  private func describe(_ pixels: CVPixelBuffer, _ cache: inout Cache) {
    _ = CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: pixels, formatDescriptionOut: &cache.description)
    cache.pixelFormat = pixels.format
    cache.width = pixels.width
    cache.height = pixels.height
  }

  private func note(_ conditions: FrameConditions, _ cache: inout Cache) {
    cache.conditions = conditions
    let (lens, enlargement) = lenses.lens(for: conditions.state)
    var values: [String: Any] = [:]
    let exif = conditions.state.exposure.exifProperties(lens: lens)
    if !exif.isEmpty { values[kCGImagePropertyExifDictionary] = exif }
    if plan.deliversIntrinsics, let lens {
      values[kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix] =
        intrinsics(lens, enlargement, conditions.state).data
    }
    cache.attachments = PreparedAttachments(values, numberKey: FrameAttachments.sequenceNumber)
  }

  /// What the lens projects where in the client's picture.
  private func intrinsics(
    _ lens: LensFacts, _ enlargement: Double, _ state: ControlState
  ) -> CameraIntrinsics {
    let own = CameraIntrinsics(
      lens: lens, enlargement: enlargement, isCorrected: state.isDistortionCorrected, size: plan.stream.size)
    guard conversion != nil else { return own }
    // A decoded JPEG is 4:2:0 as well.
    let format =
      if case .pixels(let format) = plan.stream.format.encoding { format } else {
        VideoDataSettings.pixelFormats[0]
      }
    return own.applying(transform, to: PixelSize(plan.stream.size), pixelFormat: format)
  }
}

extension LostFrame.Reason {
  fileprivate var coreMediaName: CFString {
    switch self {
    case .late: kCMSampleBufferDroppedFrameReason_FrameWasLate
    case .outOfBuffers: kCMSampleBufferDroppedFrameReason_OutOfBuffers
    case .discontinuity: kCMSampleBufferDroppedFrameReason_Discontinuity
    }
  }
}

extension CMTime {
  /// The same moment in Core Media's terms, exact to the nanosecond.
  package init(_ instant: MonotonicInstant) {
    self.init(value: instant.nanoseconds, timescale: 1_000_000_000)
  }
}
