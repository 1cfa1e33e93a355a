package import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Dispatch
package import FoundationExtras
internal import Linux
internal import VideoCodecs

/// Makes frames with pictures of the H.264 or HEVC frames of one running stream, in the order in which they are shown.
///
/// It decodes on a queue of its own, so that a stream's reader goes on, and what is recorded undecoded with it. Decoding begins with a
/// key frame, and again after every loss of a picture that others build on; what lies between is lost. Where more pictures wait than
/// ``mostWaiting``, the machine is too slow, and those up to the next key frame are lost.
///
/// The hardware decodes where VAAPI or V4L2 can; where that gives no first picture, the processor does from the next key frame on.
///
/// A decoded frame has its own time and conditions, and a number in the order of showing. On a clock that is moved by hand it holds the
/// token of the frame whose arrival completed it. Thread-safe; the frames are given in order, one at a time, on the decoder's queue.
package final class StreamDecoder: Sendable {
  /// What comes of a coded frame.
  package enum Output: Sendable {
    case frame(CapturedFrame)
    case lost(DroppedFrame)
  }

  /// As many pictures wait at most, each in a buffer of the device.
  package static let mostWaiting = 12

  private struct Intake {
    var chain = CodedChain()
    var waiting = 0
    var isOpen = true
  }

  /// A frame whose picture is in the decoder.
  private struct Pending {
    let number: Int64
    let timestamp: MonotonicInstant
    let conditions: FrameConditions
  }

  /// Used on the queue alone.
  private final class Work: @unchecked Sendable {  // Safe: reached on the decoder's queue only.
    var decoder: VideoDecoder?
    var format: CMVideoFormatDescription?
    var count: Int64 = 0
    var pending: [Pending] = []
    /// The numbers of frames that are in the decoder, in the order in which they came.
    var sequences: [UInt32] = []
    var newest: MonotonicInstant?
    /// Whether the decoder has given a picture since it was opened.
    var hasShown = false
  }

  /// More frames than decoders keep back: a picture that has not come by then never comes.
  private static let mostPending = 32

  private let intake = Locked(Intake())
  private let work = Work()
  private let queue = DispatchQueue(label: "obscura.stream-decoder", qos: .userInteractive)
  private let receive: @Sendable (Output) -> Void

  /// A decoder that waits for a key frame.
  ///
  /// - Parameter receive: Called on the decoder's queue; must not wait.
  package init(_ receive: @escaping @Sendable (Output) -> Void) {
    self.receive = receive
  }

  /// Takes the stream's next frame, of ``CapturedFrame/Picture/coded(_:)``; returns at once.
  package func take(_ frame: CapturedFrame) {
    guard let coded = frame.content.coded else { return }
    let lost = intake.withLock { intake -> DropReason? in
      guard intake.chain.accepts(isKeyFrame: coded.isKeyFrame, frame.sequence) else { return .discontinuity }
      guard intake.waiting < Self.mostWaiting else {
        intake.chain.lose(isReference: coded.isReference)
        return .outOfBuffers
      }
      intake.waiting += 1
      return nil
    }
    if let lost {
      return take(
        DroppedFrame(
          sequence: frame.sequence, timestamp: frame.timestamp, reason: lost, inFlight: frame.inFlight))
    }
    queue.carry(holding: frame.inFlight) { [self] in
      intake.withLock { $0.waiting -= 1 }
      decode(frame, coded)
    }
  }

  /// Notes a loss of the device's; it is reported after the frames before it.
  package func take(_ drop: DroppedFrame) {
    queue.carry(holding: drop.inFlight) { [self] in give(.lost(drop)) }
  }

  /// Waits for a key frame: what comes next does not follow what came.
  package func breakOff() {
    intake.withLock { $0.chain.breakOff() }
    queue.async { [self] in forget() }
  }

  /// Gives no frame any more, but one that is being given.
  package func close() {
    intake.withLock { $0.isOpen = false }
  }

  private func give(_ output: Output) {
    guard intake.withLock({ $0.isOpen }) else { return }
    receive(output)
  }

  // MARK: On the queue

  private func decode(_ frame: CapturedFrame, _ coded: CodedPicture) {
    guard intake.withLock({ $0.isOpen }) else { return }
    if work.format !== coded.format || work.decoder == nil { open(coded.format, frame) }
    work.count += 1
    work.pending.append(
      Pending(number: work.count, timestamp: frame.timestamp, conditions: frame.conditions))
    work.sequences.append(frame.sequence)
    let timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(value: work.count, timescale: 1),
      decodeTimeStamp: .invalid)
    let sample = CMSampleBuffer.coded(
      coded.data, formatDescription: coded.format, timing: timing, isKeyFrame: coded.isKeyFrame)
    do throws(CodecError) {
      guard let decoder = work.decoder else { throw CodecError(.noDecoder, "") }
      show(try decoder.decode(sample), frame)
    } catch {
      // A picture for which there is no memory is lost alone.
      let isBroken = error.reason == .damaged || error.reason == .noDecoder
      lose(work.count, frame, isBroken ? .discontinuity : .outOfBuffers)
      if isBroken { beginAnew(frame) }
    }
    if work.pending.count > Self.mostPending, isUnproven { beginAnew(frame) }
    while work.pending.count > Self.mostPending { lose(work.pending[0].number, frame, .discontinuity) }
  }

  /// Whether the hardware decodes, and has given no picture yet.
  private var isUnproven: Bool { work.decoder?.isHardware == true && !work.hasShown }

  /// Waits for a key frame; hardware that has given no picture is not used again.
  private func beginAnew(_ frame: CapturedFrame) {
    intake.withLock { $0.chain.breakOff() }
    forget(frame)
    guard isUnproven else { return }
    work.decoder?.giveUpHardware()
    work.decoder = nil
  }

  private func open(_ format: CMVideoFormatDescription, _ frame: CapturedFrame) {
    if let decoder = work.decoder, let rest = try? decoder.finish() { show(rest, frame) }
    forget(frame)
    work.format = format
    work.hasShown = false
    work.decoder = try? VideoDecoder(
      format, pixelFormat: FrameEncoding.decodedPixelFormat, isLive: true, prefersHardware: true)
  }

  /// Gives frames with the decoder's pictures, which come in the order of showing.
  private func show(_ pictures: [VideoDecoder.Picture], _ frame: CapturedFrame) {
    for picture in pictures {
      work.hasShown = true
      guard let index = work.pending.firstIndex(where: { $0.number == picture.time.value }) else { continue }
      let shown = work.pending.remove(at: index)
      let sequence = work.sequences.removeFirst()
      // A stream that does not say how far it reorders shows its first pictures too early.
      if let newest = work.newest, shown.timestamp <= newest {
        give(.lost(drop(sequence, shown.timestamp, .discontinuity, frame)))
        continue
      }
      work.newest = shown.timestamp
      give(
        .frame(
          CapturedFrame(
            picture: .pixels(picture.pixels), timestamp: shown.timestamp, sequence: sequence,
            conditions: shown.conditions, inFlight: frame.inFlight)))
    }
  }

  private func lose(_ number: Int64, _ frame: CapturedFrame, _ reason: DropReason) {
    guard let index = work.pending.firstIndex(where: { $0.number == number }) else { return }
    let lost = work.pending.remove(at: index)
    give(.lost(drop(work.sequences.removeFirst(), lost.timestamp, reason, frame)))
  }

  private func drop(
    _ sequence: UInt32, _ time: MonotonicInstant, _ reason: DropReason, _ frame: CapturedFrame
  ) -> DroppedFrame {
    DroppedFrame(sequence: sequence, timestamp: time, reason: reason, inFlight: frame.inFlight)
  }

  /// Forgets what is in the decoder; its frames are lost.
  private func forget(_ frame: CapturedFrame? = nil) {
    work.decoder?.flush()
    let lost = zip(work.sequences, work.pending)
    work.sequences = []
    work.pending = []
    work.newest = nil
    for (sequence, pending) in lost {
      give(
        .lost(
          DroppedFrame(
            sequence: sequence, timestamp: pending.timestamp, reason: .discontinuity,
            inFlight: frame?.inFlight)))
    }
  }
}

extension FrameEncoding {
  /// The pixel format of decoded H.264 and HEVC.
  package static let decodedPixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
}
