internal import Foundation
internal import FoundationExtras
internal import Linux

/// Attachments made once for all samples of a stream; a sample takes them over for the price of a reference.
package final class PreparedAttachments: @unchecked Sendable {  // Safe because nothing changes after `init`.
  let entries: [String: AttachmentTable.Entry]
  let numberKey: String
  /// Of all samples that carry these, so that a sample is one allocation; never held while anything else runs.
  let lock = Lock()

  /// - Parameters:
  ///   - values: All with ``kCMAttachmentMode_ShouldPropagate``; values that never change.
  ///   - numberKey: Under which each sample's own number is attached, in the same mode.
  package init(_ values: [String: Any], numberKey: String) {
    entries = BoxedNumbers.boxed(values).mapValues {
      AttachmentTable.Entry(value: $0, mode: kCMAttachmentMode_ShouldPropagate)
    }
    self.numberKey = numberKey
  }
}

/// The attachments of one object; allocates nothing more before the first of them.
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

  /// Has `prepared` and a sample's own number attached from the start.
  init(lock: Lock, _ prepared: PreparedAttachments, number: UInt32) {
    self.lock = lock
    var entries = prepared.entries
    entries[prepared.numberKey] = Entry(
      value: NSNumber(value: number), mode: kCMAttachmentMode_ShouldPropagate)
    self.entries = entries
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
