internal import Dispatch
internal import Glibc
package import Linux

/// Brings a file to the disk while it grows, on a queue of its own, so that a slow disk does not delay who writes.
///
/// At most one call is under way; what is asked for meanwhile is one more. Thread-safe.
package final class MovieSync: Sendable {
  private struct State {
    var isRunning = false
    /// The bytes that shall be on the disk, and those that are.
    var wanted = 0
    var done = 0
    /// Whether the folder does not know the file's name for good yet.
    var nameIsNew = false
    var failure: MovieFileError?
  }

  private let descriptor: Descriptor
  private let folder: String
  private let action: String
  private let failed: @Sendable (MovieFileError) -> Void
  private let queue = DispatchQueue(label: "obscura.movie-sync", qos: .utility)
  private let state = Locked(State())

  /// Begins with nothing to do.
  ///
  /// - Parameters:
  ///   - folder: Where the file has its name, as ``AtomicFile/folder(of:)`` says it.
  ///   - action: What is done, for errors.
  ///   - failed: Called once, on the queue, when the disk takes no more.
  package init(
    _ descriptor: Descriptor, folder: String, _ action: String,
    failed: @escaping @Sendable (MovieFileError) -> Void = { _ in }
  ) {
    self.descriptor = descriptor
    self.folder = folder
    self.action = action
    self.failed = failed
  }

  /// The bytes that are on the disk for certain.
  package var syncedSize: Int { state.withLock { $0.done } }

  /// Notes that the file has got its name.
  package func noteName() { state.withLock { $0.nameIsNew = true } }

  /// Asks that the first `size` bytes be brought to the disk soon; does not wait.
  package func request(upTo size: Int) {
    let starts = state.withLock { state in
      state.wanted = max(state.wanted, size)
      guard !state.isRunning, state.failure == nil else { return false }
      state.isRunning = true
      return true
    }
    guard starts else { return }
    queue.async { self.run() }
    if Disk.isWatched { queue.sync {} }
  }

  /// Whether the disk took no more.
  package var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Throws what went wrong.
  package func check() throws(MovieFileError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Waits until the first `size` bytes, and the name, are on the disk.
  package func wait(upTo size: Int) throws(MovieFileError) {
    request(upTo: size)
    queue.sync {}
    try check()
  }

  /// Brings the file's bytes to the disk on the caller's thread.
  func syncData() throws(MovieFileError) {
    while !Disk.syncBytes(descriptor.number) {
      // Some file systems know no syncing, which is no failure of the disk.
      if errno == EINVAL { return }
      guard errno == EINTR else { throw MovieFileError(.last(action)) }
    }
  }

  private func run() {
    while true {
      let next = state.withLock { state -> (size: Int, nameIsNew: Bool)? in
        guard state.failure == nil, state.wanted > state.done || state.nameIsNew else {
          state.isRunning = false
          return nil
        }
        defer { state.nameIsNew = false }
        return (state.wanted, state.nameIsNew)
      }
      guard let next else { return }
      do throws(MovieFileError) {
        try syncData()
      } catch {
        state.withLock {
          $0.failure = error
          $0.isRunning = false
        }
        return failed(error)
      }
      if next.nameIsNew { AtomicFile.syncFolder(folder) }
      state.withLock { $0.done = max($0.done, next.size) }
    }
  }
}
