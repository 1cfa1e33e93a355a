public import CoreMedia
internal import CoreVideo
internal import Dispatch
public import FoundationExtras
internal import Linux
internal import MediaFiles
internal import PixelTransforms
internal import VideoCodecs

/// Gets each sample: the two references, a status, what happened, and the sample, `nil` when there is none.
///
/// Apple: `VTCompressionOutputCallback`.
public typealias VTCompressionOutputCallback = (
  UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTEncodeInfoFlags, CMSampleBuffer?
) -> Void

/// Gets the sample of a frame: a status, what happened, and the sample, `nil` when there is none.
///
/// Apple: `VTCompressionOutputHandler`.
public typealias VTCompressionOutputHandler = (OSStatus, VTEncodeInfoFlags, CMSampleBuffer?) -> Void

/// Codes pictures.
///
/// Coding and callbacks run on a queue of the session's; eight frames may wait, then ``VTCompressionSessionEncodeFrame`` does.
/// Each frame that was taken is reported exactly once, in the order of decoding; one that is left out for the rate, without a sample
/// and with ``VTEncodeInfoFlags/frameDropped``. Thread-safe.
/// Apple: `VTCompressionSession`.
public final class VTCompressionSession: PropertyOwner, @unchecked Sendable {
  // Safe because what changes is under a lock, or on `work` only.

  let properties: [String: SessionProperty]
  private let codec: VideoEncoderSettings.Codec
  private let size: PixelSize
  private let callback: VTCompressionOutputCallback?
  private let refcon: UnsafeMutableRawPointer?
  private let attributes: [String: Any]?
  /// Whether frames are left out where the coarsest quantizer makes them too large for the rate.
  private let leavesFramesOut: Bool
  let work = SerialWork("obscura.compression", room: 8)
  private let state: Locked<State>

  private struct State: Sendable {
    var settings: CompressionSettings
    var isInvalid = false
    var pending = 0
    var pool: CVPixelBufferPool?
    /// The name of the encoder that serves, or would.
    var encoder: (name: String, isHardware: Bool)?
  }

  /// A frame that was taken.
  struct Frame: @unchecked Sendable {  // Safe because only `work` uses it once it was taken.
    let picture: CVPixelBuffer
    let time: CMTime
    let duration: CMTime
    let isKey: Bool
    let refcon: UnsafeMutableRawPointer?
    let handler: VTCompressionOutputHandler?
  }

  // On `work` only.
  private var encoder: VideoEncoder?
  private var timescale: Int32 = 0
  private var frames: [Int64: Frame] = [:]
  /// Where frames are left out for the rate, and whether a key frame was among them.
  private var budget = FrameBudget()
  private var owesKeyFrame = false

  init(
    codec: VideoEncoderSettings.Codec, size: PixelSize, specification: [String: Any],
    attributes: [String: Any]?, callback: VTCompressionOutputCallback?, refcon: UnsafeMutableRawPointer?
  ) {
    self.codec = codec
    self.size = size
    self.callback = callback
    self.refcon = refcon
    self.attributes = attributes
    properties = CompressionSettings.properties(codec)
    let settings = CompressionSettings(codec: codec, size: size, specification: specification)
    leavesFramesOut = settings.hasLowLatencyRateControl
    state = Locked(State(settings: settings))
  }

  // MARK: Properties

  var isValid: Bool { !state.withLock { $0.isInvalid } }

  var hasCallback: Bool { callback != nil }

  func value(of key: String) -> Any? {
    switch key {
    case kVTCompressionPropertyKey_NumberOfPendingFrames: return Double(state.withLock { $0.pending })
    case kVTCompressionPropertyKey_PixelBufferPoolIsShared: return true
    case kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes: return encoderAttributes
    case kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder: return chosenEncoder?.isHardware
    case kVTCompressionPropertyKey_EncoderID: return chosenEncoder?.name
    default: return state.withLock { $0.settings.values[key] } ?? CompressionSettings.defaults[key]
    }
  }

  func setValue(_ value: Any?, of key: String) -> OSStatus {
    if let value, !state.withLock({ $0.settings }).accepts(value, of: key) { return kVTParameterErr }
    state.withLock { $0.settings.values[key] = value }
    return noErr
  }

  private var encoderAttributes: [String: Any] {
    [
      kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
      kCVPixelBufferWidthKey: size.width, kCVPixelBufferHeightKey: size.height,
    ]
  }

  /// The encoder that serves, or that would: it is opened to find out.
  private var chosenEncoder: (name: String, isHardware: Bool)? {
    if let known = state.withLock({ $0.encoder }) { return known }
    _ = probe()
    return state.withLock { $0.encoder }
  }

  /// Whether an encoder opens with the settings.
  func probe() -> OSStatus {
    let settings = state.withLock { $0.settings }
    guard
      let picture = try? CVPixelBuffer(
        format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: size.width, height: size.height)
    else { return kVTAllocationFailedErr }
    do {
      let encoder = try VideoEncoder(settings.encoderSettings(timescale: 600), first: picture)
      state.withLock { $0.encoder = (encoder.name, encoder.isHardware) }
      return noErr
    } catch {
      return Self.status(error)
    }
  }

  /// A pool of pictures that suit the encoder.
  var pool: CVPixelBufferPool? {
    if let known = state.withLock({ $0.pool }) { return known }
    var wanted = encoderAttributes.merging(attributes ?? [:]) { $1 }
    if let formats = wanted[kCVPixelBufferPixelFormatTypeKey] as? [Any] {
      wanted[kCVPixelBufferPixelFormatTypeKey] = formats.first
    }
    var made: CVPixelBufferPool?
    CVPixelBufferPoolCreate(nil, nil, wanted, &made)
    return state.withLock { state in
      if state.pool == nil { state.pool = made }
      return state.pool
    }
  }

  static func status(_ error: CodecError) -> OSStatus {
    switch error.reason {
    case .noEncoder: kVTCouldNotFindVideoEncoderErr
    case .noDecoder: kVTCouldNotFindVideoDecoderErr
    case .unsuitable: kVTParameterErr
    case .damaged: kVTVideoDecoderBadDataErr
    case .failed: kVTVideoEncoderMalfunctionErr
    }
  }

  // MARK: Coding

  /// Takes a frame.
  func take(_ frame: Frame) -> OSStatus {
    let isTaken = state.withLock { state in
      if !state.isInvalid { state.pending += 1 }
      return !state.isInvalid
    }
    guard isTaken else { return kVTInvalidSessionErr }
    work.enqueue { self.encode(frame) }
    return noErr
  }

  private func encode(_ frame: Frame) {
    guard isValid else { return report(frame, kVTInvalidSessionErr, nil) }
    do throws(CodecError) {
      let encoder = try preparedEncoder(frame)
      guard admits(frame, encoder.settings) else {
        owesKeyFrame = owesKeyFrame || frame.isKey
        return report(frame, noErr, nil)
      }
      let moment = ticks(frame.time)
      guard frames[moment] == nil else {
        throw CodecError(.unsuitable, "Two frames have the same time.")
      }
      frames[moment] = frame
      do throws(CodecError) {
        let samples = try encoder.encode(
          frame.picture, at: frame.time, duration: frame.duration, isKeyFrame: frame.isKey || owesKeyFrame)
        owesKeyFrame = false
        spend(samples, encoder)
        report(samples)
      } catch {
        if frames.removeValue(forKey: moment) != nil { throw error }
      }
    } catch {
      report(frame, Self.status(error), nil)
    }
  }

  /// Whether a frame is coded, and not left out for the rate.
  private func admits(_ frame: Frame, _ settings: VideoEncoderSettings) -> Bool {
    guard leavesFramesOut, settings.largestQuantizer != nil, let rate = settings.bitRate, frame.time.isNumeric
    else { return true }
    return budget.admits(at: frame.time.seconds, rate: Double(rate))
  }

  private func spend(_ samples: [CMSampleBuffer], _ encoder: VideoEncoder) {
    guard !samples.isEmpty, let largest = encoder.settings.largestQuantizer else { return }
    let bits = samples.reduce(0) { $0 + 8 * ($1.dataBuffer?.dataLength ?? 0) }
    // Averages are a little below the largest where some blocks need less.
    budget.spend(bits, isCoarsest: encoder.lastQuantizer ?? .infinity >= Double(largest) - 1)
  }

  private func ticks(_ time: CMTime) -> Int64 {
    time.convertScale(timescale, method: .roundHalfAwayFromZero).value
  }

  /// The encoder for the properties as they are now.
  private func preparedEncoder(_ frame: Frame) throws(CodecError) -> VideoEncoder {
    if timescale == 0 { timescale = MovieTrackSettings.timescale(for: frame.time) }
    let wanted = state.withLock { $0.settings }.encoderSettings(timescale: timescale)
    if let encoder {
      if encoder.settings == wanted || encoder.changeRates(to: wanted) { return encoder }
      drain()
    }
    let made = try VideoEncoder(wanted, first: frame.picture)
    encoder = made
    state.withLock { $0.encoder = (made.name, made.isHardware) }
    return made
  }

  /// Reports all that is in the encoder, which is then closed: the next frame is a key frame.
  private func drain() {
    guard let encoder else { return }
    self.encoder = nil
    var status = noErr
    do throws(CodecError) {
      report(try encoder.finish())
    } catch {
      status = Self.status(error)
    }
    let lost = frames.sorted { $0.key < $1.key }.map(\.value)
    frames = [:]
    for frame in lost { report(frame, status, nil) }
  }

  private func report(_ samples: [CMSampleBuffer]) {
    for sample in samples {
      guard let frame = frames.removeValue(forKey: ticks(sample.presentationTimeStamp)) else { continue }
      // The frame's own times, which the encoder may have rounded.
      let timing = CMSampleTimingInfo(
        duration: frame.duration, presentationTimeStamp: frame.time, decodeTimeStamp: sample.decodeTimeStamp)
      report(frame, noErr, (try? CMSampleBuffer(copying: sample, withNewTiming: [timing])) ?? sample)
    }
  }

  private func report(_ frame: Frame, _ status: OSStatus, _ sample: CMSampleBuffer?) {
    state.withLock { $0.pending -= 1 }
    let flags: VTEncodeInfoFlags = sample == nil ? [.asynchronous, .frameDropped] : .asynchronous
    if let handler = frame.handler {
      handler(status, flags, sample)
    } else {
      callback?(refcon, frame.refcon, status, flags, sample)
    }
  }

  /// Waits until all frames up to a time are reported; all when it is not numeric.
  func complete(until time: CMTime) -> OSStatus {
    work.perform {
      guard isValid else { return kVTInvalidSessionErr }
      let waits = frames.values.contains { !time.isNumeric || $0.time <= time }
      if waits { drain() }
      return noErr
    }
  }

  /// Forgets all that is not coded.
  func invalidate() {
    let pool = state.withLock { state in
      state.isInvalid = true
      defer { state.pool = nil }
      return state.pool
    }
    withExtendedLifetime(pool) {}
    work.perform {
      encoder = nil
      frames = [:]
    }
  }
}
