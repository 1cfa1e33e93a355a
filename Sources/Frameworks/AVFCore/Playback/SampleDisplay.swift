internal import CoreMedia
internal import CoreVideo
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import Linux
internal import VideoCodecs

/// Decodes sample buffers ahead, and shows each at its time on a timebase.
///
/// Thread-safe.
final class SampleDisplay: @unchecked Sendable {
  // Safe because `shared` guards itself, and all that changes beside it is on `queue`.

  private struct Shared {
    var status = AVQueuedSampleBufferRenderingStatus.unknown
    var error: AVError?
    /// Sample buffers on their way to the queue, and those that are kept there.
    var coming = 0
    var kept = 0
    var hasPicture = false
    /// Counts the flushes: what came before the last one is left out.
    var generation = 0
    var request: (queue: DispatchQueue, block: @Sendable () -> Void)?
    var isRequesting = false
    var control: CMTimebase?
  }

  /// The most pictures that are decoded ahead, and sample buffers that there is room for.
  private static let mostDecoded = 6
  private static let room = 24

  let frames = PlayerFrames()
  /// Called on the main queue with the old status and the new one.
  let statusChanged = Hook<
    (old: AVQueuedSampleBufferRenderingStatus, new: AVQueuedSampleBufferRenderingStatus)
  >()
  private let shared = Locked(Shared())
  private let queue = DispatchQueue(label: "obscura.sample-display", qos: .userInteractive)
  private let hostTimebase: CMTimebase

  // On the queue.
  private var waiting: [CMSampleBuffer] = []
  private var decoded: [PlayerFrame] = []
  private var decoder: (decoder: VideoDecoder, format: CMFormatDescription)?
  private var alarm: TimebaseAlarm?
  /// The time of the newest picture that was shown of those that are decoded: earlier ones come too late.
  private var shownTime: CMTime?
  /// The last flush that was carried out: while another one is on its way, nothing of before is shown any more.
  private var flushed = 0

  init() {
    do {
      hostTimebase = try CMTimebase(sourceClock: .hostTimeClock)
      try hostTimebase.setRateAndAnchorTime(
        rate: 1, anchorTime: CMClock.hostTimeClock.time, referenceTime: CMClock.hostTimeClock.time)
    } catch {
      preconditionFailure("A timebase on the host's clock was refused: \(error)")
    }
    setAlarm()
  }

  // MARK: State

  var status: AVQueuedSampleBufferRenderingStatus { shared.withLock { $0.status } }
  var error: AVError? { shared.withLock { $0.error } }
  var isReady: Bool { shared.withLock { Self.hasRoom($0) } }
  var hasPicture: Bool { shared.withLock { $0.hasPicture } }
  /// The timeline: the client's, or the host's clock.
  var timebase: CMTimebase { shared.withLock { $0.control } ?? hostTimebase }

  var controlTimebase: CMTimebase? {
    get { shared.withLock { $0.control } }
    set {
      shared.withLock { $0.control = newValue }
      queue.async { [self] in
        setAlarm()
        work()
      }
    }
  }

  private func setAlarm() {
    alarm = TimebaseAlarm(on: timebase, queue: queue) { [weak self] in self?.work() }
  }

  private static func hasRoom(_ shared: Shared) -> Bool { shared.coming + shared.kept < room }

  private var isFlushing: Bool { shared.withLock { $0.generation != flushed } }

  private func setStatus(_ status: AVQueuedSampleBufferRenderingStatus, _ error: AVError? = nil) {
    let old = shared.withLock { shared in
      defer { (shared.status, shared.error) = (status, error) }
      return shared.status
    }
    guard old != status else { return }
    DispatchQueue.main.async { [statusChanged] in statusChanged.call((old, status)) }
  }

  /// Blocks until all that was enqueued is decoded as far as there is room; for tests.
  func settle() { queue.sync {} }

  // MARK: Sample buffers

  func enqueue(_ sample: CMSampleBuffer) {
    let (generation, isFirst) = shared.withLock { shared in
      shared.coming += 1
      return (shared.generation, shared.status == .unknown)
    }
    if isFirst { setStatus(.rendering) }
    queue.async { [self] in
      let isCurrent = shared.withLock { shared in
        guard shared.generation == generation else { return false }
        shared.coming -= 1
        return shared.status != .failed
      }
      if isCurrent { waiting.append(sample) }
      work()
    }
  }

  func flush(removesPicture: Bool = false, then done: (@Sendable () -> Void)? = nil) {
    let generation = shared.withLock { shared in
      shared.generation += 1
      (shared.coming, shared.kept) = (0, 0)
      return shared.generation
    }
    setStatus(.unknown)
    queue.async { [self] in
      flushed = generation
      (waiting, decoded, shownTime) = ([], [], nil)
      decoder?.decoder.flush()
      // What was under way may have failed since.
      if status == .failed { setStatus(.unknown) }
      if removesPicture { frames.show(nil) }
      work()
      done?()
    }
  }

  /// Decodes what there is room for, shows what is due, and waits for what comes next.
  private func work() {
    repeat { decodeAhead() } while showDue() && !waiting.isEmpty
    alarm?.set(decoded.first.map { TimeMargin.wake(for: $0.itemTime, backward: false) })
    let hasPicture = !decoded.isEmpty || frames.takeNewest() != nil
    shared.withLock { shared in
      shared.kept = waiting.count + decoded.count
      shared.hasPicture = hasPicture
    }
    requestIfReady()
  }

  private func decodeAhead() {
    while decoded.count < Self.mostDecoded, !waiting.isEmpty {
      let sample = waiting.removeFirst()
      do throws(CodecError) {
        for frame in try pictures(of: sample) { keep(frame, sample) }
      } catch {
        fail(error)
      }
    }
  }

  private func keep(_ frame: PlayerFrame, _ sample: CMSampleBuffer) {
    if Self.isUrgent(sample) {
      if isFlushing { return }
      shownTime = frame.itemTime
      return frames.show(frame)
    }
    if sample.imageBuffer == nil, let shownTime, frame.itemTime < shownTime { return }
    let place = decoded.firstIndex { $0.itemTime > frame.itemTime } ?? decoded.endIndex
    decoded.insert(frame, at: place)
  }

  private static func isUrgent(_ sample: CMSampleBuffer) -> Bool {
    let said = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)?.first
    return LooseNumber.truth(
      (said as? NSDictionary)?.object(forKey: kCMSampleAttachmentKey_DisplayImmediately)) == true
  }

  /// Shows the newest picture whose time has come; `false` when there is none.
  private func showDue() -> Bool {
    let due = TimeMargin.due(timebase.time)
    // Asked after the time: what becomes due only after a flush is of before it.
    guard !isFlushing, due.isNumeric, let index = decoded.lastIndex(where: { $0.itemTime <= due }) else {
      return false
    }
    shownTime = decoded[index].itemTime
    frames.show(decoded[index])
    decoded.removeFirst(index + 1)
    return true
  }

  // MARK: Decoding

  private func pictures(of sample: CMSampleBuffer) throws(CodecError) -> [PlayerFrame] {
    guard let format = sample.formatDescription, sample.presentationTimeStamp.isNumeric else {
      throw CodecError(.unsuitable, "A sample buffer without a format or a time cannot be shown.")
    }
    let size = CMVideoFormatDescriptionGetPresentationDimensions(
      format, usePixelAspectRatio: true, useCleanAperture: false)
    if let frame = PlayedFrame(sample) {
      return [PlayerFrame(frame, transform: .identity, size: size)]
    }
    let decoder = try decoder(for: format)
    return try decoder.decode(sample, isEarly: true).map { picture in
      PlayerFrame(
        PlayedFrame(pixels: picture.pixels, time: picture.time, duration: picture.duration),
        transform: .identity, size: size)
    }
  }

  private func decoder(for format: CMFormatDescription) throws(CodecError) -> VideoDecoder {
    if let decoder, decoder.format == format { return decoder.decoder }
    let made = try VideoDecoder(format, givesEarly: true)
    decoder = (made, format)
    return made
  }

  private func fail(_ error: CodecError) {
    (waiting, decoded) = ([], [])
    setStatus(
      .failed,
      AVError(
        error.reason == .noDecoder ? .decoderNotFound : .decodeFailed, because: error.description))
  }

  // MARK: Requests

  func request(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
    let old = shared.withLock { shared in
      defer { shared.request = (queue, block) }
      return shared.request
    }
    withExtendedLifetime(old) {}
    requestIfReady()
  }

  func stopRequesting() {
    let old = shared.withLock { shared in
      defer { shared.request = nil }
      return shared.request
    }
    withExtendedLifetime(old) {}
  }

  private func requestIfReady() {
    let request = shared.withLock {
      shared -> (queue: DispatchQueue, block: @Sendable () -> Void)? in
      guard Self.hasRoom(shared), !shared.isRequesting, let request = shared.request else {
        return nil
      }
      shared.isRequesting = true
      return request
    }
    guard let request else { return }
    request.queue.async { [weak self] in
      request.block()
      self?.shared.withLock { $0.isRequesting = false }
      self?.requestIfReady()
    }
  }
}
