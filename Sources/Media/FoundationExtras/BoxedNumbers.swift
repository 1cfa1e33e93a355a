internal import Foundation

/// Numbers as Core Foundation's dictionaries hold them: as `NSNumber`, which any kind of number that fits can be cast from.
///
/// `5 as Any as? UInt32` is `nil`; clients of Apple's dictionaries cast to whatever number they like.
package enum BoxedNumbers {
  /// The value with every number and truth in it boxed, also in lists and dictionaries; objects stay as they are.
  package static func boxed(_ value: Any) -> Any {
    // Texts and objects first: they are the most common, and casts that fail are slow.
    if value is String || type(of: value) is AnyClass { return value }
    if let number = value as? NSNumber { return number }
    if let values = value as? CFDictionary { return boxed(values) }
    if let values = value as? CFArray { return values.map { boxed($0) } }
    return value
  }

  /// The dictionary with every number and truth in it boxed.
  package static func boxed(_ values: CFDictionary) -> CFDictionary {
    values.mapValues { boxed($0) as Any }
  }
}
