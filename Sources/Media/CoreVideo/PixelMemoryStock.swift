internal import Linux

/// The memory of a pool: blocks of one size, lent out and taken back.
///
/// Unused blocks wait in a stack, so that the block that was used last, and is still in the processor's caches, is lent
/// first, and blocks that a quieter time does not need grow old at the bottom. Thread-safe.
final class PixelMemoryStock: Sendable {
  /// A block with its planes worked out, so that lending allocates nothing.
  final class Block: Sendable {
    let memory: PageMemory
    let planes: [PixelPlane]

    init(_ memory: PageMemory, _ planes: [PixelPlane]) {
      self.memory = memory
      self.planes = planes
    }
  }

  /// The count of a stock's blocks.
  struct Count: Sendable, Hashable {
    /// Used and unused.
    var all: Int
    var unused: Int
  }

  private struct Unused {
    let block: Block
    let since: MonotonicInstant
  }

  private struct State {
    /// Oldest first.
    var unused: [Unused] = []
    var all = 0
    var isClosed = false
    /// Whether a request was refused since the last block came back.
    var isAwaited = false
  }

  let geometry: PixelBufferGeometry
  private let minimumCount: Int
  /// `nil` keeps unused blocks for ever.
  private let maximumAgeNanoseconds: Int64?
  private let now: @Sendable () -> MonotonicInstant
  private let state = Locked(State())

  init(
    _ geometry: PixelBufferGeometry, minimumCount: Int, maximumAgeNanoseconds: Int64?,
    now: @escaping @Sendable () -> MonotonicInstant
  ) {
    self.geometry = geometry
    self.minimumCount = minimumCount
    self.maximumAgeNanoseconds = maximumAgeNanoseconds
    self.now = now
  }

  var count: Count {
    state.withLock { Count(all: $0.all, unused: $0.unused.count) }
  }

  /// Lends a block: the one that came back last, else a new one.
  ///
  /// - Parameter limit: How many blocks there may be for a new one to be made.
  /// - Throws: ``PixelBufferError``: threshold reached or no memory.
  func borrow(limit: Int) throws(PixelBufferError) -> Block {
    let time = now()
    var old: [Unused] = []
    let block: Block? = try state.withLock { state throws(PixelBufferError) in
      let newest = state.unused.popLast()?.block
      old = takeOld(from: &state, at: time)
      if newest == nil {
        guard state.all < limit else {
          state.isAwaited = true
          throw PixelBufferError(kCVReturnWouldExceedAllocationThreshold)
        }
        state.all += 1
      }
      return newest
    }
    withExtendedLifetime(old) {}
    if let block { return block }
    do {
      let memory = try geometry.allocate()
      return Block(memory, geometry.planes(at: memory.base))
    } catch {
      state.withLock { $0.all -= 1 }
      throw error
    }
  }

  /// Takes a block back.
  ///
  /// - Returns: Whether a refused request waits for it.
  func takeBack(_ block: Block) -> Bool {
    let time = now()
    // Blocks leave after the lock is left, because unmapping memory is slow.
    var old: [Unused] = []
    let isAwaited = state.withLock { state in
      guard !state.isClosed else {
        state.all -= 1
        return false
      }
      state.unused.append(Unused(block: block, since: time))
      old = takeOld(from: &state, at: time)
      defer { state.isAwaited = false }
      return state.isAwaited
    }
    withExtendedLifetime(old) {}
    return isAwaited
  }

  /// Gives all unused blocks back to the kernel, or only the old ones.
  func flush(all: Bool) {
    let time = now()
    let gone = state.withLock { state in
      guard all else { return takeOld(from: &state, at: time) }
      state.all -= state.unused.count
      defer { state.unused = [] }
      return state.unused
    }
    withExtendedLifetime(gone) {}
  }

  /// Gives back what is unused, and from now on what comes back.
  func close() {
    state.withLock { $0.isClosed = true }
    flush(all: true)
  }

  private func takeOld(from state: inout State, at time: MonotonicInstant) -> [Unused] {
    guard let maximumAgeNanoseconds else { return [] }
    var count = 0
    while count < state.unused.count, state.all - count > minimumCount,
      time.nanoseconds - state.unused[count].since.nanoseconds > maximumAgeNanoseconds
    {
      count += 1
    }
    guard count > 0 else { return [] }
    let old = Array(state.unused.prefix(count))
    state.unused.removeFirst(count)
    state.all -= count
    return old
  }
}
