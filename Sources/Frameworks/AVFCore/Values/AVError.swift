public import Foundation

/// The domain of every ``AVError``.
///
/// Apple: `AVFoundationErrorDomain`.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An `NSError` whose `code`, as a plain number, stands behind a typed one of a subclass.
///
/// It exists because a class cannot both hide its superclass's `code` and prefer its own: here the number is made the
/// less preferred of the two, and ``AVError`` adds the typed one.
open class NumberedError: NSError, @unchecked Sendable {  // Safe because it is constant after init.
  /// The error's number.
  @_disfavoredOverload public final override var code: Int { _code }
}

/// An error of AVFoundation, which both `catch let error as AVError` and `catch let error as NSError` match.
///
/// `localizedDescription` is one whole sentence or two: what failed and why; `localizedRecoverySuggestion` is what to do.
///
/// Apple: `AVError`.
/// - Note: Unlike AVFoundation's, it is a class: on Linux a structure would not be matched as `NSError`.
public final class AVError: NumberedError, @unchecked Sendable {  // Safe because it is constant after init.
  /// The typed code.
  @_nonoverride public var code: Code { Code(number: _code) }

  /// Makes the error with the given code; missing texts are added from the code.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    super.init(
      domain: AVFoundationErrorDomain, code: code.rawValue,
      userInfo: code.texts.merging(userInfo) { _, given in given })
  }

  /// Makes the same error from one that is typed as `NSError` only; the domain is taken as right.
  public convenience init(_nsError error: NSError) {
    self.init(Code(number: error.code), userInfo: error.userInfo)
  }

  /// Makes the error with a sentence of its own instead of the code's, and what is under it.
  package convenience init(_ code: Code, because sentence: String, underlying: (any Error)? = nil) {
    var information: [String: Any] = [NSLocalizedDescriptionKey: sentence]
    if let underlying { information[NSUnderlyingErrorKey] = underlying }
    self.init(code, userInfo: information)
  }

  /// Reads the error from an archive.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  /// The domain of every error of this class.
  public static var errorDomain: String { AVFoundationErrorDomain }

  /// The codes of errors; the numbers are Apple's.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// Apple's number.
    public let rawValue: Int

    /// The code with Apple's number `rawValue`; always succeeds, optional because Apple's is.
    public init?(rawValue: Int) {
      self.rawValue = rawValue
    }

    package init(number: Int) {
      rawValue = number
    }

    /// Whether `error` is an ``AVError`` of this code, for `catch AVError.diskFull`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? AVError)?.code == code
    }
  }
}
