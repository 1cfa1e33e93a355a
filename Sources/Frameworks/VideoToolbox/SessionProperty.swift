internal import Foundation
internal import FoundationExtras

/// A session with properties, which the `VTSession…` functions read and set.
protocol PropertyOwner: AnyObject, Sendable {
  var isValid: Bool { get }
  /// By key.
  var properties: [String: SessionProperty] { get }
  /// The value now; `nil` for none.
  func value(of key: String) -> Any?
  /// Takes a value that fits the property; `nil` for the one in the beginning.
  func setValue(_ value: Any?, of key: String) -> OSStatus
}

/// The definition of a property: the kind of its values, and whether clients may set it.
struct SessionProperty: Sendable {
  enum Kind: Sendable {
    case truth
    case number(ClosedRange<Double>?)
    case choice([String])
    /// A pair or several of numbers.
    case numbers
    case dictionary
    case data
  }

  let kind: Kind
  var isReadOnly = false

  /// As `VTSessionCopySupportedPropertyDictionary` says it.
  var description: [String: Any] {
    var said: [String: Any] = [
      kVTPropertyReadWriteStatusKey: isReadOnly
        ? kVTPropertyReadWriteStatus_ReadOnly : kVTPropertyReadWriteStatus_ReadWrite
    ]
    switch kind {
    case .truth: said[kVTPropertyTypeKey] = kVTPropertyType_Boolean
    case .number(let range):
      said[kVTPropertyTypeKey] = kVTPropertyType_Number
      if let range {
        said[kVTPropertySupportedValueMinimumKey] = NSNumber(value: range.lowerBound)
        said[kVTPropertySupportedValueMaximumKey] = NSNumber(value: range.upperBound)
      }
    case .choice(let list):
      said[kVTPropertyTypeKey] = kVTPropertyType_Enumeration
      said[kVTPropertySupportedValueListKey] = list
    case .numbers, .dictionary, .data: break
    }
    return said
  }

  /// A client's value as Swift has it: `Bool`, `Double`, `String`, `[Double]`, `Data` or a dictionary; `nil` for one that does not fit.
  func checked(_ value: Any) -> Any? {
    switch kind {
    case .truth: return LooseNumber.truth(value)
    case .number(let range):
      guard let number = LooseNumber.double(value), number.isFinite, range?.contains(number) ?? true else {
        return nil
      }
      return number
    case .choice(let list): return (value as? String).flatMap { list.contains($0) ? $0 : nil }
    case .numbers:
      guard let list = value as? [Any] else { return nil }
      let numbers = list.compactMap { LooseNumber.double($0) }
      return numbers.count == list.count ? numbers : nil
    case .dictionary: return value as? [String: Any]
    case .data: return value as? Data
    }
  }

  /// A value in the type of a client's variable; `nil` when it cannot be that.
  static func value<Value>(_ value: Any, as type: Value.Type) -> Value? {
    // A number and a truth are objects on Apple, and any type of number here.
    if let truth = value as? Bool {
      return truth as? Value ?? NSNumber(value: truth) as? Value
    }
    if let number = value as? Double {
      let object = NSNumber(value: number)
      if let typed = object as? Value { return typed }
      if Value.self == Int.self { return Int(number) as? Value }
      if Value.self == Int32.self { return Int32(clamping: Int(number)) as? Value }
      return number as? Value ?? Float(number) as? Value
    }
    return value as? Value
  }
}
