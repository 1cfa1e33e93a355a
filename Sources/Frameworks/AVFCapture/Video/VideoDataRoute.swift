internal import CameraFrames
internal import ImageIO
internal import AVFCore
internal import CaptureDevice
package import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
package import Linux
internal import PixelTransforms
internal import PhotoProcessing

/// The way to a video data output under one plan and one `videoSettings`: what is converted, and what repeats from frame to
/// frame and is therefore made once.
final class VideoDataRoute: DeliveryRoute, @unchecked Sendable {  // Safe: `cache` guards what changes.
  let route: MediaRoute
  /// `nil` when the device's own buffers are what the client asked for: nothing is copied then.
  let preparation: DeliveryQueue<CapturedFrame, VideoDataRoute>.Preparation?
  let settings: VideoDataSettings
  /// Ends when other settings take the place of these, or another connection that of this one.
  private let lifetime: RouteLifetime
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

  /// The parts that samples share: one object, and with it one reference to take for each sample.
  private final class Repeating: Sendable {
    let description: CMVideoFormatDescription
    let attachments: PreparedAttachments

    init(_ description: CMVideoFormatDescription, _ attachments: PreparedAttachments) {
      self.description = description
      self.attachments = attachments
    }
  }

  private let cache = Locked(Cache())

  init(_ route: MediaRoute, settings: VideoDataSettings, lifetime: RouteLifetime) {
    self.route = route
    self.settings = settings
    self.lifetime = lifetime
    let plan = route.plan
    lenses = route.connection.inputPorts.first?.device.map { CameraLenses($0) } ?? CameraLenses()
    transform = FrameTransform(
      rotation: QuarterTurn(degrees: plan.rotation) ?? .none, isMirrored: plan.isMirrored,
      size: PixelSize(settings.size(fitting: plan) ?? plan.turnedSize), scaling: .fill,
      pixelFormat: settings.pixelFormat(for: plan.stream.format.encoding) ?? VideoDataSettings.pixelFormats[0]
    )
    let native = plan.stream.format.encoding.nativePixelFormat
    if plan.stream.format.encoding.isCoded {
      preparation = nil
    } else if let native, !route.processor.hasEffect,
      transform.isIdentity(for: PixelSize(plan.stream.size), pixelFormat: native)
    {
      preparation = nil
    } else {
      preparation = Self.preparation(transform, route.processor)
    }
  }

  var plan: ConnectionPlan { route.plan }
  var connection: AVCaptureConnection { route.connection }
  var isEnded: Bool { route.isEnded || lifetime.isEnded }

  func noteDelivered(holding token: (any AnyObject & Sendable)?) {
    route.lifetime.noteDelivered(holding: token)
  }

  private static func preparation(
    _ transform: FrameTransform, _ processor: FrameProcessor
  ) -> DeliveryQueue<CapturedFrame, VideoDataRoute>.Preparation {
    let transformer = PixelTransformer()
    return { frame throws(LostSample.Reason) in
      var frame = frame
      do {
        let shared = try processor.picture(of: frame)
        let own = try transformer.apply(transform, to: shared)
        // Clients draw into their pictures; photos take a changed one from here, too, and decode others anew.
        let isKept = processor.hasEffect && own === shared
        frame.picture = .pixels(isKept ? try transformer.copy(shared) : own)
        return frame
      } catch PixelTransformError.poolExhausted {
        throw .outOfBuffers
      } catch {
        // What cannot be decoded is a lost frame, and the client hears of it as of every other.
        throw .discontinuity
      }
    }
  }

  // MARK: Samples

  /// The frame as the client gets it; `nil` when Core Media cannot describe the picture.
  func sampleBuffer(for frame: CapturedFrame) -> CMSampleBuffer? {
    if let picture = frame.content.coded { return sampleBuffer(for: frame, picture) }
    guard let pixels = frame.content.uncompressed() else { return nil }
    let repeating = cache.withLock { cache -> Repeating? in
      // A stream's colours do not change while it runs; a new stream has a new route.
      let isDescribed = pixels.has(format: cache.pixelFormat, width: cache.width, height: cache.height)
      if let repeating = cache.repeating, isDescribed, cache.conditions === frame.conditions {
        return repeating
      }
      if cache.conditions !== frame.conditions { note(frame.conditions, &cache) }
      if !isDescribed { describe(pixels, &cache) }
      cache.repeating = cache.description.map { Repeating($0, cache.attachments) }
      return cache.repeating
    }
    return repeating.map {
      CMSampleBuffer.ofStream(
        pixels, formatDescription: $0.description, atNanoseconds: frame.timestamp.nanoseconds,
        attachments: $0.attachments, number: frame.sequence)
    }
  }

  /// The access unit as the client gets it: its data, the stream's parameter sets, and whether decoding can begin with it.
  private func sampleBuffer(for frame: CapturedFrame, _ picture: CodedPicture) -> CMSampleBuffer {
    let attachments = cache.withLock { cache in
      if cache.conditions !== frame.conditions { note(frame.conditions, &cache) }
      // For the reports of lost frames.
      cache.description = picture.format
      return cache.attachments
    }
    return CMSampleBuffer.ofStream(
      coded: picture.data, formatDescription: picture.format, atNanoseconds: frame.timestamp.nanoseconds,
      attachments: attachments, number: frame.sequence, isKeyFrame: picture.isKeyFrame,
      isReference: picture.isReference)
  }

  /// The report of a lost frame as the client gets it: its time and the reason, no picture.
  func sampleBuffer(for frame: LostSample) -> CMSampleBuffer? {
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
    if plan.deliversIntrinsics, !route.processor.movesPixels, let lens {
      values[kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix] =
        intrinsics(lens, enlargement, conditions.state).data
    }
    cache.attachments = PreparedAttachments(values, numberKey: FrameAttachments.sequenceNumber)
  }

  /// The camera's intrinsics in the client's picture.
  private func intrinsics(
    _ lens: LensFacts, _ enlargement: Double, _ state: ControlState
  ) -> CameraIntrinsics {
    let own = CameraIntrinsics(
      lens: lens, enlargement: enlargement, isCorrected: state.isDistortionCorrected, size: plan.stream.size)
    guard preparation != nil else { return own }
    return own.applying(
      transform, to: PixelSize(plan.stream.size), pixelFormat: plan.stream.format.encoding.pixelFormat)
  }
}

extension LostSample.Reason {
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
