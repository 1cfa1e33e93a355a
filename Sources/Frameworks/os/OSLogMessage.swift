internal import Foundation

/// A message that is made of text and values; its values are looked at only when it is written.
///
/// Apple: `OSLogMessage`.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  private let interpolation: OSLogInterpolation

  /// A message of text.
  public init(stringLiteral value: String) {
    var interpolation = OSLogInterpolation(literalCapacity: 0, interpolationCount: 0)
    interpolation.appendLiteral(value)
    self.interpolation = interpolation
  }

  /// A message of text and values.
  public init(stringInterpolation: OSLogInterpolation) {
    interpolation = stringInterpolation
  }

  func text(for writer: LogWriter) -> String {
    interpolation.parts.map { $0(writer) }.joined()
  }
}

/// The text and values of a message.
///
/// Apple: `OSLogInterpolation`.
public struct OSLogInterpolation: StringInterpolationProtocol {
  var parts: [(LogWriter) -> String] = []

  /// An empty message.
  public init(literalCapacity: Int, interpolationCount: Int) {}

  /// Adds text.
  public mutating func appendLiteral(_ literal: String) {
    parts.append { _ in literal }
  }

  /// Adds a whole number, public unless said otherwise.
  public mutating func appendInterpolation<T: FixedWidthInteger>(
    _ number: @autoclosure @escaping () -> T, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, align, isPublic: true) { format.text(number()) }
  }

  /// Adds a number with a fraction, public unless said otherwise.
  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Double, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, align, isPublic: true) {
      String(format: "%\(format.flags).\(format.precision)\(format.conversion)", number())
    }
  }

  /// Adds a number with a fraction, public unless said otherwise.
  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Float, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    appendInterpolation(Double(number()), format: format, align: align, privacy: privacy)
  }

  /// Adds a truth value, public unless said otherwise.
  public mutating func appendInterpolation(
    _ boolean: @autoclosure @escaping () -> Bool, format: OSLogBoolFormat = .truth,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, .none, isPublic: true) {
      switch format {
      case .truth: boolean() ? "true" : "false"
      case .answer: boolean() ? "YES" : "NO"
      }
    }
  }

  /// Adds text, private unless said otherwise.
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, align, isPublic: false, argumentString)
  }

  /// Adds a value's description, private unless said otherwise.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: CustomStringConvertible>(
    _ value: @autoclosure @escaping () -> T, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, align, isPublic: false) { value().description }
  }

  /// Adds an error, private unless said otherwise.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ error: @autoclosure @escaping () -> any Error, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, align, isPublic: false) { "\(error())" }
  }

  /// Adds the name of a type, public unless said otherwise.
  public mutating func appendInterpolation(
    _ value: @autoclosure @escaping () -> Any.Type, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy, align, isPublic: true) { "\(value())" }
  }

  private mutating func append(
    _ privacy: OSLogPrivacy, _ alignment: OSLogStringAlignment, isPublic: Bool, _ text: @escaping () -> String
  ) {
    parts.append { writer in alignment.aligned(privacy.shown(text(), isPublic: isPublic, writer)) }
  }
}
