internal import Foundation

/// The change of a fetch's result; made for a grid that removes, inserts, moves and then reloads.
///
/// Apple: `PHFetchResultChangeDetails`.
public final class PHFetchResultChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
  // Safe because it is constant after init.

  /// The result of the fetch before.
  public let fetchResultBeforeChanges: PHFetchResult<ObjectType>
  /// The result of the fetch now.
  public let fetchResultAfterChanges: PHFetchResult<ObjectType>
  private let difference: KeyDifference?

  init(before: PHFetchResult<ObjectType>, after: PHFetchResult<ObjectType>, difference: KeyDifference?) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    self.difference = difference
  }

  /// The differences between two results of the same fetch.
  ///
  /// - Parameter changedObjects: Those objects that are in both, and changed.
  public convenience init(
    from fromResult: PHFetchResult<ObjectType>, to toResult: PHFetchResult<ObjectType>,
    changedObjects: [ObjectType]
  ) {
    let difference = KeyDifference(
      fromResult.contents.keys, toResult.contents.keys, changed: Set(changedObjects.map(\.key)))
    self.init(before: fromResult, after: toResult, difference: difference)
  }

  /// Whether the changes are known one by one; otherwise everything has to be shown anew.
  public var hasIncrementalChanges: Bool { difference != nil }
  /// The places, in the result before, of what is gone.
  public var removedIndexes: IndexSet? { difference?.removed }
  /// The objects that are gone.
  public var removedObjects: [ObjectType] {
    difference.map { fetchResultBeforeChanges.objects(at: $0.removed) } ?? []
  }
  /// The places, in the result after, of what is new.
  public var insertedIndexes: IndexSet? { difference?.inserted }
  /// The objects that are new.
  public var insertedObjects: [ObjectType] {
    difference.map { fetchResultAfterChanges.objects(at: $0.inserted) } ?? []
  }
  /// The places, in the result after, of what changed.
  public var changedIndexes: IndexSet? { difference?.changed }
  /// The objects that changed, as they are now.
  public var changedObjects: [ObjectType] {
    difference.map { fetchResultAfterChanges.objects(at: $0.changed) } ?? []
  }
  /// Whether objects that stay have another order.
  public var hasMoves: Bool { difference?.moves.isEmpty == false }

  /// Calls `handler` with each move: from a place in the result before to one in the result after.
  ///
  /// What need not move does not; the fewest objects do.
  public func enumerateMoves(_ handler: (Int, Int) -> Void) {
    for move in difference?.moves ?? [] { handler(move.from, move.to) }
  }
}
