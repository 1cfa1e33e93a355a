public import Foundation
internal import Glibc
internal import Linux

/// A disk that is full, slow or broken when a test says so: what Obscura writes goes through it as long as it is installed.
///
/// ```swift
/// let disk = SimulatedDisk.install(.isFull(after: 100_000))
/// defer { disk.uninstall() }
/// ```
///
/// Recordings, photos, the photo library, deferred photos and settings are written by way of it; files that a program writes by
/// itself are not. One is installed at a time, for the whole process: tests with one run one after another. Thread-safe.
public final class SimulatedDisk: Sendable {
  private struct State {
    var fault: DiskFault?
    var operations: [DiskOperation] = []
    var counts: [DiskOperation: Int] = [:]
    var written = 0
    var hasFailed = false
    var power: PowerModel?

    /// Notes from now on what would be lost, where the fault loses any.
    mutating func watch() {
      switch fault {
      case .losesPower(_, let seed): power = PowerModel(seed: seed)
      case .fails(.close, _, _): power = PowerModel(seed: 0)
      default: power = nil
      }
    }
  }

  /// The status with which a process ends that dies or loses its power here.
  public static let exitStatus: Int32 = 86

  private let folder: String?
  private let state: Locked<State>

  private init(_ fault: DiskFault?, folder: String?) {
    var state = State(fault: fault)
    state.watch()
    self.folder = folder
    self.state = Locked(state)
  }

  /// Puts a disk with a fault in the place of the machine's, at once and for all threads.
  ///
  /// - Parameters:
  ///   - fault: The fault; `nil` only counts the calls.
  ///   - folder: Where the disk is; `nil` for all files.
  @discardableResult
  public static func install(_ fault: DiskFault?, in folder: URL? = nil) -> SimulatedDisk {
    let disk = SimulatedDisk(fault, folder: folder.map { AtomicFile.target(of: $0.path) ?? $0.path })
    Disk.setWatch { [disk] in disk.answer($0) }
    return disk
  }

  /// Puts the machine's own disk back.
  public func uninstall() { Disk.setWatch(nil) }

  /// Takes the fault away, as when room is made on a full disk, or sets another; calls are counted on.
  public func setFault(_ fault: DiskFault?) {
    state.withLock { state in
      state.fault = fault
      state.watch()
    }
  }

  /// The calls so far, in order.
  public var operations: [DiskOperation] { state.withLock { $0.operations } }

  /// Bytes that were written so far.
  public var writtenBytes: Int { state.withLock { $0.written } }

  /// Whether a call has met the fault: failed, or taken its time.
  public var hasFailed: Bool { state.withLock { $0.hasFailed } }

  // MARK: Answers

  private func answer(_ call: DiskCall) -> Int {
    guard isHere(call) else { return call.perform() }
    // Not under the lock: others are slow beside it.
    if case .isSlow(let duration) = state.withLock({ $0.fault }) {
      usleep(UInt32(min(duration / .microseconds(1), 1e9)))
      state.withLock { $0.hasFailed = true }
    }
    // One after another, so that what is noted has the order in which it happened.
    return state.withLock { state in Self.answer(call, &state) }
  }

  private static func answer(_ call: DiskCall, _ state: inout State) -> Int {
    let operation = DiskOperation(call)
    state.operations.append(operation)
    state.counts[operation, default: 0] += 1
    switch state.fault {
    case .dies(let number) where state.operations.count >= number: _exit(exitStatus)
    case .losesPower(let number, _) where state.operations.count >= number:
      state.power?.fail()
      _exit(exitStatus)
    case .fails(operation, let number, let reason) where state.counts[operation] == number:
      state.hasFailed = true
      if case .close(let descriptor) = call {
        state.power?.lose(descriptor)
        close(descriptor)
      }
      errno = reason
      return -1
    case .isFull(let limit):
      if let result = answerOfFullDisk(call, room: limit - state.written) {
        state.hasFailed = true
        state.written += max(0, result)
        return result
      }
    default: break
    }
    let mark = state.power?.willMake(call)
    let result = call.perform()
    let reason = errno
    if result >= 0 {
      if operation == .write { state.written += call.byteCount(result) }
      if let mark { state.power?.didMake(call, mark, result) }
    }
    errno = reason
    return result
  }

  /// The answer of a disk with so much room; `nil` where the call needs no more.
  private static func answerOfFullDisk(_ call: DiskCall, room: Int) -> Int? {
    switch call {
    case .write(let number, let bytes) where bytes.count > room:
      if room > 0 {
        return DiskCall.write(number, UnsafeRawBufferPointer(rebasing: bytes[..<room])).perform()
      }
    case .writeAt(let number, let bytes, let place) where bytes.count > room:
      if room > 0 {
        return DiskCall.writeAt(number, UnsafeRawBufferPointer(rebasing: bytes[..<room]), place).perform()
      }
    case .announced(let call) where call.kind == .write && call.bytes.count > room: break
    // New names need room, too, once there is none.
    case .open(let path, let flags, _) where flags & O_CREAT != 0 && room <= 0 && access(path, F_OK) != 0:
      break
    case .makeFolder(let path, _) where room <= 0 && access(path, F_OK) != 0: break
    default: return nil
    }
    errno = ENOSPC
    return -1
  }

  private func isHere(_ call: DiskCall) -> Bool {
    guard let folder else { return true }
    guard let path = call.place else { return false }
    return path == folder || path.hasPrefix(folder + "/")
  }
}

extension DiskCall {
  /// Bytes that a write that ended so has written.
  fileprivate func byteCount(_ result: Int) -> Int {
    if case .announced(let call) = self { return call.bytes.count }
    return result
  }

  /// The file's path, links of its folder followed; `nil` where it has none.
  fileprivate var place: String? {
    switch self {
    case .open(let path, _, _), .unlink(let path), .makeFolder(let path, _), .removeFolder(let path),
      .name(_, let path), .link(_, let path), .rename(_, let path):
      Self.resolved(String(cString: path))
    case .announced(let call): Self.resolved(String(cString: call.path))
    case .write(let number, _), .writeAt(let number, _, _), .sync(let number), .syncBytes(let number),
      .truncate(let number, _), .permissions(let number, _), .touch(let number), .close(let number):
      AtomicFile.target(of: "/proc/self/fd/\(number)") ?? Self.nameless(number)
    }
  }

  private static func resolved(_ path: String) -> String? {
    let folder = AtomicFile.folder(of: path)
    return AtomicFile.target(of: folder.isEmpty ? "." : folder).map {
      "\($0)/\(path.dropFirst(folder.count))"
    }
  }

  /// The name that the kernel shows of a file without one: `/folder/#123 (deleted)`.
  private static func nameless(_ number: Int32) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(number)", &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
