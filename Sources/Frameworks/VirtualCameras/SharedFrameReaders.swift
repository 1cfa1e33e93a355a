internal import CFrameRings
internal import Glibc
package import Linux

/// The programs that read a ring, and what they are sent; thread-safe.
package final class SharedFrameReaders: Sendable {
  private struct Reader {
    let socket: Descriptor
    /// The memory that it has, by its generation; 0 for none.
    var generation: UInt64 = 0

    /// Sends it the memory where it has not got it, for the frames after one: 0, or C's error.
    mutating func give(_ memory: SharedFrameMemory, after sequence: UInt64) -> Int32 {
      if generation == memory.generation { return 0 }
      let error = memory.sendHello(to: socket, after: sequence)
      if error == 0 { generation = memory.generation }
      return error
    }

    /// Tells it of a frame: 0, or C's error.
    mutating func tell(of sequence: UInt64, in memory: SharedFrameMemory) -> Int32 {
      let error = give(memory, after: sequence - 1)
      return error == 0 ? memory.sendNews(of: sequence, to: socket) : error
    }
  }

  private struct State {
    var readers: [Reader] = []
    /// What the newest frames lie in; `nil` while no program reads.
    var memory: SharedFrameMemory?
    /// How many memories there were.
    var generations: UInt64 = 0
    /// The newest frame that readers were told of.
    var newest: UInt64 = 0
    var untoldFrames = 0
  }

  private let state = Locked(State())

  /// No programs.
  package init() {}

  /// How many programs read.
  var count: Int { state.withLock { $0.readers.count } }

  /// How many frames readers were not told of, all of them together.
  var untoldFrames: Int { state.withLock { $0.untoldFrames } }

  /// The memory for frames of a size, which is made where there is another, or none; `nil` while no program reads.
  func memory(name: String, width: Int, height: Int, slotCount: Int) throws(SharedFrameProblem)
    -> SharedFrameMemory?
  {
    let (present, generation) = state.withLock { state -> (SharedFrameMemory?, UInt64) in
      guard !state.readers.isEmpty else { return (nil, 0) }
      if let memory = state.memory, (memory.width, memory.height) == (width, height) { return (memory, 0) }
      state.generations += 1
      return (nil, state.generations)
    }
    guard generation > 0 else { return present }
    let made = try SharedFrameMemory(
      name: name, width: width, height: height, slotCount: slotCount, generation: generation)
    let (former, isWanted) = state.withLock { state -> (SharedFrameMemory?, Bool) in
      guard !state.readers.isEmpty else { return (nil, false) }
      defer { state.memory = made }
      return (state.memory, true)
    }
    // A reader that is late must not take the last frame of before for the newest.
    former?.retire()
    return isWanted ? made : nil
  }

  /// Tells all readers of a frame; one whose queue is full is not told of it, and finds it when it empties that.
  func tell(of sequence: UInt64, in memory: SharedFrameMemory) {
    state.withLock { state in
      // The last reader of this memory has gone meanwhile.
      guard state.memory === memory else { return }
      for index in state.readers.indices {
        // One that has hung up did not leave its messages.
        if state.readers[index].tell(of: sequence, in: memory) == EAGAIN { state.untoldFrames += 1 }
      }
      state.newest = sequence
    }
  }

  /// Takes readers that connect, and lets those go that hang up, until it is told to stop.
  ///
  /// - Parameters:
  ///   - pause: Waits a little: a connection cannot be taken, for want of descriptors or memory, and is reported as long as it waits.
  ///   - report: Called when their number has changed.
  package func serve(
    _ listener: Descriptor, until stop: WakeUp, pausing pause: () -> Void, _ report: (Int) -> Void
  ) {
    var spare = cam_ring_spare()
    defer { if spare >= 0 { close(spare) } }
    var reported = 0
    while serveOnce(listener, until: stop, &spare, pause) {
      // By then the sockets of those who left are closed.
      guard count != reported else { continue }
      reported = count
      report(reported)
    }
  }

  /// Waits for the next reader that comes or goes; `false` when it is told to stop.
  private func serveOnce(
    _ listener: Descriptor, until stop: WakeUp, _ spare: inout Int32, _ pause: () -> Void
  ) -> Bool {
    let sockets = sockets
    guard let ready = stop.wait(forAnyOf: [listener] + sockets) else { return false }
    // A reader sends nothing: what is to be read of it is its end.
    remove(ready.filter { $0 > 0 }.map { sockets[$0 - 1] })
    if ready.contains(0), !takeConnections(of: listener, &spare) { pause() }
    return true
  }

  /// Hangs up on all readers.
  func end() { remove(sockets) }

  private var sockets: [Descriptor] { state.withLock { $0.readers.map(\.socket) } }

  /// Takes the connections that wait; `false` when one cannot be taken and still waits.
  private func takeConnections(of listener: Descriptor, _ spare: inout Int32) -> Bool {
    while true {
      let number = cam_ring_accept(listener.number, &spare)
      if number >= 0 {
        add(Reader(socket: Descriptor(adopting: number)))
      } else if -number != EINTR, -number != ECONNABORTED {
        return -number == EAGAIN
      }
    }
  }

  private func add(_ reader: Reader) {
    state.withLock { state in
      state.readers.append(reader)
      // One that takes no hello yet gets it with the next frame.
      guard let memory = state.memory else { return }
      _ = state.readers[state.readers.count - 1].give(memory, after: state.newest)
    }
  }

  private func remove(_ gone: [Descriptor]) {
    let numbers = Set(gone.map(\.number))
    let memory = state.withLock { state -> SharedFrameMemory? in
      state.readers.removeAll { numbers.contains($0.socket.number) }
      guard state.readers.isEmpty else { return nil }
      defer { state.memory = nil }
      return state.memory
    }
    // Sockets and memory go here, outside the lock.
    withExtendedLifetime((gone, memory)) {}
  }
}
