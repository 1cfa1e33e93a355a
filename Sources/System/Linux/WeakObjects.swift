/// Objects that are known and not kept.
///
/// Thread-safe. No reference becomes strong under the lock: who lets go of the last one runs the object's `deinit`.
public struct WeakObjects<Object: AnyObject & Sendable>: Sendable {
  private final class Entry: Sendable {
    weak let object: Object?
    let id: ObjectIdentifier

    init(_ object: Object) {
      self.object = object
      id = ObjectIdentifier(object)
    }
  }

  private let entries = Locked<[Entry]>([])

  /// Knows nothing.
  public init() {}

  /// Notes an object; one that is noted already stays noted once.
  public func add(_ object: Object) {
    replace(object, with: Entry(object))
  }

  /// Forgets an object.
  public func remove(_ object: Object) {
    replace(object, with: nil)
  }

  /// The objects that are still there, in the order in which they were noted.
  public var present: [Object] {
    entries.withLock { $0 }.compactMap(\.object)
  }

  /// Also forgets what has gone.
  private func replace(_ object: Object, with fresh: Entry?) {
    let gone = entries.withLock { $0 }.filter { $0.object == nil }
    // An entry of the same address is the object's, or that of one that lay there before it.
    let id = ObjectIdentifier(object)
    entries.withLock { entries in
      entries.removeAll { entry in entry.id == id || gone.contains { $0 === entry } }
      if let fresh { entries.append(fresh) }
    }
  }
}
