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
  /// The buffers that stay with the driver when clients hold all of theirs, so that it goes on counting frames.
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
    /// The most filled buffers that may be out at once.
    var limit: Int
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
    /// The number of calls under way that share a buffer's memory.
    var exports = 0
  }

  let kernel: any VideoKernel
  let handle: VideoHandle
  /// The removal to wait for before an unplugged device is closed; `nil` where that makes no difference.
  let removal: DeviceRemoval?
  private let state: Monitor<State>

  /// The most buffers of a queue, as the kernel has it.
  private static let most = 32

  /// Takes over an open device; asks for room for `count` frames with clients, and closes the device on failure.
  ///
  /// - Parameter later: Room for how many more ``add(_:)`` will be asked for; a driver that adds none is asked for it now, and
  ///   this is 0 afterwards.
  init(
    _ kernel: any VideoKernel, _ handle: VideoHandle, count: Int, later: inout Int, removal: DeviceRemoval?
  ) throws(KernelRefusal) {
    var count = count
    var memories: [MappedMemory] = []
    do throws(KernelRefusal) {
      var granted = try kernel.requestBuffers(handle, count: min(max(count, 1) + Self.reserve, Self.most))
      if later > 0, (try? kernel.addBuffers(handle, count: 0)) == nil {
        count += later
        later = 0
        granted = try kernel.requestBuffers(handle, count: min(max(count, 1) + Self.reserve, Self.most))
      }
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
    state = Monitor(
      State(
        limit: max(1, min(count, memories.count - Self.reserve)),
        slots: Array(repeating: .idle, count: memories.count), memories: memories))
  }

  /// The most filled buffers that may be out at once.
  var limit: Int { state.withLock { $0.limit } }

  /// The number of buffers.
  var count: Int { state.withLock { $0.slots.count } }

  /// Adds room for `count` frames more with clients, while the device streams or not; returns how many there is room for then.
  ///
  /// Blocks as long as the driver does to find the memory. A driver that refuses adds none.
  func add(_ count: Int) -> Int {
    // Until then the device is not closed.
    let isOpen = state.withLock { state in
      if !state.isClosed { state.exports += 1 }
      return !state.isClosed
    }
    guard isOpen else { return limit }
    defer { state.withLock { $0.exports -= 1 } }
    let (present, wanted) = state.withLock { ($0.slots.count, min(count, Self.most - $0.slots.count)) }
    guard wanted > 0, let granted = try? kernel.addBuffers(handle, count: wanted) else { return limit }
    // Another numbering than ours would be another ring.
    guard granted.lowerBound == present else { return limit }
    var memories: [MappedMemory] = []
    for index in granted {
      guard let memory = try? kernel.mapBuffer(handle, index) else { break }
      memories.append(MappedMemory(memory, kernel))
    }
    let limit = state.withLock { state in
      state.memories += memories
      state.slots += Array(repeating: .idle, count: memories.count)
      state.limit += memories.count
      return state.limit
    }
    // One that the driver refuses is tried again with the next frame.
    for index in present..<present + memories.count { try? give(index) }
    return limit
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

  /// The number of buffers that are out of the driver's hands with a picture.
  var filledCount: Int {
    state.withLock { $0.slots.count { $0 == .filled } }
  }

  /// Whether the driver has no buffer to fill.
  var isDry: Bool {
    state.withLock { state in !state.slots.contains { $0 == .withDriver || $0 == .returning } }
  }

  /// Times that the driver refused a buffer that came back.
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
