internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import Glibc
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
    /// How many copies clients hold.
    var copied = 0

    /// Whether one more buffer in a client's hands would leave the camera too few to go on with.
    var isShort: Bool { memories.count - lent.count - 1 < CameraReading.depth }
  }

  private struct State {
    var rings: [StreamUse: Ring] = [:]
    /// Wakes the reader when a buffer has come back.
    var wake: WakeUp?
  }

  private let state: Locked<State>

  /// The buffers that a session was granted; a stream whose pictures are not read here has none.
  ///
  /// - Throws: `ENOMEM` where this process cannot have their memory, `EINVAL` where it is too short for a picture.
  init(_ session: any CameraSession) throws(LibraryRefusal) {
    var rings: [StreamUse: Ring] = [:]
    for stream in session.streams {
      guard let layout = FrameLayout(stream) else { continue }
      let memories = (0..<stream.buffers).map { FrameMemory(session.planes(stream.use, $0)) }
      if memories.contains(where: \.planes.isEmpty) { throw LibraryRefusal(ENOMEM) }
      guard memories.allSatisfy(layout.fits) else { throw LibraryRefusal(EINVAL) }
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

  /// Whether the frames themselves are a sensor's numbers.
  var areMosaics: Bool { state.withLock { $0.rings[.view]?.layout.isMosaic ?? false } }

  /// How many pictures of a stream clients hold.
  func heldCount(_ use: StreamUse) -> Int {
    state.withLock { state in state.rings[use].map { $0.lent.count + $0.copied } ?? 0 }
  }

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
  ///
  /// Of a frame that would leave the camera too few buffers a copy, while its buffer is free again.
  func lend(
    _ filled: RequestCompletion.Filled, blackLevels: [Double]?, _ check: inout MotionJPEGCheck
  ) -> CapturedFrame.Picture? {
    let found = state.withLock { state -> (FrameLayout, FrameMemory, PictureMemory?, isShort: Bool)? in
      guard let ring = state.rings[filled.use], ring.memories.indices.contains(filled.index) else {
        return nil
      }
      // For stills it is the kept ones that make room.
      return (
        ring.layout, ring.memories[filled.index], ring.shown[filled.index],
        filled.use == .view && ring.isShort
      )
    }
    guard let (layout, memory, shown, isShort) = found else { return nil }
    memory.beginReading()
    var picture: CapturedFrame.Picture?
    if filled.isWhole, isShort {
      picture = FrameMemory(copying: memory).flatMap { copy in
        let loan = Loan(self, filled.use, nil, copy)
        return self.picture(layout, layout.shown(in: copy), loan, filled.used, blackLevels, &check)
      }
    } else if filled.isWhole {
      let loan = Loan(self, filled.use, filled.index, memory)
      picture = self.picture(layout, shown, loan, filled.used, blackLevels, &check)
    }
    if picture == nil || isShort {
      memory.endReading()
      putBack(filled.use, filled.index)
    }
    return picture
  }

  /// The picture in memory that is lent so; `nil` for one that is not whole.
  private func picture(
    _ layout: FrameLayout, _ shown: PictureMemory?, _ loan: Loan, _ used: Int, _ blackLevels: [Double]?,
    _ check: inout MotionJPEGCheck
  ) -> CapturedFrame.Picture? {
    if let shown {
      note(loan)
      return .pixels(.showing(shown, lentBy: loan))
    }
    guard let bytes = layout.bytes(in: loan.memory, used: used, &check) else { return nil }
    note(loan)
    return layout.picture(CMBlockBuffer(wrapping: bytes) { loan.end() }, blackLevels: blackLevels)
  }

  private func note(_ loan: Loan) {
    state.withLock { state in
      if let index = loan.index {
        _ = state.rings[loan.use]?.lent.insert(index)
      } else {
        state.rings[loan.use]?.copied += 1
      }
    }
  }

  fileprivate func takeBack(_ use: StreamUse, _ index: Int?) {
    let wake = state.withLock { state -> WakeUp? in
      guard let index else {
        state.rings[use]?.copied -= 1
        return nil
      }
      guard state.rings[use]?.lent.remove(index) != nil else { return nil }
      state.rings[use]?.free.append(index)
      return state.wake
    }
    wake?.signal()
  }
}

/// A picture in the hands of clients: its memory, and the way back.
private final class Loan: PictureOwner {
  private let buffers: FrameBuffers
  let use: StreamUse
  /// The buffer's; `nil` for a copy.
  let index: Int?
  let memory: FrameMemory

  init(_ buffers: FrameBuffers, _ use: StreamUse, _ index: Int?, _ memory: FrameMemory) {
    (self.buffers, self.use, self.index, self.memory) = (buffers, use, index, memory)
  }

  func end() {
    memory.endReading()
    buffers.takeBack(use, index)
  }

  func pictureEnded(in memory: PictureMemory) { end() }

  func exportMemory(_ memory: PictureMemory) throws -> Descriptor? { self.memory.exported() }
}
