internal import Foundation
internal import Linux

/// The result of a fetch: the keys at first, and the objects when they are asked for.
///
/// Objects are read a page at a time, as they were when the keys were, and the pages used last are kept. Thread-safe.
final class FetchedObjects: Sendable {
  /// How many objects are read at once, and how many pages are kept.
  private static let pageSize = 64
  private static let keptPages = 64

  let keys: [Int]
  /// The state of the library that it shows.
  let revision: Int
  /// Whether changes are worked out one by one.
  let wantsDetails: Bool
  /// All of them, where they were read with the keys.
  private let objects: [PHObject]?
  private let load: @Sendable (_ keys: [Int], _ revision: Int) -> [PHObject]
  private let ask: (@Sendable () -> FetchAnswer)?
  private let pages = Locked(Pages())

  private struct Pages {
    var objects: [Int: [PHObject]] = [:]
    /// The pages in the order of their last use.
    var order: [Int] = []
  }

  /// - Parameters:
  ///   - load: Returns the objects of keys, in their order, as they were at a revision; not needed where the answer has them.
  ///   - ask: Asks the same again; `nil` for a list that never changes.
  init(
    _ answer: FetchAnswer, wantsDetails: Bool,
    load: @escaping @Sendable (_ keys: [Int], _ revision: Int) -> [PHObject] = { _, _ in [] },
    ask: (@Sendable () -> FetchAnswer)?
  ) {
    keys = answer.keys
    revision = answer.revision
    self.wantsDetails = wantsDetails
    self.load = load
    self.ask = ask
    objects = answer.objects
  }

  /// The same question's answer now; this one when it never changes.
  func again() -> FetchedObjects {
    guard let ask else { return self }
    return FetchedObjects(ask(), wantsDetails: wantsDetails, load: load, ask: ask)
  }

  var count: Int { keys.count }

  func object(at index: Int) -> PHObject {
    if let objects { return objects[index] }
    let page = index / Self.pageSize
    let known = pages.withLock { pages -> PHObject? in
      guard let objects = pages.objects[page] else { return nil }
      if pages.order.last != page {
        pages.order.removeAll { $0 == page }
        pages.order.append(page)
      }
      return objects[index % Self.pageSize]
    }
    if let known { return known }
    let start = page * Self.pageSize
    let objects = load(Array(keys[start..<min(start + Self.pageSize, keys.count)]), revision)
    let old = pages.withLock { pages -> [PHObject]? in
      pages.objects[page] = objects
      pages.order.append(page)
      return pages.order.count > Self.keptPages
        ? pages.objects.removeValue(forKey: pages.order.removeFirst()) : nil
    }
    withExtendedLifetime(old) {}
    return objects[index % Self.pageSize]
  }
}
