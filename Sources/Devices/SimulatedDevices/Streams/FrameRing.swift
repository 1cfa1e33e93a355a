internal import CoreVideo
internal import FoundationExtras
internal import Linux

/// A fixed set of picture buffers, as a driver has them: a client's last release gives a buffer back.
///
/// Thread-safe.
final class FrameRing: PictureOwner {
  /// One piece of picture memory, shown by at most one picture.
  final class Slot: @unchecked Sendable {  // Safe because it has one owner at a time, the ring or a picture.
    fileprivate let memory: PictureMemory
    /// The buffer that the picture is painted into.
    let pixels: CVPixelBuffer
    var isPainted = false

    /// Shows the memory of `pixels`, which it keeps.
    fileprivate init(_ pixels: CVPixelBuffer, attachments: BufferAttachments, tag: Int) {
      self.pixels = pixels
      memory = PictureMemory(
        planes: pixels.planes, format: pixels.format, width: pixels.width, height: pixels.height,
        dataSize: pixels.dataSize, attachments: attachments, tag: tag)
    }
  }

  private struct State {
    var capacity: Int
    var slots: [Slot] = []
    /// The last one given back is the last.
    var free: [Slot] = []
  }

  private let format: OSType
  private let width: Int
  private let height: Int
  private let attachments: BufferAttachments
  private let state: Locked<State>

  /// A ring of at most `capacity` buffers, each with `attachments` whenever it is handed out.
  init(format: OSType, width: Int, height: Int, capacity: Int, attachments: CFDictionary) {
    self.format = format
    self.width = width
    self.height = height
    state = Locked(State(capacity: capacity))
    self.attachments = BufferAttachments(propagating: attachments)
  }

  /// Lets the ring have so many buffers more; they are made when they are needed.
  func grow(by count: Int) { state.withLock { $0.capacity += count } }

  /// A free slot, or `nil` when clients hold all of them or there is no memory; one caller at a time.
  func take() -> Slot? {
    state.withLock({ $0.free.popLast() }) ?? makeSlot()
  }

  /// The picture in a slot that was taken; its last release gives the slot back.
  ///
  /// - Parameter late: Paints the slot; `nil` when it is painted.
  func picture(in slot: Slot, late: LatePixels? = nil) -> CVPixelBuffer {
    // The picture keeps its memory and this ring, whatever becomes of the stream.
    CVPixelBuffer.showing(slot.memory, lentBy: self, late: late)
  }

  private func makeSlot() -> Slot? {
    let (made, capacity) = state.withLock { ($0.slots.count, $0.capacity) }
    guard made < capacity else { return nil }
    // No memory: as if every buffer were out, which the stream reports; a later frame tries again.
    guard let pixels = try? CVPixelBuffer(format: format, width: width, height: height) else { return nil }
    let slot = Slot(pixels, attachments: attachments, tag: made)
    state.withLock { $0.slots.append(slot) }
    return slot
  }

  func pictureEnded(in memory: PictureMemory) {
    state.withLock { $0.free.append($0.slots[memory.tag]) }
  }
}
