internal import Glibc
internal import Synchronization

/// The one place through which this process changes files, so that a test can let each of these calls fail.
///
/// The functions are those of C, with their results, and the reason of a failure in `errno`. `scripts/checks/imports` holds that
/// no other file calls the kernel for it. Cost where nothing watches: one load of memory beside the system call.
/// Thread-safe.
package enum Disk {
  /// What stands before the kernel: it makes the call with ``DiskCall/perform()``, or answers in its place.
  package typealias Watch = @Sendable (DiskCall) -> Int

  private struct Kept {
    var watch: Watch?
  }

  private static let hasWatch = Atomic(false)
  private static let kept = Locked(Kept())

  /// Whether a watch stands before the kernel.
  ///
  /// A run is repeated call by call then, so that what is otherwise done on several threads at once has one order.
  package static var isWatched: Bool { hasWatch.load(ordering: .relaxed) }

  /// Puts a watch before the kernel for all threads; `nil` takes it away.
  package static func setWatch(_ watch: Watch?) {
    let old = kept.withLock { kept in
      defer { kept.watch = watch }
      return Kept(watch: kept.watch)
    }
    hasWatch.store(watch != nil, ordering: .relaxed)
    withExtendedLifetime(old) {}
  }

  /// Makes a call, by way of the watch where there is one.
  @inline(__always)
  package static func make(_ call: DiskCall) -> Int {
    guard hasWatch.load(ordering: .relaxed) else { return call.perform() }
    return watched(call)
  }

  @inline(never)
  private static func watched(_ call: DiskCall) -> Int {
    let watch = kept.withLock { $0.watch }
    return watch.map { $0(call) } ?? call.perform()
  }
}

extension Disk {
  /// C: `open`, for writing or making a file.
  package static func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: UInt32 = 0) -> Int32 {
    Int32(truncatingIfNeeded: make(.open(path, flags: flags, mode: mode)))
  }

  /// C: `write`.
  package static func write(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    make(.write(number, bytes))
  }

  /// C: `pwrite`.
  package static func write(_ number: Int32, _ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
    make(.writeAt(number, bytes, place))
  }

  /// C: `fsync`.
  package static func sync(_ number: Int32) -> Bool { make(.sync(number)) == 0 }

  /// C: `fdatasync`.
  package static func syncBytes(_ number: Int32) -> Bool { make(.syncBytes(number)) == 0 }

  /// C: `ftruncate`.
  @discardableResult
  package static func truncate(_ number: Int32, to size: Int) -> Bool { make(.truncate(number, size)) == 0 }

  /// C: `linkat` of an open file without a name.
  package static func name(_ number: Int32, _ path: UnsafePointer<CChar>) -> Bool {
    make(.name(number, path)) == 0
  }

  /// C: `link`.
  package static func link(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Bool {
    make(.link(old, new)) == 0
  }

  /// C: `rename`.
  package static func rename(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Bool {
    make(.rename(old, new)) == 0
  }

  /// C: `unlink`.
  @discardableResult
  package static func unlink(_ path: UnsafePointer<CChar>) -> Bool { make(.unlink(path)) == 0 }

  /// C: `mkdir`.
  package static func makeFolder(_ path: UnsafePointer<CChar>, _ mode: UInt32) -> Bool {
    make(.makeFolder(path, mode: mode)) == 0
  }

  /// C: `rmdir`.
  @discardableResult
  package static func removeFolder(_ path: UnsafePointer<CChar>) -> Bool { make(.removeFolder(path)) == 0 }

  /// C: `fchmod`.
  package static func setPermissions(_ number: Int32, _ mode: UInt32) -> Bool {
    make(.permissions(number, mode)) == 0
  }

  /// C: `futimens`.
  @discardableResult
  package static func touch(_ number: Int32) -> Bool { make(.touch(number)) == 0 }

  /// C: `close`, of a file that was written.
  @discardableResult
  package static func close(_ number: Int32) -> Bool { make(.close(number)) == 0 }
}
