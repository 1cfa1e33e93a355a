internal import Foundation

/// The difference of two lists of keys: removals, then insertions, then moves.
package struct KeyDifference: Sendable {
  /// Places in the list before.
  package private(set) var removed = IndexSet()
  /// Places in the list after.
  package private(set) var inserted = IndexSet()
  /// Places in the list after of objects that were there before, too, and changed.
  private(set) var changed = IndexSet()
  /// Each from a place in the list before to one in the list after.
  package private(set) var moves: [(from: Int, to: Int)] = []

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty && moves.isEmpty }

  /// Compares two lists of keys.
  ///
  /// - Parameter changed: The keys of objects that changed.
  package init(_ before: [Int], _ after: [Int], changed changedKeys: Set<Int>) {
    if before == after {
      guard !changedKeys.isEmpty else { return }
      for (index, key) in after.enumerated() where changedKeys.contains(key) { changed.insert(index) }
      return
    }
    let places = Dictionary(zip(before, before.indices)) { first, _ in first }
    var isKept = [Bool](repeating: false, count: before.count)
    // The places before of what is kept, in the order after.
    var order: [(before: Int, after: Int)] = []
    for (index, key) in after.enumerated() {
      guard let place = places[key] else {
        inserted.insert(index)
        continue
      }
      isKept[place] = true
      order.append((place, index))
      if changedKeys.contains(key) { changed.insert(index) }
    }
    for (index, isKept) in isKept.enumerated() where !isKept { removed.insert(index) }
    let staying = Self.longestRise(order.map(\.before))
    for (index, pair) in order.enumerated() where !staying[index] { moves.append((pair.before, pair.after)) }
  }

  /// Which elements belong to a longest rising subsequence: those that need not move.
  private static func longestRise(_ values: [Int]) -> [Bool] {
    // Where nothing has moved, which is nearly always, there is nothing to search.
    if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) {
      return [Bool](repeating: true, count: values.count)
    }
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var stays = [Bool](repeating: false, count: values.count)
    var index = ends.last ?? -1
    while index >= 0 {
      stays[index] = true
      index = previous[index]
    }
    return stays
  }
}
