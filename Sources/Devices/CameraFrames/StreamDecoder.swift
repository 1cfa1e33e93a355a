package import CaptureDevice
package import CoreMedia
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
/// The hardware decodes where it can; where it fails twice without a picture between, the processor does from the next key frame on.
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
    var decoder: (any LivePictureDecoder)?
    var format: CMVideoFormatDescription?
    var count: Int64 = 0
    var pending: [Pending] = []
    /// The numbers of frames that are in the decoder, in the order in which they came.
    var sequences: [UInt32] = []
    var newest: MonotonicInstant?
    /// How many times decoding broke off since the last picture.
    var breaks = 0
    /// Whether what comes is lost until a key frame.
    var waitsForKeyFrame = false
  }

  /// More frames than decoders keep back: a picture that has not come by then never comes.
  private static let mostPending = 32

  private let intake = Locked(Intake())
  private let work = Work()
  private let queue = DispatchQueue(label: "obscura.stream-decoder", qos: .userInteractive)
  private let opens: Opening
  private let receive: @Sendable (Output) -> Void

  /// Opens a decoder of a format; `nil` where there is none.
  package typealias Opening = @Sendable (CMVideoFormatDescription) -> (any LivePictureDecoder)?

  /// A decoder that waits for a key frame.
  ///
  /// - Parameters:
  ///   - opens: Called on the decoder's queue.
  ///   - receive: Called on the decoder's queue; must not wait.
  package init(
    opens: @escaping Opening = StreamDecoder.usual, _ receive: @escaping @Sendable (Output) -> Void
  ) {
    self.opens = opens
    self.receive = receive
  }

  /// Opens the machine's decoder: the hardware's, or else the processor's.
  package static let usual: Opening = { format in
    try? VideoDecoder(
      format, pixelFormat: FrameEncoding.decodedPixelFormat, isLive: true, prefersHardware: true)
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
    queue.async { [self] in
      work.waitsForKeyFrame = true
      forget()
    }
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
    // It was taken in before the break.
    if work.waitsForKeyFrame, !coded.isKeyFrame {
      return give(.lost(drop(frame.sequence, frame.timestamp, .discontinuity, frame)))
    }
    work.waitsForKeyFrame = false
    if work.format !== coded.format || work.decoder == nil { open(coded.format, frame) }
    work.count += 1
    work.pending.append(
      Pending(number: work.count, timestamp: frame.timestamp, conditions: frame.conditions))
    work.sequences.append(frame.sequence)
    let time = CMTime(value: work.count, timescale: 1)
    do throws(CodecError) {
      guard let decoder = work.decoder else { throw CodecError(.noDecoder, "") }
      show(try decoder.decode(coded.data, time: time, isKeyFrame: coded.isKeyFrame), frame)
    } catch {
      // A picture for which there is no memory is lost alone.
      let isBroken = error.reason == .damaged || error.reason == .noDecoder
      lose(work.count, frame, isBroken ? .discontinuity : .outOfBuffers)
      if isBroken { beginAnew(frame) }
    }
    if work.pending.count > Self.mostPending, work.decoder?.isHardware == true { beginAnew(frame) }
    while work.pending.count > Self.mostPending { lose(work.pending[0].number, frame, .discontinuity) }
  }

  /// Waits for a key frame; hardware that breaks off twice without a picture is not used again.
  private func beginAnew(_ frame: CapturedFrame) {
    intake.withLock { $0.chain.breakOff() }
    work.waitsForKeyFrame = true
    forget(frame)
    work.breaks += 1
    guard work.breaks > 1, let decoder = work.decoder, decoder.isHardware else { return }
    decoder.giveUpHardware()
    work.decoder = nil
    work.breaks = 0
  }

  private func open(_ format: CMVideoFormatDescription, _ frame: CapturedFrame) {
    if let decoder = work.decoder, let rest = try? decoder.finish() { show(rest, frame) }
    forget(frame)
    work.format = format
    work.decoder = opens(format)
  }

  /// Gives frames with the decoder's pictures, which come in the order of showing.
  private func show(_ pictures: [VideoDecoder.Picture], _ frame: CapturedFrame) {
    for picture in pictures {
      work.breaks = 0
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
