public import Foundation

/// Lets an initializer of a Foundation class return one of our subclasses; a class alone cannot choose its subclass there.
protocol SubclassFactory {}

extension SubclassFactory {
  fileprivate init(made: () -> Self) {
    self = made()
  }
}

extension NSPredicate: SubclassFactory {
  /// A predicate of a format, as `NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)`.
  ///
  /// Understands comparisons (`==`, `!=`, `<`, `<=`, `>`, `>=`, `IN`, `BETWEEN`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`,
  /// `MATCHES`, with `[cd]`), the bits `&` and `|`, `AND`, `OR`, `NOT`, lists in braces, and the arguments `%@`, `%d` and its
  /// like, and `%K`. Functions, `SUBQUERY` and variables are not understood. It is evaluated on dictionaries with text keys,
  /// and by libraries that read ``predicateTree``. A format that cannot be read is a programming mistake, and the predicate
  /// never holds then.
  ///
  /// Apple: `NSPredicate.init(format:_:)`.
  public convenience init(format predicateFormat: String, _ args: Any...) {
    self.init(made: { Self.reading(predicateFormat, args) })
  }

  /// A predicate of a format whose arguments are in a list; as ``init(format:_:)``.
  ///
  /// Apple: `NSPredicate.init(format:argumentArray:)`.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(made: { Self.reading(predicateFormat, arguments ?? []) })
  }

  private static func reading(_ format: String, _ arguments: [Any]) -> Self {
    let tree: PredicateTree
    do {
      tree = try PredicateParser.tree(format, arguments)
    } catch {
      ProgrammingMistake.report(rule: error.description)
      tree = .constant(false)
    }
    let predicate: Any = FormatPredicate(format, tree)
    guard let predicate = predicate as? Self else {
      preconditionFailure("a predicate of a format is an NSPredicate")
    }
    return predicate
  }

  /// The predicate in words, for messages.
  package var predicateText: String { (self as? FormatPredicate)?.format ?? "of a block or of several parts" }

  /// What the predicate means; `nil` for a block, which only Swift can evaluate.
  package var predicateTree: PredicateTree? {
    if let predicate = self as? FormatPredicate { return predicate.tree }
    if let compound = self as? NSCompoundPredicate {
      let parts = compound.subpredicates.map { (part: Any) in (part as? NSPredicate)?.predicateTree }
      guard !parts.contains(nil) else { return nil }
      let trees = parts.compactMap { $0 }
      switch compound.compoundPredicateType {
      case .and: return .all(trees)
      case .or: return .any(trees)
      case .not: return trees.first.map { .not($0) }
      }
    }
    return nil
  }
}

/// A predicate that knows what its words mean.
final class FormatPredicate: NSPredicate {
  let tree: PredicateTree
  let format: String

  init(_ format: String, _ tree: PredicateTree) {
    self.format = format
    self.tree = tree
    super.init(block: { object, _ in
      guard let object = object as? [String: Any] else { return false }
      return tree.holds { object[$0].flatMap { PredicateValue($0) } ?? .null }
    })
  }

  required init?(coder: NSCoder) {
    nil
  }

  override var predicateFormat: String { format }

  override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSSortDescriptor: SubclassFactory {
  /// An order by a key, as `NSSortDescriptor(key: "creationDate", ascending: false)`.
  ///
  /// Without key-value coding it orders dictionaries with text keys, and whatever a library sorts that reads ``sortKey``.
  ///
  /// Apple: `NSSortDescriptor.init(key:ascending:)`.
  public convenience init(key: String?, ascending: Bool) {
    self.init(made: {
      let descriptor: Any = KeySortDescriptor(key, ascending)
      guard let descriptor = descriptor as? Self else {
        preconditionFailure("a sort descriptor of a key is an NSSortDescriptor")
      }
      return descriptor
    })
  }

  /// An order by a property that may be `nil`, which comes first, as `NSSortDescriptor(keyPath: \PHAsset.creationDate, ascending: true)`.
  ///
  /// Apple: `NSSortDescriptor.init(keyPath:ascending:)`.
  public convenience init<Root, Value: Comparable>(keyPath: KeyPath<Root, Value?>, ascending: Bool) {
    self.init(made: {
      let descriptor: Any = OptionalSortDescriptor(keyPath, ascending) { left, right in
        guard let left = left as? Root, let right = right as? Root else { return .orderedSame }
        switch (left[keyPath: keyPath], right[keyPath: keyPath]) {
        case (nil, nil): return .orderedSame
        case (nil, _): return .orderedAscending
        case (_, nil): return .orderedDescending
        case (let left?, let right?):
          return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        }
      }
      guard let descriptor = descriptor as? Self else {
        preconditionFailure("a sort descriptor of a key path is an NSSortDescriptor")
      }
      return descriptor
    })
  }

  /// The key path that it was made of; `nil` for one of a key.
  package var sortPath: AnyKeyPath? {
    (self as? OptionalSortDescriptor)?.path ?? (self is KeySortDescriptor ? nil : keyPath)
  }

  /// The key of an order that was made of one; `nil` for one of a key path.
  package var sortKey: String? { (self as? KeySortDescriptor)?.name }
}

/// An order by a property that may be `nil`.
final class OptionalSortDescriptor: NSSortDescriptor {
  let path: AnyKeyPath
  private let order: (Any, Any) -> ComparisonResult

  init(_ path: AnyKeyPath, _ ascending: Bool, _ order: @escaping (Any, Any) -> ComparisonResult) {
    self.path = path
    self.order = order
    // Foundation wants a key path of a property that is always there; nothing is compared by it.
    super.init(keyPath: \NSString.length, ascending: ascending)
  }

  required init?(coder: NSCoder) {
    nil
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    ascending ? order(object1, object2) : order(object2, object1)
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// An order by a key that is text.
final class KeySortDescriptor: NSSortDescriptor {
  let name: String?

  init(_ name: String?, _ ascending: Bool) {
    self.name = name
    // Foundation wants a key path; nothing is compared by it.
    super.init(keyPath: \NSString.length, ascending: ascending)
  }

  required init?(coder: NSCoder) {
    nil
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    guard let name, let left = object1 as? [String: Any], let right = object2 as? [String: Any] else {
      return .orderedSame
    }
    let values = [left, right].map { $0[name].flatMap { PredicateValue($0) } ?? .null }
    for (relation, result) in [
      (PredicateComparison.Relation.less, ComparisonResult.orderedAscending), (.greater, .orderedDescending),
    ] where PredicateComparison(relation).holds(values[0], values[1]) {
      return ascending ? result : result == .orderedAscending ? .orderedDescending : .orderedAscending
    }
    return .orderedSame
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }
}
