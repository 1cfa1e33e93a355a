internal import CPrefetch

/// The memory that a thread touches each time it wakes, fetched at once instead of piece by piece.
///
/// After 33 ms of sleep hardly anything of the last frame is in the caches, and what waits for one line after the other waits
/// for each: an object's address is known only when the one before it has come. Asked for together, they come in the time of
/// a few. Nothing depends on a footprint but speed: what it names is never read, may be gone already, and may lack whatever
/// was forgotten.
package struct Footprint: Sendable {
  /// What C's `prefetch_stretches` takes: the address of the first line and how many there are, in one word.
  fileprivate private(set) var stretches: [UInt] = []

  /// Of nothing.
  package init() {}

  /// How many cache lines of 64 bytes it names, shared ones as often as they were added.
  package var lineCount: Int { stretches.reduce(0) { $0 + Int($1 & 63) } }

  /// The functions of the way of frames, which lie side by side.
  package static var framePath: Footprint {
    var footprint = Footprint()
    var size = 0
    if let start = frame_path_section(&size) { footprint.add(start, byteCount: size) }
    return footprint
  }

  /// Adds an object, up to `byteCount` of its bytes.
  ///
  /// Too many cost a few nanoseconds a line, too few the gain.
  package mutating func add(_ object: AnyObject, byteCount: Int = 64) {
    add(Unmanaged.passUnretained(object).toOpaque(), byteCount: byteCount)
  }

  /// Adds a value that has its lock.
  package mutating func add<Value>(_ locked: Locked<Value>) { addStorage(locked.storage) }

  /// Adds a value upon which threads wait.
  package mutating func add<Value>(_ monitor: Monitor<Value>) { addStorage(monitor.storage) }

  /// Adds a lock.
  package mutating func add(_ lock: Lock) { addStorage(lock.storage) }

  /// Adds all of another footprint.
  package mutating func add(_ other: Footprint) { stretches += other.stretches }

  private mutating func addStorage<Value>(_ storage: LockStorage<Value>) {
    let start = UnsafeRawPointer(Unmanaged.passUnretained(storage).toOpaque())
    add(start, byteCount: UnsafeRawPointer(storage.words) - start + LockWords.mutexOnly * 8)
  }

  private mutating func add(_ start: UnsafeRawPointer, byteCount: Int) {
    guard byteCount > 0 else { return }
    var line = UInt(bitPattern: start) & ~63
    var left = (UInt(bitPattern: start) + UInt(byteCount) - 1) / 64 - line / 64 + 1
    while left > 0 {
      let count = min(left, 63)
      stretches.append(line | count)
      line += count * 64
      left -= count
    }
  }
}

/// The footprints of those who have a part in the steps of a ``ThreadRelay``, side by side in memory; for the thread on duty,
/// which passes under the relay's lock.
final class FootprintList: @unchecked Sendable {  // Safe because only the thread on duty touches it.
  /// More than take part in any session; who has no part any more makes room.
  private static let limit = 16

  private var parts: [(owner: ObjectIdentifier, footprint: Footprint)] = []
  @exclusivity(unchecked) private var stretches: UnsafeMutableBufferPointer<UInt> = .allocate(capacity: 0)
  /// Whose part as a borrower was set last.
  @exclusivity(unchecked) var lastBorrower: ObjectIdentifier?
  private let first: Footprint

  /// - Parameter first: What is fetched first, and always.
  init(_ first: Footprint) {
    self.first = first
    lineUp()
  }

  deinit { stretches.deallocate() }

  /// Fetches everything; takes some ten nanoseconds a line, and waits for none.
  @inline(__always)
  func fetch() { prefetch_stretches(stretches.baseAddress, stretches.count) }

  /// Sets the part of `owner`, who may be gone when it is fetched.
  func set(_ footprint: Footprint, of owner: AnyObject) {
    let owner = ObjectIdentifier(owner)
    parts.removeAll { $0.owner == owner }
    if parts.count == Self.limit { parts.removeFirst() }
    parts.append((owner, footprint))
    lineUp()
  }

  @inline(__always)
  func isLastBorrower(_ borrower: AnyObject) -> Bool { lastBorrower == ObjectIdentifier(borrower) }

  private func lineUp() {
    // In the order of addresses, so that those of a page follow each other.
    let all = Set(first.stretches + parts.flatMap(\.footprint.stretches)).sorted()
    stretches.deallocate()
    stretches = .allocate(capacity: all.count)
    _ = stretches.initialize(from: all)
  }
}
