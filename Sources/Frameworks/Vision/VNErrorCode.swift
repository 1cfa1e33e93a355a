internal import Foundation

/// The domain of Vision's errors.
///
/// Apple: `VNErrorDomain`.
public let VNErrorDomain = "com.apple.vis"

/// The codes of Vision's errors, which are `NSError`s of ``VNErrorDomain``, with Apple's numbers; those that are thrown here.
///
/// Apple: `VNErrorCode`.
public enum VNErrorCode: Int, Sendable {
  /// `VNRequest.cancel()` was called before the request had ended.
  case requestCancelled = 1
  /// The picture is of a pixel format that cannot be read, or another format was asked for than can be given.
  case invalidFormat = 2
  /// The search failed.
  case operationFailed = 3
  /// A part of the picture lies outside of it.
  case outOfBoundsError = 4
  /// A file cannot be read.
  case ioError = 6
  /// There is no memory.
  case outOfMemory = 10
  /// There is no picture.
  case invalidImage = 13
  /// A value is out of its range.
  case invalidArgument = 14
  /// The model that finds it is not there: `scripts/setup --models` fetches it.
  case invalidModel = 15
  /// The request has no such revision.
  case unsupportedRevision = 16
}

extension VNErrorCode {
  /// The error of this code, with its reason as one sentence.
  func error(_ reason: String) -> NSError {
    NSError(domain: VNErrorDomain, code: rawValue, userInfo: [NSLocalizedDescriptionKey: reason])
  }
}
