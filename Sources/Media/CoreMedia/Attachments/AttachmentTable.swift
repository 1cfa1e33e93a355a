internal import Linux

/// What is attached to one object; costs nothing but itself until something is.
final class AttachmentTable: @unchecked Sendable {  // Safe because the entries are reached only under `lock`.
  struct Entry {
    var value: Any
    var mode: CMAttachmentMode
  }

  private let lock: Lock
  private var entries: [String: Entry]?

  /// - Parameter lock: May be shared with the object's other state, as it is never held while anything else runs.
  init(lock: Lock = Lock()) {
    self.lock = lock
  }

  subscript(key: String) -> Entry? {
    get { lock.withLock { entries?[key] } }
    set {
      // Old values leave after the lock is left: they may be a client's objects with a `deinit`.
      var old: Entry?
      lock.withLock {
        if newValue == nil, entries == nil { return }
        var changed = entries.take() ?? [:]
        old = changed[key]
        changed[key] = newValue
        entries = changed.isEmpty ? nil : changed
      }
      withExtendedLifetime(old) {}
    }
  }

  var isEmpty: Bool {
    lock.withLock { entries == nil }
  }

  func removeAll() {
    let old = lock.withLock { entries.take() }
    withExtendedLifetime(old) {}
  }

  /// The values of one mode; `nil` when there are none.
  func values(_ mode: CMAttachmentMode) -> [String: Any]? {
    lock.withLock {
      guard let found = entries?.filter({ $0.value.mode == mode }), !found.isEmpty else { return nil }
      return found.mapValues(\.value)
    }
  }

  /// Takes over everything of another table, with its modes.
  func copy(_ other: AttachmentTable) {
    guard let copied = other.lock.withLock({ other.entries }) else { return }
    for (key, entry) in copied { self[key] = entry }
  }
}
