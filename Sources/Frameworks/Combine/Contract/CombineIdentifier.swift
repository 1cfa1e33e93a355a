internal import Linux

/// A number that tells subscribers and subscriptions apart.
///
/// Apple: `CombineIdentifier`.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private static let last = Locked(UInt64(0))

  private enum Value: Hashable {
    case number(UInt64)
    case object(ObjectIdentifier)
  }

  private let value: Value

  /// A new identifier, unlike all others.
  public init() {
    value = .number(
      Self.last.withLock { last in
        last += 1
        return last
      })
  }

  /// The identifier of an object, the same whenever it is asked for.
  public init(_ obj: AnyObject) {
    value = .object(ObjectIdentifier(obj))
  }

  /// The number or the object's address, in hexadecimal digits.
  public var description: String {
    switch value {
    case .number(let number): "0x" + String(number, radix: 16)
    case .object(let object): "0x" + String(UInt(bitPattern: object), radix: 16)
    }
  }
}

/// A thing that has a ``CombineIdentifier``.
///
/// Apple: `CustomCombineIdentifierConvertible`.
public protocol CustomCombineIdentifierConvertible {
  /// The identifier.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object's own.
  public var combineIdentifier: CombineIdentifier {
    CombineIdentifier(self)
  }
}
