internal import Glibc
internal import Linux

/// Memory of the driver's that this process sees; unmapped with the last reference.
final class MappedMemory: @unchecked Sendable {  // Safe because only a buffer's holder writes.
  let bytes: UnsafeMutableRawBufferPointer
  private let kernel: any VideoKernel

  init(_ bytes: UnsafeMutableRawBufferPointer, _ kernel: any VideoKernel) {
    self.bytes = bytes
    self.kernel = kernel
  }

  deinit {
    kernel.unmapBuffer(bytes)
  }
}

/// The buffers of one open device: where each of them is, and the way back to the driver.
///
/// Thread-safe: frames are released on any thread. No call to the kernel is made under the lock, so that a driver that
/// hangs in one blocks no other thread. Closes the device when it goes; memory that clients hold outlives it.
final class BufferRing: Sendable {
  /// How many buffers stay with the driver when clients hold all of theirs, so that it goes on counting frames.
  static let reserve = 2

  private enum Slot {
    /// Ours.
    case idle
    /// On its way to the driver.
    case returning
    case withDriver
    /// Ours or a client's, filled.
    case filled
  }

  private struct State {
    var slots: [Slot]
    /// Empty once the device is closed.
    var memories: [MappedMemory]
    /// Whether buffers that come back go to the driver.
    var isOpen = false
    /// Whether the device is closed, and its descriptor may be another file's.
    var isClosed = false
    var wasStarted = false
    /// Whether the driver has been without any buffer since this was last asked.
    var ranDry = false
    var refusedReturns = 0
    /// How many calls are under way that share a buffer's memory.
    var exports = 0
  }

  let kernel: any VideoKernel
  let handle: VideoHandle
  /// What to wait for before an unplugged device is closed; `nil` where that makes no difference.
  let removal: DeviceRemoval?
  /// How many filled buffers may be out at once.
  let limit: Int
  /// How many buffers there are.
  let count: Int
  private let state: Monitor<State>

  /// Takes over an open device; asks for room for `count` frames with clients, and closes the device on failure.
  init(
    _ kernel: any VideoKernel, _ handle: VideoHandle, count: Int, removal: DeviceRemoval?
  ) throws(KernelRefusal) {
    var memories: [MappedMemory] = []
    do throws(KernelRefusal) {
      let granted = try kernel.requestBuffers(handle, count: min(max(count, 1) + Self.reserve, 32))
      // With one buffer a driver has nothing to fill while it is read.
      if granted < 2 { throw KernelRefusal(.requestBuffers, ENOMEM) }
      for index in 0..<granted {
        memories.append(MappedMemory(try kernel.mapBuffer(handle, index), kernel))
      }
    } catch {
      kernel.close(handle)
      throw error
    }
    self.kernel = kernel
    self.handle = handle
    self.removal = removal
    self.count = memories.count
    limit = max(1, min(count, memories.count - Self.reserve))
    state = Monitor(State(slots: Array(repeating: .idle, count: memories.count), memories: memories))
  }

  deinit {
    closeDevice()
  }

  /// Closes the device now, so that others can open it, unless a call on behalf of a client is under way: then the device is
  /// closed with the ring.
  ///
  /// Nothing may be asked of the ring afterwards but ``giveBack(_:)``. Buffers that clients hold keep their memory.
  func closeDevice() {
    let (mayClose, memories) = state.withLock { state -> (Bool, [MappedMemory]) in
      state.isOpen = false
      if state.isClosed || state.exports > 0 || state.slots.contains(.returning) { return (false, []) }
      state.isClosed = true
      defer { state.memories = [] }
      return (true, state.memories)
    }
    guard mayClose else { return }
    // A mapping keeps a closed file alive and the device busy, so the buffers are given up by name first. Kernels
    // before 5.0 refuse that while clients hold some; with those the device stays busy until they release them.
    _ = try? kernel.requestBuffers(handle, count: 0)
    withExtendedLifetime(memories) {}
    kernel.close(handle)
  }

  /// A descriptor of a buffer's memory for other devices; `nil` when the device is closed.
  ///
  /// Any thread.
  func export(_ index: Int) throws(KernelRefusal) -> Descriptor? {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.exports += 1 }
      return !state.isClosed
    }
    guard isOpen else { return nil }
    defer { state.withLock { $0.exports -= 1 } }
    return try kernel.exportBuffer(handle, index)
  }

  /// A buffer's memory.
  func memory(_ index: Int) -> MappedMemory {
    state.withLock { $0.memories[index] }
  }

  /// How many buffers are out of the driver's hands with a picture.
  var filledCount: Int {
    state.withLock { $0.slots.count { $0 == .filled } }
  }

  /// Whether the driver has no buffer to fill.
  var isDry: Bool {
    state.withLock { state in !state.slots.contains { $0 == .withDriver || $0 == .returning } }
  }

  /// How often the driver refused a buffer that came back.
  var refusedReturns: Int {
    state.withLock { $0.refusedReturns }
  }

  /// Whether the driver has been without any buffer since the last call.
  func takeDryness() -> Bool {
    state.withLock { state in
      defer { state.ranDry = false }
      return state.ranDry
    }
  }

  /// Gives the driver every buffer that no client holds, and starts the stream.
  func start() throws(KernelRefusal) {
    // A buffer that came back while the last stream ended may have been queued after its end.
    if state.withLock({ $0.wasStarted }) { try kernel.streamOff(handle) }
    let settled: Void? = state.wait(until: .now.advanced(byNanoseconds: 500_000_000)) { state in
      !state.slots.contains(.returning)
    } then: { state in
      for index in state.slots.indices where state.slots[index] == .withDriver { state.slots[index] = .idle }
      state.isOpen = true
      state.wasStarted = true
      state.ranDry = false
    }
    if settled == nil { throw KernelRefusal(.enqueue, ETIMEDOUT) }
    do throws(KernelRefusal) {
      for index in idle { try give(index) }
      try kernel.streamOn(handle)
    } catch {
      try? kernel.streamOff(handle)
      close()
      throw error
    }
  }

  /// Ends the stream; what comes back from now on stays here.
  func stop() throws(KernelRefusal) {
    state.withLock { $0.isOpen = false }
    defer { close() }
    try kernel.streamOff(handle)
  }

  private func close() {
    state.withLock { state in
      state.isOpen = false
      for index in state.slots.indices where state.slots[index] == .withDriver { state.slots[index] = .idle }
    }
  }

  /// Takes the oldest filled buffer; `nil` when there is none yet.
  ///
  /// It must come back through ``giveBack(_:)``.
  func take() throws(KernelRefusal) -> FilledBuffer? {
    guard let buffer = try kernel.dequeue(handle) else { return nil }
    guard (0..<count).contains(buffer.index) else { throw KernelRefusal(.dequeue, EIO) }
    state.withLock { state in
      state.slots[buffer.index] = .filled
      if !state.slots.contains(where: { $0 == .withDriver || $0 == .returning }) { state.ranDry = true }
    }
    return buffer
  }

  /// Gives a buffer back to the driver, or keeps it when the stream is over; any thread.
  func giveBack(_ index: Int) {
    state.withLock { $0.slots[index] = .idle }
    // The driver will be asked again with the next frame, and the count shows in the stream's diagnosis.
    do throws(KernelRefusal) { try give(index) } catch { state.withLock { $0.refusedReturns += 1 } }
  }

  /// Tries again with buffers that the driver refused.
  func retryRefused() {
    for index in idle { giveBack(index) }
  }

  private var idle: [Int] {
    state.withLock { state in state.slots.indices.filter { state.slots[$0] == .idle } }
  }

  private func give(_ index: Int) throws(KernelRefusal) {
    let isMine = state.withLock { state in
      guard state.isOpen, state.slots[index] == .idle else { return false }
      state.slots[index] = .returning
      return true
    }
    guard isMine else { return }
    do throws(KernelRefusal) {
      try kernel.enqueue(handle, index)
      // A fast driver may have filled it, and the reader taken it, before this line.
      state.withLock { state in if state.slots[index] == .returning { state.slots[index] = .withDriver } }
    } catch {
      state.withLock { state in if state.slots[index] == .returning { state.slots[index] = .idle } }
      throw error
    }
  }
}
