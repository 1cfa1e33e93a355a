public import AVFCore
public import Foundation

/// The domain of every ``PHPhotosError``.
///
/// Apple: `PHPhotosErrorDomain`.
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"

/// An error of the photo library.
///
/// `localizedDescription` is one sentence: what failed, why, and what to do. Apple: `PHPhotosError`.
/// - Note: Unlike AVFoundation's relatives on Apple's platforms, it is a class: on Linux a structure would not be matched as `NSError`.
public final class PHPhotosError: NumberedError, @unchecked Sendable {  // Safe: it is constant.
  /// The typed code.
  @_nonoverride public var code: Code { Code(rawValue: _code) ?? .internalError }

  /// The error of a code.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    super.init(domain: PHPhotosErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// The error of a code with its sentence, and what is under it.
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
  public static var errorDomain: String { PHPhotosErrorDomain }

  /// The codes of errors; the numbers are Apple's.
  public enum Code: Int, Sendable {
    /// The library failed in itself: its database is damaged, or another program holds it for too long.
    case internalError = -1
    /// The client has cancelled it.
    case userCancelled = 3072
    /// The disk of the library is not there.
    case libraryVolumeOffline = 3114
    /// Something must be loaded, and loading is not allowed.
    case networkAccessRequired = 3164
    /// There is no object of that identifier.
    case identifierNotFound = 3201
    /// The object cannot be changed in that way.
    case changeNotSupported = 3300
    /// It was interrupted before its end.
    case operationInterrupted = 3301
    /// A resource is of a kind that does not fit, or its content is no such thing.
    case invalidResource = 3302
    /// A resource that is needed is not there.
    case missingResource = 3303
    /// The disk is full.
    case notEnoughSpace = 3305
    /// The request does not fit the asset.
    case requestNotSupportedForAsset = 3306
    /// The library's folder cannot be written.
    case accessRestricted = 3310
    /// The library's folder cannot be read.
    case accessUserDenied = 3311
    /// The changes since a token are no longer known.
    case persistentChangeTokenExpired = 3105
    /// The details of a change are not known.
    case persistentChangeDetailsUnavailable = 3210

    /// Whether `error` is a ``PHPhotosError`` of this code, for `catch PHPhotosError.Code.notEnoughSpace`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? PHPhotosError)?.code == code
    }
  }
}
