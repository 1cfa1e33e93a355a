internal import Foundation
internal import FoundationExtras

/// An ordered list of what a fetch found.
///
/// It does not change with the library: register an observer, and ask ``PHChange`` for the next result. Objects are read from
/// the disk as they are looked at, with the values that they had when the result was fetched (for ninety days, or a thousand changes).
/// Thread-safe. Apple: `PHFetchResult`.
public final class PHFetchResult<ObjectType: AnyObject>: NSObject, NSCopying, @unchecked Sendable {
  // Safe because it is constant after init.
  let contents: FetchedObjects

  init(_ contents: FetchedObjects) {
    self.contents = contents
  }

  /// How many objects there are.
  public var count: Int { contents.count }

  /// The object at a place; one outside is a programming mistake that stops the program.
  public func object(at index: Int) -> ObjectType {
    precondition(
      index >= 0 && index < count, "there are \(count) objects in the fetch result, and none at \(index)")
    // Safe because fetches make results of the type that they load.
    return unsafeDowncast(contents.object(at: index) as AnyObject, to: ObjectType.self)  // Safe, see above.
  }

  /// The object at a place.
  public subscript(index: Int) -> ObjectType { object(at: index) }

  /// Whether an object is among them.
  public func contains(_ anObject: ObjectType) -> Bool { index(of: anObject) != NSNotFound }

  /// The place of an object; `NSNotFound` when it is not among them.
  public func index(of anObject: ObjectType) -> Int {
    (anObject as? PHObject).flatMap { contents.keys.firstIndex(of: $0.key) } ?? NSNotFound
  }

  /// The place of an object within a range; `NSNotFound` when it is not there.
  public func index(of anObject: ObjectType, in range: NSRange) -> Int {
    let range = max(0, range.location)..<max(0, min(count, range.location + range.length))
    return (anObject as? PHObject).flatMap { contents.keys[range].firstIndex(of: $0.key) } ?? NSNotFound
  }

  /// The first object; `nil` when there is none.
  public var firstObject: ObjectType? { count > 0 ? object(at: 0) : nil }

  /// The last object; `nil` when there is none.
  public var lastObject: ObjectType? { count > 0 ? object(at: count - 1) : nil }

  /// The objects at several places.
  public func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map { object(at: $0) } }

  /// Calls `block` with each object, its place, and a flag that ends it.
  public func enumerateObjects(_ block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
    enumerate(0..<count, block)
  }

  /// Calls `block` with each object; from the last one with `.reverse`.
  public func enumerateObjects(
    options opts: NSEnumerationOptions = [],
    using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    if opts.contains(.reverse) {
      enumerate((0..<count).reversed(), block)
    } else {
      enumerate(0..<count, block)
    }
  }

  /// Calls `block` with the objects at several places.
  public func enumerateObjects(
    at s: IndexSet, options opts: NSEnumerationOptions = [],
    using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    if opts.contains(.reverse) { enumerate(s.reversed(), block) } else { enumerate(s, block) }
  }

  private func enumerate(
    _ places: some Sequence<Int>, _ block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    var stops = ObjCBool(false)
    for place in places {
      block(object(at: place), place, &stops)
      if stops.boolValue { return }
    }
  }

  /// The result itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
