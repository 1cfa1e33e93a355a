/// How a whole number is written.
///
/// Apple: `OSLogIntegerFormatting`.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  var isUppercase = false
  var prefix = ""
  var showsPlus = false
  var minimumDigits = 1

  /// In tens.
  public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 10) }
  /// In sixteens.
  public static var hex: OSLogIntegerFormatting { hex() }
  /// In eights.
  public static var octal: OSLogIntegerFormatting { octal() }

  /// In tens, with a plus sign if asked for, and at least so many digits.
  public static func decimal(
    explicitPositiveSign: Bool = false, minDigits: Int = 1
  ) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(radix: 10, showsPlus: explicitPositiveSign, minimumDigits: minDigits)
  }

  /// In sixteens.
  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: Int = 1
  ) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(
      radix: 16, isUppercase: uppercase, prefix: includePrefix ? "0x" : "", showsPlus: explicitPositiveSign,
      minimumDigits: minDigits)
  }

  /// In eights.
  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: Int = 1
  ) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(
      radix: 8, isUppercase: uppercase, prefix: includePrefix ? "0o" : "", showsPlus: explicitPositiveSign,
      minimumDigits: minDigits)
  }

  func text(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
    let zeros = String(repeating: "0", count: max(0, minimumDigits - digits.count))
    return (number < 0 ? "-" : showsPlus ? "+" : "") + prefix + zeros + digits
  }
}

/// How a number with a fraction is written.
///
/// Apple: `OSLogFloatFormatting`.
public struct OSLogFloatFormatting: Sendable {
  let conversion: Character
  let precision: Int
  let flags: String

  /// With six digits after the point.
  public static var fixed: OSLogFloatFormatting { fixed() }
  /// With a power of ten.
  public static var exponential: OSLogFloatFormatting { exponential() }
  /// As short as may be.
  public static var hybrid: OSLogFloatFormatting {
    OSLogFloatFormatting(conversion: "g", precision: 6, flags: "")
  }

  /// With so many digits after the point.
  public static func fixed(
    precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    OSLogFloatFormatting(
      conversion: uppercase ? "F" : "f", precision: precision, flags: explicitPositiveSign ? "+" : "")
  }

  /// With a power of ten, and so many digits after the point.
  public static func exponential(
    precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    OSLogFloatFormatting(
      conversion: uppercase ? "E" : "e", precision: precision, flags: explicitPositiveSign ? "+" : "")
  }
}

/// How a truth value is written.
///
/// Apple: `OSLogBoolFormat`.
public enum OSLogBoolFormat: Sendable {
  /// `true` or `false`.
  case truth
  /// `YES` or `NO`.
  case answer
}

/// How wide a value is written at least, and where it stands there.
///
/// Apple: `OSLogStringAlignment`.
public struct OSLogStringAlignment: Sendable {
  let width: Int
  let isRight: Bool

  /// As wide as it is.
  public static var none: OSLogStringAlignment { OSLogStringAlignment(width: 0, isRight: false) }

  /// At least so wide, the value on the right.
  public static func right(columns: Int) -> OSLogStringAlignment {
    OSLogStringAlignment(width: columns, isRight: true)
  }

  /// At least so wide, the value on the left.
  public static func left(columns: Int) -> OSLogStringAlignment {
    OSLogStringAlignment(width: columns, isRight: false)
  }

  func aligned(_ text: String) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    return isRight ? spaces + text : text + spaces
  }
}
