/// Objects that are known and not kept.
///
/// Thread-safe. No reference becomes strong under the lock: who lets go of the last one runs the object's `deinit`.
public struct WeakObjects<Object: Sendable>: Sendable {
  private final class Entry: Sendable {
    let id: ObjectIdentifier
    /// Knows the object without keeping it.
    let find: @Sendable () -> Object?

    init(_ id: ObjectIdentifier, _ find: @escaping @Sendable () -> Object?) {
      self.id = id
      self.find = find
    }
  }

  private let entries = Locked<[Entry]>([])

  /// Knows nothing.
  public init() {}

  /// Notes an object; one that is noted already stays noted once.
  public func add(_ object: Object) where Object: AnyObject {
    add(ObjectIdentifier(object)) { [weak object] in object }
  }

  /// Notes an object that is known by a protocol.
  ///
  /// - Parameter find: Returns the object as long as it is there; keeps it not.
  public func add(_ id: ObjectIdentifier, _ find: @escaping @Sendable () -> Object?) {
    replace(id, with: Entry(id, find))
  }

  /// Forgets an object.
  public func remove(_ object: Object) where Object: AnyObject {
    remove(ObjectIdentifier(object))
  }

  /// Forgets the object of this identity.
  public func remove(_ id: ObjectIdentifier) {
    replace(id, with: nil)
  }

  /// The objects that are still there, in the order in which they were noted.
  public var present: [Object] {
    entries.withLock { $0 }.compactMap { $0.find() }
  }

  /// Also forgets what has gone.
  private func replace(_ id: ObjectIdentifier, with fresh: Entry?) {
    let gone = entries.withLock { $0 }.filter { $0.find() == nil }
    // An entry of the same address is the object's, or that of one that lay there before it.
    entries.withLock { entries in
      entries.removeAll { entry in entry.id == id || gone.contains { $0 === entry } }
      if let fresh { entries.append(fresh) }
    }
  }
}
