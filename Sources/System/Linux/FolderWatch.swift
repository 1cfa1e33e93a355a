internal import Glibc

/// Watches folders for files and device nodes that come, go, or change their rights.
///
/// One thread, asleep until something happens. Letting the object go ends it without waiting for it. C: `inotify`.
package final class FolderWatch: Sendable {
  /// A folder, and how the names in it begin that matter.
  package struct Place: Sendable, Hashable {
    package var folder: String
    package var prefix: String

    /// Names in `folder` that begin with `prefix`.
    package init(_ folder: String, prefix: String) {
      self.folder = folder
      self.prefix = prefix
    }
  }

  /// The time for which a burst of changes is gathered: one plug makes several nodes, and their rights come a moment later.
  private static let settlingNanoseconds: Int64 = 100_000_000

  private let ended: WakeUp

  /// Watches until let go; `changed` is called on the watch's own thread, once for each burst of changes.
  ///
  /// A folder that is missing is watched from the moment when something changes in another of the places: name the folder
  /// above it as a place, too.
  /// - Throws: ``SystemError`` when none of the folders is there, or the system has no watch or thread left to give.
  package init(
    _ places: [Place], _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw .last("watch for devices") }
    var watching = Watching(descriptor: descriptor, places: places)
    do throws(SystemError) {
      guard watching.addWatches() else {
        throw .last("watch \(places.map(\.folder).joined(separator: ", "))")
      }
      let ended = try WakeUp()
      self.ended = ended
      _ = try ReaderThread(name: "obscura-devices") { [watching] in
        defer { close(descriptor) }
        var watching = watching
        watching.watch(ended, changed)
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit {
    ended.signal()
  }

  private struct Watching: Sendable {
    var descriptor: Int32
    var places: [Place]
    /// The places by the kernel's number of the watch; two places may be in one folder.
    var watched: [Int32: [Place]] = [:]

    /// Watches every folder that is there; false when none is.
    mutating func addWatches() -> Bool {
      let events = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO)
      var found: [Int32: [Place]] = [:]
      for place in places {
        // The same number again for a folder that is watched already.
        let number = inotify_add_watch(descriptor, place.folder, events)
        if number >= 0 { found[number, default: []].append(place) }
      }
      if !found.isEmpty { watched = found }
      return !found.isEmpty
    }

    mutating func watch(_ ended: WakeUp, _ changed: @Sendable () -> Void) {
      var deadline: MonotonicInstant?
      while true {
        var descriptors = [
          pollfd(fd: ended.descriptor.number, events: Int16(POLLIN), revents: 0),
          pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var milliseconds: Int32 = -1
        if let deadline {
          milliseconds = Int32(
            clamping: max(0, deadline.nanoseconds - MonotonicInstant.now.nanoseconds) / 1_000_000 + 1)
        }
        if poll(&descriptors, 2, milliseconds) < 0, errno != EINTR { return }
        if descriptors[0].revents != 0 { return }
        if descriptors[1].revents != 0, matchesChange(), deadline == nil {
          deadline = .now.advanced(byNanoseconds: FolderWatch.settlingNanoseconds)
        }
        if let end = deadline, MonotonicInstant.now >= end {
          deadline = nil
          // A folder that came with the burst is watched from now on; what it holds already is found by the receiver.
          _ = addWatches()
          changed()
        }
      }
    }

    /// Reads what has gathered; whether a name among it matters.
    private func matchesChange() -> Bool {
      var matches = false
      let header = MemoryLayout<inotify_event>.size
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) {
        bytes in
        while true {
          let count = read(descriptor, bytes.baseAddress, bytes.count)
          if count < header { return }
          var offset = 0
          while offset + header <= count {
            let event = bytes.load(fromByteOffset: offset, as: inotify_event.self)
            let name = bytes[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
            let text = String(decoding: name, as: UTF8.self)
            // Events were lost: anything may have changed.
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { matches = true }
            if let places = watched[event.wd], places.contains(where: { text.hasPrefix($0.prefix) }) {
              matches = true
            }
            offset += header + Int(event.len)
          }
        }
      }
      return matches
    }
  }
}
