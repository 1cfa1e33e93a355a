internal import CPipeWire
internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import Linux

/// The buffers of one run: which of them clients hold, and the way back to their source.
///
/// Thread-safe: pictures end on any thread.
final class StreamBuffers: Sendable {
  private struct State {
    /// `nil` before the stream begins and once it has ended: what comes back then stays here.
    var stream: OpaquePointer?
    var memories: [Int: BufferMemory] = [:]
    /// Those that clients hold.
    var lent: [Int: BufferMemory] = [:]
    var copied = 0
  }

  private let state = Locked(State())

  func begin(_ stream: OpaquePointer) { state.withLock { $0.stream = stream } }

  /// Nothing is given back from now on; what clients hold becomes this process's own, before the source writes to it again.
  func end() {
    let (former, lent) = state.withLock { state in
      state.stream = nil
      defer { state.memories = [:] }
      return (state.memories, state.lent)
    }
    for memory in lent.values { memory.detach() }
    withExtendedLifetime(former) {}
  }

  /// The number of pictures that clients hold.
  var heldCount: Int { state.withLock { $0.lent.count + $0.copied } }

  /// Whether one more buffer in a client's hands would leave the source too few to go on with.
  var isShort: Bool { state.withLock { $0.memories.count - $0.lent.count - 1 < PipeWireReading.reserve } }

  /// Notes a buffer; whether its memory can be used.
  func add(_ index: Int, _ told: cam_video_memory) -> Bool {
    let memory = BufferMemory(told)
    let former = state.withLock { state in
      defer { state.memories[index] = memory }
      return state.memories[index]
    }
    withExtendedLifetime(former) {}
    return !memory.blocks.isEmpty
  }

  func forget(_ index: Int) {
    let former = state.withLock { $0.memories.removeValue(forKey: index) }
    withExtendedLifetime(former) {}
  }

  func memory(_ index: Int) -> BufferMemory? { state.withLock { $0.memories[index] } }

  /// The picture in a buffer's own memory, which goes back when its last reference goes; `nil` never.
  func lend(_ index: Int, _ place: PlacedPicture, _ memory: BufferMemory) -> CapturedFrame.Picture? {
    state.withLock { $0.lent[index] = memory }
    memory.beginReading()
    switch place {
    case .pixels:
      let owner = LentPicture(memory) { [self] in giveBack(index, memory) }
      return place.memory(in: memory).map { .pixels(.showing($0, lentBy: owner)) }
    case .jpeg(let range, let size):
      let bytes = UnsafeMutableRawBufferPointer(rebasing: memory.blocks[0][range])
      return .jpeg(CMBlockBuffer(wrapping: bytes) { [self] in giveBack(index, memory) }, size)
    }
  }

  /// A copy of the picture in a buffer; `nil` without memory.
  func copy(_ place: PlacedPicture, of memory: BufferMemory) -> CapturedFrame.Picture? {
    memory.beginReading()
    defer { memory.endReading() }
    guard let copy = BufferMemory(copying: memory) else { return nil }
    let ended = beginCopy()
    switch place {
    case .pixels:
      return place.memory(in: copy).map { .pixels(.showing($0, lentBy: LentPicture(copy, ended))) }
    case .jpeg(let range, let size):
      let bytes = UnsafeMutableRawBufferPointer(rebasing: copy.blocks[0][range])
      return .jpeg(
        CMBlockBuffer(wrapping: bytes) {
          withExtendedLifetime(copy) {}
          ended()
        }, size)
    }
  }

  /// Counts a picture that was copied out of a buffer among those that clients hold; returns what is called at its end.
  func beginCopy() -> @Sendable () -> Void {
    state.withLock { $0.copied += 1 }
    return { [self] in state.withLock { $0.copied -= 1 } }
  }

  private func giveBack(_ index: Int, _ memory: BufferMemory) {
    memory.endReading()
    state.withLock { state in
      state.lent[index] = nil
      // Only notes it, and wakes the stream's thread.
      if let stream = state.stream { cam_pipewire_stream_return(stream, UInt32(index)) }
    }
  }
}

/// The owner of a picture in a buffer's memory.
private final class LentPicture: PictureOwner {
  private let memory: BufferMemory
  private let ended: @Sendable () -> Void

  init(_ memory: BufferMemory, _ ended: @escaping @Sendable () -> Void) {
    self.memory = memory
    self.ended = ended
  }

  func pictureEnded(in memory: PictureMemory) { ended() }

  func exportMemory(_ memory: PictureMemory) throws -> Descriptor? { self.memory.exported() }
}
