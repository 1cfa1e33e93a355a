package import CaptureDevice
package import CoreVideo
internal import Linux
internal import PixelTransforms

/// The only way from a camera's frames to their pictures: decoding, then the effects.
///
/// One for each running device, and another for each set of effects that it gets. Data outputs, previews, recordings, photos and the metadata
/// search ask it. The first to ask for a frame does the work, on its own thread; others that ask for the same frame meanwhile wait
/// for it. The picture is kept with the frame, so that it is made once for all; of frames that live longer, as in a history, the
/// newest pictures are kept. Without an effect an uncompressed frame is its own picture, and nothing is copied.
///
/// Thread-safe.
package final class FrameProcessor: Sendable {
  /// Decodes a frame.
  package typealias Decoding = @Sendable (CapturedFrame) throws -> CVPixelBuffer

  /// The picture of a frame, kept in ``FrameContent/processed``.
  private final class Slot: @unchecked Sendable {  // Safe: reached under the lock of its stream.
    let owner: FrameProcessor
    var isWorking = true
    /// The picture, or what is wrong with the frame; `nil` where it is to be made anew.
    var result: Result<CVPixelBuffer, any Error>?

    init(_ owner: FrameProcessor) { self.owner = owner }
  }

  /// A slot and its picture, which go outside of the lock.
  private typealias Gone = (slot: Slot, result: Result<CVPixelBuffer, any Error>?)

  /// A slot whose picture may be given up.
  private struct Kept {
    weak var slot: Slot?
    let bytes: Int
  }

  /// The common part of all processors of a stream.
  private final class Stream: Sendable {
    /// Slots with pictures, oldest first; its lock guards what is kept with all frames of the stream.
    let kept = Monitor<[Kept]>([])
    let decode: Decoding
    /// As many pictures as clients may hold, and those of a history.
    let transformer = PixelTransformer(bufferLimit: 44)

    init(_ decode: @escaping Decoding) { self.decode = decode }
  }

  /// The source of a frame's picture.
  private enum Place {
    case known(Result<CVPixelBuffer, any Error>)
    /// The caller works for all; what was kept with the frame goes outside of the lock.
    case first(former: AnyObject?)
  }

  /// So many pictures are kept at most: with an effect those of a whole history, else those of consumers that are a little behind,
  /// for decoding again costs only time.
  private var most: Int { hasEffect ? 12 : Self.least }
  /// So many are kept however large they are.
  private static let least = 4
  private static let mostBytes = 64_000_000

  private let stream: Stream
  /// What changes the pictures, in this order.
  package let effects: [FrameEffect]

  /// Whether it changes pictures: then a device's own buffers are not what clients see.
  package var hasEffect: Bool { !effects.isEmpty }

  /// Whether what the lens shows at a place may be at another one in clients' pictures.
  package var movesPixels: Bool { effects.contains(where: \.movesPixels) }

  /// The processor of one stream.
  ///
  /// - Parameters:
  ///   - effects: What changes its pictures, in this order.
  ///   - former: The stream's processor until now, whose memory goes on.
  package init(effects: [FrameEffect] = [], after former: FrameProcessor? = nil) {
    self.effects = effects
    stream = former?.stream ?? Stream(FrameDecoder().open)
  }

  /// A processor that does `decode` to each frame that is not uncompressed.
  package init(effects: [FrameEffect] = [], decode: @escaping Decoding) {
    self.effects = effects
    stream = Stream(decode)
  }

  /// Whether `other` is of the same stream.
  package func isOfStream(_ other: FrameProcessor) -> Bool { stream === other.stream }

  /// The frame's picture where it costs nothing: the device's own memory; `nil` where it is to be made.
  package func pictureAtHand(of frame: CapturedFrame) -> CVPixelBuffer? {
    effects.isEmpty ? frame.content.uncompressed() : nil
  }

  /// The frame's picture: the device's own memory, or one that its consumers share.
  ///
  /// An effect's picture is never written to. Without an effect a video data output's client may get a decoded picture itself, and draw
  /// into it.
  ///
  /// May wait for as long as another thread works on the same frame.
  ///
  /// - Parameter decode: How to decode a frame whose picture is not there yet; `nil` is the stream's way.
  /// - Throws: What ``FrameDecoder/open(_:)``, the effect and `PixelTransformer` throw. What is wrong with a frame is wrong for
  ///   everyone; a lack of memory says nothing about the next who asks.
  package func picture(of frame: CapturedFrame, decode: Decoding? = nil) throws -> CVPixelBuffer {
    if let picture = pictureAtHand(of: frame) { return picture }
    let content = frame.content
    let place = stream.kept.wait { _ in
      slot(of: content)?.isWorking != true
    } then: { _ -> Place in
      // Who decodes in another way may see more in a frame than the stream's decoder.
      if let result = slot(of: content)?.result, decode == nil || (try? result.get()) != nil {
        return .known(result)
      }
      defer { content.processed = Slot(self) }
      return .first(former: content.processed)
    }
    switch place {
    case .known(let result): return try result.get()
    case .first(let former): withExtendedLifetime(former) {}
    case nil: break
    }
    do {
      let picture = try changed(content.uncompressed() ?? (decode ?? stream.decode)(frame), frame)
      keep(.success(picture), with: content)
      return picture
    } catch {
      keep(error is PixelTransformError ? nil : .failure(error), with: content)
      throw error
    }
  }

  /// What this processor keeps with a frame; under the lock.
  private func slot(of content: FrameContent) -> Slot? {
    guard let slot = content.processed as? Slot, slot.owner === self else { return nil }
    return slot
  }

  /// Ends the wait of who asked for the same frame; `nil` lets the next of them try.
  private func keep(_ result: Result<CVPixelBuffer, any Error>?, with content: FrameContent) {
    let gone = stream.kept.withLock { kept -> [Gone] in
      // Another effect may be in force meanwhile.
      guard let slot = slot(of: content) else { return [] }
      slot.isWorking = false
      slot.result = result
      guard case .success(let picture) = result else { return [] }
      kept.append(Kept(slot: slot, bytes: picture.dataSize))
      return giveUp(&kept)
    }
    withExtendedLifetime(gone) {}
  }

  /// Takes the oldest pictures out where there are too many, or too many bytes.
  private func giveUp(_ kept: inout [Kept]) -> [Gone] {
    // Held until the lock is left: a frame may go meanwhile, and with it all that its slot holds.
    let slots = kept.map(\.slot)
    kept = zip(kept, slots).filter { $1 != nil }.map(\.0)
    var gone: [Gone] = slots.compactMap { $0 }.map { ($0, nil) }
    var bytes = kept.reduce(0) { $0 + $1.bytes }
    while kept.count > most || (bytes > Self.mostBytes && kept.count > Self.least) {
      let oldest = kept.removeFirst()
      bytes -= oldest.bytes
      guard let slot = oldest.slot else { continue }
      gone.append((slot, slot.result))
      slot.result = nil
    }
    return gone
  }

  private func changed(_ picture: CVPixelBuffer, _ frame: CapturedFrame) throws -> CVPixelBuffer {
    let format = CVPixelBufferGetPixelFormatType(picture)
    let changed = try effects.reduce(picture) { try apply($1, to: $0, frame.timestamp) }
    guard CVPixelBufferGetPixelFormatType(changed) != format else { return changed }
    return try stream.transformer.apply(
      FrameTransform(pixelFormat: format, matrix: YCbCrMatrix(of: picture)), to: changed)
  }

  /// The picture that an effect makes of another, in a pixel format that the effect takes.
  private func apply(_ effect: FrameEffect, to picture: CVPixelBuffer, _ time: MonotonicInstant) throws
    -> CVPixelBuffer
  {
    let transformer = stream.transformer
    let isTaken = effect.pixelFormats.contains(CVPixelBufferGetPixelFormatType(picture))
    let source =
      isTaken
      ? picture : try transformer.apply(FrameTransform(pixelFormat: effect.pixelFormats[0]), to: picture)
    let size = PixelSize(width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source))
    let target = try transformer.makeBuffer(size: size, pixelFormat: CVPixelBufferGetPixelFormatType(source))
    CVBufferPropagateAttachments(source, target)
    try effect.body(source, target, time)
    return target
  }
}
