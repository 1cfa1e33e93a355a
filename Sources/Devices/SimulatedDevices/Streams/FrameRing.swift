internal import CoreVideo
internal import FoundationExtras
internal import Linux

/// A fixed set of picture buffers, as a driver has them: a client's last release gives a buffer back.
///
/// Neither taking nor giving back allocates pixel memory once each buffer has been used. Thread-safe.
final class FrameRing: @unchecked Sendable {  // Safe: attachments never change, the rest is locked.
  /// One piece of picture memory, and how often it has been handed out.
  final class Slot: @unchecked Sendable {  // Safe: one owner at a time, the list or a buffer.
    let memory: CVPixelBuffer
    var isPainted = false

    init(memory: CVPixelBuffer) {
      self.memory = memory
    }
  }

  private struct State {
    var free: [Slot] = []
    var made = 0
  }

  private let format: OSType
  private let width: Int
  private let height: Int
  private let capacity: Int
  private let attachments: CFDictionary
  private let state = Locked(State())

  /// A ring of at most `capacity` buffers, each with `attachments` whenever it is handed out.
  init(format: OSType, width: Int, height: Int, capacity: Int, attachments: CFDictionary) {
    self.format = format
    self.width = width
    self.height = height
    self.capacity = capacity
    self.attachments = attachments
    state.withLock { $0.free.reserveCapacity(capacity) }
  }

  /// A free buffer, or `nil` when clients hold all of them or there is no memory.
  func take() -> (buffer: CVPixelBuffer, slot: Slot)? {
    let found = state.withLock { state -> (slot: Slot?, mayMake: Bool) in
      // The last one given back is the warmest in the caches.
      if let slot = state.free.popLast() { return (slot, false) }
      guard state.made < capacity else { return (nil, false) }
      state.made += 1
      return (nil, true)
    }
    guard let slot = found.slot ?? (found.mayMake ? makeSlot() : nil) else { return nil }
    let buffer = CVPixelBuffer(
      wrapping: slot.memory.planes, format: format, width: width, height: height,
      dataSize: slot.memory.dataSize,
      attachments: attachments, release: { [self] in giveBack(slot) })
    return (buffer, slot)
  }

  private func makeSlot() -> Slot? {
    do {
      return Slot(memory: try CVPixelBuffer(format: format, width: width, height: height))
    } catch {
      // No memory: as if every buffer were out, which the stream reports; a later frame tries again.
      state.withLock { $0.made -= 1 }
      return nil
    }
  }

  private func giveBack(_ slot: Slot) {
    state.withLock { $0.free.append(slot) }
  }
}
