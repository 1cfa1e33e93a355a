/// The domain of every ``CLError``.
///
/// Apple: `kCLErrorDomain`.
public let kCLErrorDomain = "kCLErrorDomain"

/// An `NSError` whose number stands behind the typed code of ``CLError``.
open class NumberedLocationError: NSError, @unchecked Sendable {  // Safe: constant after init.
  /// The error's number.
  @_disfavoredOverload public final override var code: Int { _code }
}

/// An error of looking for the machine's place, which both `catch let error as CLError` and `as NSError` match.
///
/// Apple: `CLError`.
/// - Note: Unlike Core Location's, it is a class: on Linux a structure would not be matched as `NSError`.
public final class CLError: NumberedLocationError, @unchecked Sendable {  // Safe: constant after init.
  /// The codes, with Apple's numbers.
  ///
  /// Apple: `CLError.Code`.
  public enum Code: Int, Sendable {
    /// The place is not known at present.
    case locationUnknown = 0
    /// The program may not know it, or the machine does not.
    case denied = 1
    /// There is no network.
    case network = 2
  }

  /// The typed code.
  @_nonoverride public var code: Code { Code(rawValue: _code) ?? .locationUnknown }

  /// The error of this code.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    super.init(domain: kCLErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// Reads the error from an archive.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  /// The domain of every error of this class.
  public static var errorDomain: String { kCLErrorDomain }
  /// The place is not known at present.
  public static var locationUnknown: Code { .locationUnknown }
  /// The program may not know it, or the machine does not.
  public static var denied: Code { .denied }
  /// There is no network.
  public static var network: Code { .network }
}
