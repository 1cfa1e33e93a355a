internal import Linux

/// The publishers of objects whose changes were asked for: a class has no room for one that its author did not write.
///
/// Entries of objects that have gone away are removed when the table has grown to twice its size.
enum ObservableObjectPublishers {
  private struct Entry: @unchecked Sendable {  // Safe: the object is only compared.
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private struct Table {
    var entries: [ObjectIdentifier: Entry] = [:]
    var limit = 64
  }

  private static let table = Locked(Table())

  /// The publisher of an object, made when it is first asked for.
  static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let new = Entry(object: object, publisher: ObservableObjectPublisher())
    let (publisher, removed) = table.withLock { table -> (ObservableObjectPublisher, [Entry]) in
      let key = ObjectIdentifier(object)
      var removed: [Entry] = []
      if let entry = table.entries[key] {
        if entry.object === object { return (entry.publisher, []) }
        removed.append(entry)
      }
      table.entries[key] = new
      if table.entries.count >= table.limit {
        let gone = table.entries.filter { $0.value.object == nil && $0.key != key }
        for key in gone.keys { table.entries[key] = nil }
        removed += gone.values
        table.limit = max(64, table.entries.count * 2)
      }
      return (new.publisher, removed)
    }
    withExtendedLifetime(removed) {}
    return publisher
  }

  /// The publisher of an object, if it was asked for.
  static func existing(of object: AnyObject) -> ObservableObjectPublisher? {
    table.withLock { table in
      guard let entry = table.entries[ObjectIdentifier(object)], entry.object === object else { return nil }
      return entry.publisher
    }
  }
}
