internal import CoreVideo
internal import FoundationExtras
internal import Linux

/// A fixed set of picture buffers, as a driver has them: a client's last release gives a buffer back.
///
/// Neither taking nor giving back allocates more than the picture's own small object once each buffer has been used.
/// Thread-safe.
final class FrameRing: PictureOwner {
  /// One piece of picture memory; in the list while it is free, and shown by at most one picture.
  final class Slot: @unchecked Sendable {  // Safe because it has one owner at a time, the list or a picture.
    fileprivate let memory: PictureMemory
    private let pixels: CVPixelBuffer
    @exclusivity(unchecked) var isPainted = false
    /// The next one in the list.
    @exclusivity(unchecked) fileprivate var next: Slot?

    /// Shows the memory of `pixels`, which it keeps.
    fileprivate init(_ pixels: CVPixelBuffer, attachments: BufferAttachments, tag: Int) {
      self.pixels = pixels
      memory = PictureMemory(
        planes: pixels.planes, format: pixels.format, width: pixels.width, height: pixels.height,
        dataSize: pixels.dataSize, attachments: attachments, tag: tag)
    }
  }

  private struct State {
    var slots: [Slot] = []
    /// The first of the list of free ones, which is linked for the sake of how little code that takes.
    var free: Slot?
  }

  private let format: OSType
  private let width: Int
  private let height: Int
  private let capacity: Int
  private let attachments: BufferAttachments
  private let state = Locked(State())

  /// A ring of at most `capacity` buffers, each with `attachments` whenever it is handed out.
  init(format: OSType, width: Int, height: Int, capacity: Int, attachments: CFDictionary) {
    self.format = format
    self.width = width
    self.height = height
    self.capacity = capacity
    self.attachments = BufferAttachments(propagating: attachments)
  }

  /// A free buffer, or `nil` when clients hold all of them or there is no memory; one caller at a time.
  @inline(__always)
  func take() -> (buffer: CVPixelBuffer, slot: Slot)? {
    // The last one given back is the warmest in the caches.
    guard let slot = takeFree() ?? makeSlot() else { return nil }
    // The memory lives, and has somewhere to return to, whatever becomes of the stream.
    return (CVPixelBuffer.showing(slot.memory, lentBy: self), slot)
  }

  @inline(__always)
  private func takeFree() -> Slot? {
    state.withLock { state in
      guard let slot = state.free else { return nil }
      state.free = slot.next
      slot.next = nil
      return slot
    }
  }

  @inline(never)
  private func makeSlot() -> Slot? {
    let made = state.withLock { $0.slots.count }
    guard made < capacity else { return nil }
    // No memory: as if every buffer were out, which the stream reports; a later frame tries again.
    guard let pixels = try? CVPixelBuffer(format: format, width: width, height: height) else { return nil }
    let slot = Slot(pixels, attachments: attachments, tag: made)
    state.withLock { $0.slots.append(slot) }
    return slot
  }

  func pictureEnded(in memory: PictureMemory) {
    state.withLock { state in
      let slot = state.slots[memory.tag]
      slot.next = state.free
      state.free = slot
    }
  }
}
