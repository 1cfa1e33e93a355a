internal import Foundation
internal import FoundationExtras

/// A question to the catalogue that can be asked again.
struct FetchQuery: Sendable {
  /// What stands between SELECT columns and WHERE: a table, or tables that are joined, the object's own first.
  var source = "asset"
  /// What must be so.
  var conditions: [String] = []
  var values: [SQLValue] = []
  /// The order, which ends with the key so that it is always the same.
  var order = "created, id"
  /// 0 is no bound.
  var limit = 0
  /// What SQL cannot say.
  var filter: PredicateTree?

  /// The question's text for some columns.
  func sql(_ columns: String, limited: Bool = true) -> String {
    var text = "SELECT \(columns) FROM \(source)"
    if !conditions.isEmpty { text += " WHERE \(conditions.joined(separator: " AND "))" }
    text += " ORDER BY \(order)"
    if limited, limit > 0, filter == nil { text += " LIMIT \(limit)" }
    return text
  }
}

/// The answer: which objects, in which order, at which revision.
struct FetchAnswer: Sendable {
  var keys: [Int] = []
  var revision = 0
  /// The objects, where the question had to read them anyway.
  var objects: [PHObject]?
}
