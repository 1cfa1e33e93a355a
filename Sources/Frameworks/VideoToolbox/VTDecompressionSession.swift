public import CoreMedia
public import CoreVideo
internal import Dispatch
public import FoundationExtras
internal import Linux
internal import PixelTransforms
internal import VideoCodecs

/// Gets each picture: the two references, a status, what happened, the picture (`nil` when there is none), its time and
/// duration.
///
/// Apple: `VTDecompressionOutputCallback`.
public typealias VTDecompressionOutputCallback = (
  UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTDecodeInfoFlags, CVImageBuffer?, CMTime,
  CMTime
) -> Void

/// Gets the picture of a sample: a status, what happened, the picture (`nil` when there is none), its time and duration.
///
/// Apple: `VTDecompressionOutputHandler`.
public typealias VTDecompressionOutputHandler = (
  OSStatus, VTDecodeInfoFlags, CVImageBuffer?, CMTime, CMTime
) -> Void

/// A callback and what it gets first.
///
/// Apple: `VTDecompressionOutputCallbackRecord`.
public struct VTDecompressionOutputCallbackRecord {
  /// The callback.
  public var decompressionOutputCallback: VTDecompressionOutputCallback?
  /// What it gets first.
  public var decompressionOutputRefCon: UnsafeMutableRawPointer?

  /// No callback.
  public init() {
    self.init(decompressionOutputCallback: nil, decompressionOutputRefCon: nil)
  }

  /// A callback with a reference.
  public init(
    decompressionOutputCallback: VTDecompressionOutputCallback?,
    decompressionOutputRefCon: UnsafeMutableRawPointer?
  ) {
    self.decompressionOutputCallback = decompressionOutputCallback
    self.decompressionOutputRefCon = decompressionOutputRefCon
  }
}

/// Whether pictures are decoded as they are shown: a Boolean; one thread decodes then, so that none holds pictures back.
public let kVTDecompressionPropertyKey_RealTime: CFString = "RealTime"
/// How many threads may decode: a number; 0 for as many as there are cores.
public let kVTDecompressionPropertyKey_ThreadCount: CFString = "ThreadCount"
/// How many samples wait for their pictures: a number, read only.
public let kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded: CFString = "NumberOfFramesBeingDecoded"
/// Whether the hardware decodes: a Boolean, read only.
public let kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder: CFString =
  "UsingHardwareAcceleratedVideoDecoder"
/// Whether decoders of the hardware are tried: a Boolean.
public let kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder: CFString =
  "EnableHardwareAcceleratedVideoDecoder"
/// Whether only decoders of the hardware are tried: a Boolean; there are none.
public let kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder: CFString =
  "RequireHardwareAcceleratedVideoDecoder"

/// Decodes pictures.
///
/// Without ``VTDecodeFrameFlags/_EnableAsynchronousDecompression`` a sample is reported before the call returns; after samples that
/// may be held back, from the next key frame on. Pictures come in the order of decoding; only samples that allow both, asynchronous
/// work and
/// ``VTDecodeFrameFlags/_EnableTemporalProcessing``, may be held back and come in the order of showing. Callbacks run on a queue
/// of the session's. Each sample that was taken is reported exactly once, one that has no picture without. Thread-safe.
/// Apple: `VTDecompressionSession`.
/// - Note: Unlike VideoToolbox, several threads (``kVTDecompressionPropertyKey_ThreadCount``, or `RealTime` false) decode only while
///   all samples since the last key frame may be held back.
public final class VTDecompressionSession: PropertyOwner, @unchecked Sendable {
  // Safe because what changes is under a lock, or on `work` only.

  let properties: [String: SessionProperty] = [
    kVTDecompressionPropertyKey_RealTime: SessionProperty(kind: .truth),
    kVTDecompressionPropertyKey_ThreadCount: SessionProperty(kind: .number(0...64)),
    kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded: SessionProperty(
      kind: .number(nil), isReadOnly: true),
    kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder: SessionProperty(
      kind: .truth, isReadOnly: true),
  ]
  let format: CMVideoFormatDescription
  private let pixelFormat: OSType?
  private let size: PixelSize?
  private let callback: VTDecompressionOutputCallbackRecord
  private let work = SerialWork("obscura.decompression", room: 8)
  private let state = Locked(State())

  private struct State {
    var values: [String: Any] = [:]
    var isInvalid = false
    var pending = 0
  }

  /// A sample that was taken.
  struct Sample: @unchecked Sendable {  // Safe because only `work` uses it once it was taken.
    let sample: CMSampleBuffer
    let flags: VTDecodeFrameFlags
    let refcon: UnsafeMutableRawPointer?
    let handler: VTDecompressionOutputHandler?

    /// Whether its picture may come later, in the order of showing.
    var mayWait: Bool {
      flags.isSuperset(of: [._EnableAsynchronousDecompression, ._EnableTemporalProcessing])
    }
  }

  // On `work` only.
  private var decoder: VideoDecoder?
  /// Whether the decoder gives pictures before they are in the order of showing.
  private var isEarly = false
  private var decoded: CMFormatDescription?
  private var samples: [(time: CMTime, sample: Sample)] = []
  private let transformer = PixelTransformer(bufferLimit: 64)

  init(
    _ format: CMVideoFormatDescription, attributes: [String: Any],
    callback: VTDecompressionOutputCallbackRecord
  ) {
    self.format = format
    self.callback = callback
    let wanted = attributes[kCVPixelBufferPixelFormatTypeKey]
    pixelFormat =
      LooseNumber.code(wanted) ?? (wanted as? [Any])?.firstResult { LooseNumber.code($0) }
      ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    if let width = LooseNumber.integer(attributes[kCVPixelBufferWidthKey]),
      let height = LooseNumber.integer(attributes[kCVPixelBufferHeightKey]), width > 0, height > 0
    {
      size = PixelSize(width: width, height: height)
    } else {
      size = nil
    }
  }

  var isValid: Bool { !state.withLock { $0.isInvalid } }

  var hasCallback: Bool { callback.decompressionOutputCallback != nil }

  func value(of key: String) -> Any? {
    switch key {
    case kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded: Double(state.withLock { $0.pending })
    case kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder: false
    case kVTDecompressionPropertyKey_RealTime: state.withLock { $0.values[key] } ?? true
    default: state.withLock { $0.values[key] } ?? 1.0
    }
  }

  func setValue(_ value: Any?, of key: String) -> OSStatus {
    state.withLock { $0.values[key] = value }
    return noErr
  }

  /// Frames in threads of their own come later, so one decodes where they are waited for.
  private var threads: Int {
    if let count = state.withLock({ $0.values[kVTDecompressionPropertyKey_ThreadCount] }) as? Double {
      return Int(count)
    }
    return state.withLock { $0.values[kVTDecompressionPropertyKey_RealTime] } as? Bool == false ? 0 : 1
  }

  func take(_ sample: Sample) -> OSStatus {
    let isTaken = state.withLock { state in
      if !state.isInvalid { state.pending += 1 }
      return !state.isInvalid
    }
    guard isTaken else { return kVTInvalidSessionErr }
    if !sample.flags.contains(._EnableAsynchronousDecompression) {
      work.perform { decode(sample) }
      return noErr
    }
    work.enqueue { self.decode(sample) }
    return noErr
  }

  private func decode(_ taken: Sample) {
    guard isValid else { return report(taken, kVTInvalidSessionErr, nil) }
    do throws(CodecError) {
      let decoder = try preparedDecoder(taken)
      let time = taken.sample.presentationTimeStamp
      samples.append((time, taken))
      do throws(CodecError) {
        report(try decoder.decode(taken.sample, isEarly: !taken.mayWait))
      } catch {
        samples.removeAll { $0.time == time }
        throw error
      }
      // One thread has done all there is to do: a sample without a picture by now has none.
      if isEarly, !taken.mayWait, let index = samples.firstIndex(where: { $0.time == time }) {
        report(samples.remove(at: index).sample, noErr, nil)
      }
    } catch {
      report(taken, VTCompressionSession.status(error), nil)
    }
  }

  private func preparedDecoder(_ taken: Sample) throws(CodecError) -> VideoDecoder {
    let wanted = taken.sample.formatDescription ?? format
    if let decoder, let decoded,
      decoded === wanted || CMFormatDescriptionEqual(decoded, otherFormatDescription: wanted),
      isEarly || taken.mayWait || !taken.sample.isKeyFrame()
    {
      return decoder
    }
    drain()
    // Threads hold as many pictures back as there are of them.
    let threads = taken.mayWait ? threads : 1
    isEarly = threads == 1
    let made = try VideoDecoder(wanted, pixelFormat: pixelFormat, threads: threads, givesEarly: isEarly)
    decoder = made
    decoded = wanted
    return made
  }

  /// Reports all that is in the decoder, which is then closed.
  private func drain() {
    guard let decoder else { return }
    self.decoder = nil
    var status = noErr
    do throws(CodecError) {
      report(try decoder.finish())
    } catch {
      status = VTCompressionSession.status(error)
    }
    let lost = samples.map(\.sample)
    samples = []
    for sample in lost { report(sample, status, nil) }
  }

  private func report(_ pictures: [VideoDecoder.Picture]) {
    for picture in pictures {
      guard let index = samples.firstIndex(where: { $0.time == picture.time }) else { continue }
      let taken = samples.remove(at: index).sample
      guard !taken.flags.contains(._DoNotOutputFrame) else {
        report(taken, noErr, nil)
        continue
      }
      guard let size else {
        report(taken, noErr, picture.pixels)
        continue
      }
      let scaled = try? transformer.apply(FrameTransform(size: size), to: picture.pixels)
      report(taken, scaled == nil ? kVTPixelTransferNotSupportedErr : noErr, scaled)
    }
  }

  private func report(_ taken: Sample, _ status: OSStatus, _ picture: CVPixelBuffer?) {
    state.withLock { $0.pending -= 1 }
    var flags: VTDecodeInfoFlags = picture == nil ? .frameDropped : []
    if taken.flags.contains(._EnableAsynchronousDecompression) { flags.insert(.asynchronous) }
    let (time, duration) = (taken.sample.presentationTimeStamp, taken.sample.duration)
    if let handler = taken.handler {
      handler(status, flags, picture, time, duration)
    } else {
      callback.decompressionOutputCallback?(
        callback.decompressionOutputRefCon, taken.refcon, status, flags, picture, time, duration)
    }
  }

  /// Brings out what the decoder holds back; the next sample must be a key frame then.
  func finishDelayed() -> OSStatus {
    work.perform {
      guard isValid else { return kVTInvalidSessionErr }
      if !samples.isEmpty { drain() }
      return noErr
    }
  }

  func invalidate() {
    state.withLock { $0.isInvalid = true }
    work.perform {
      decoder = nil
      samples = []
    }
  }
}
