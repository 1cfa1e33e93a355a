internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import Linux
internal import StreamParts

/// The buffers of an open camera: which are free, with the camera, or with clients.
///
/// Thread-safe: pictures end on any thread.
final class FrameBuffers: Sendable {
  /// The buffers of one stream.
  private struct Ring {
    let layout: FrameLayout
    let memories: [FrameMemory]
    let shown: [PictureMemory?]
    var free: [Int]
    var lent: Set<Int> = []
  }

  private struct State {
    var rings: [StreamUse: Ring] = [:]
    /// Wakes the reader when a buffer has come back.
    var wake: WakeUp?
  }

  private let state: Locked<State>

  /// The buffers that a session was granted; a stream whose pictures are not read here has none.
  init(_ session: any CameraSession) {
    var rings: [StreamUse: Ring] = [:]
    for stream in session.streams {
      guard let layout = FrameLayout(stream) else { continue }
      let memories = (0..<stream.buffers).map { FrameMemory(session.planes(stream.use, $0)) }
      rings[stream.use] = Ring(
        layout: layout, memories: memories, shown: memories.map { layout.shown(in: $0) },
        free: Array(memories.indices))
    }
    state = Locked(State(rings: rings))
  }

  /// Begins a run: all buffers that clients do not hold are free.
  func begin(_ wake: WakeUp?) {
    state.withLock { state in
      state.wake = wake
      for use in state.rings.keys {
        guard let ring = state.rings[use] else { continue }
        state.rings[use]?.free = ring.memories.indices.filter { !ring.lent.contains($0) }
      }
    }
  }

  /// Ends them with their stream; each that clients hold keeps its own memory.
  func end() {
    let former = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(former) {}
  }

  func has(_ use: StreamUse) -> Bool { state.withLock { $0.rings[use] != nil } }

  /// How many buffers of a stream clients hold.
  func lentCount(_ use: StreamUse) -> Int { state.withLock { $0.rings[use]?.lent.count ?? 0 } }

  /// Takes a free buffer for a request; `nil` when none is left.
  func take(_ use: StreamUse) -> Int? {
    state.withLock { state in
      state.rings[use]?.free.isEmpty == false ? state.rings[use]?.free.removeFirst() : nil
    }
  }

  /// Puts a buffer back that holds nothing that is wanted.
  func putBack(_ use: StreamUse, _ index: Int) {
    state.withLock { $0.rings[use]?.free.append(index) }
  }

  /// The picture in a buffer, which comes back when its last reference goes; `nil` for one that is not whole, whose buffer is free again.
  func lend(
    _ filled: RequestCompletion.Filled, blackLevels: [Double]?, _ check: inout MotionJPEGCheck
  ) -> CapturedFrame.Picture? {
    let found = state.withLock { state -> (FrameLayout, FrameMemory, PictureMemory?)? in
      guard let ring = state.rings[filled.use], ring.memories.indices.contains(filled.index) else {
        return nil
      }
      return (ring.layout, ring.memories[filled.index], ring.shown[filled.index])
    }
    guard let (layout, memory, shown) = found else { return nil }
    memory.beginReading()
    if let shown, filled.isWhole {
      note(filled)
      return .pixels(.showing(shown, lentBy: Loan(self, filled.use, filled.index, memory)))
    }
    if filled.isWhole, let bytes = layout.bytes(in: memory, used: filled.used, &check) {
      note(filled)
      let loan = Loan(self, filled.use, filled.index, memory)
      return layout.picture(CMBlockBuffer(wrapping: bytes) { loan.end() }, blackLevels: blackLevels)
    }
    memory.endReading()
    putBack(filled.use, filled.index)
    return nil
  }

  private func note(_ filled: RequestCompletion.Filled) {
    state.withLock { _ = $0.rings[filled.use]?.lent.insert(filled.index) }
  }

  fileprivate func takeBack(_ use: StreamUse, _ index: Int) {
    let wake = state.withLock { state -> WakeUp? in
      guard state.rings[use]?.lent.remove(index) != nil else { return nil }
      state.rings[use]?.free.append(index)
      return state.wake
    }
    wake?.signal()
  }
}

/// A buffer in the hands of clients: its memory, and the way back.
private final class Loan: PictureOwner {
  private let buffers: FrameBuffers
  private let use: StreamUse
  private let index: Int
  private let memory: FrameMemory

  init(_ buffers: FrameBuffers, _ use: StreamUse, _ index: Int, _ memory: FrameMemory) {
    (self.buffers, self.use, self.index, self.memory) = (buffers, use, index, memory)
  }

  func end() {
    memory.endReading()
    buffers.takeBack(use, index)
  }

  func pictureEnded(in memory: PictureMemory) { end() }

  func exportMemory(_ memory: PictureMemory) throws -> Descriptor? { self.memory.exported() }
}
