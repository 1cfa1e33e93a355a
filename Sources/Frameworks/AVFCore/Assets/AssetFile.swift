internal import Foundation
internal import FoundationExtras
internal import Linux
package import MediaFiles

/// The file of an asset: opened when something is first asked of it, once.
final class AssetFile: Sendable {
  let url: URL
  private let opened = Locked<Result<MovieFile, AVError>?>(nil)
  private let isAwaited = Locked(false)
  /// Held while the file is opened, so that a second thread waits for the first.
  private let opening = Lock()

  init(_ url: URL) {
    self.url = url
  }

  /// Whether the file was opened or refused.
  var isOpened: Bool { opened.withLock { $0 != nil } }

  /// Notes that the file will be opened for what waits for it.
  func noteLoading() { isAwaited.withLock { $0 = true } }

  /// Whether the file is being opened for what waits for it.
  var isLoading: Bool { isAwaited.withLock { $0 } && !isOpened }

  /// The file; blocks for the disk the first time.
  var movie: Result<MovieFile, AVError> {
    if let known = opened.withLock({ $0 }) { return known }
    return opening.withLock {
      if let known = opened.withLock({ $0 }) { return known }
      let result = Self.open(url)
      opened.withLock { $0 = result }
      return result
    }
  }

  private static func open(_ url: URL) -> Result<MovieFile, AVError> {
    guard url.isFileURL else {
      return .failure(
        AVError(.unknown, because: "\(url.absoluteString) is no file, and only files can be opened."))
    }
    do throws(MovieFileError) {
      return .success(try MovieFile(path: url.path))
    } catch {
      return .failure(AVError(opening: url, error))
    }
  }
}

extension AVError {
  /// Why a file cannot be opened.
  fileprivate convenience init(opening url: URL, _ error: MovieFileError) {
    let number =
      switch error.system?.reason {
      case .notFound: NSURLErrorFileDoesNotExist
      case .permissionDenied: NSURLErrorNoPermissionsToReadFile
      default: 0
      }
    guard number != 0 else {
      self.init(reading: error)
      return
    }
    var information: [String: Any] = [
      NSLocalizedDescriptionKey: error.description, NSURLErrorFailingURLErrorKey: url,
      Self.urlErrorKey: number,
    ]
    if let system = error.system { information[NSUnderlyingErrorKey] = system }
    self.init(.unknown, userInfo: information)
  }

  private static let urlErrorKey = "obscura.url-error"

  /// The error as clients get it: a file that is not there, or may not be read, is an error of `NSURLErrorDomain` (-1100, -1102).
  var published: NSError {
    guard let number = userInfo[Self.urlErrorKey] as? Int else { return self }
    var information = userInfo
    information[Self.urlErrorKey] = nil
    return NSError(domain: NSURLErrorDomain, code: number, userInfo: information)
  }

  /// What failed while a file was read.
  convenience init(reading error: MovieFileError) {
    let code: Code = error.system == nil ? .fileFormatNotRecognized : .unknown
    self.init(code, because: error.description, underlying: error.system)
  }

  /// What failed while a file was written.
  package convenience init(writing error: MovieFileError) {
    let code: Code =
      switch error.system?.reason {
      case .diskFull: .diskFull
      case .fileTooLarge: .maximumFileSizeReached
      case .alreadyExists: .fileAlreadyExists
      default: .unknown
      }
    self.init(code, because: error.description, underlying: error.system)
  }
}
