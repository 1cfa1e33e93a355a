internal import Foundation
internal import FoundationExtras
internal import Linux
package import MediaFiles

/// The file of an asset: opened when something is first asked of it, once.
final class AssetFile: Sendable {
  let url: URL
  private let opened = Locked<Result<MovieFile, AVError>?>(nil)
  /// Held while the file is opened, so that a second thread waits for the first.
  private let opening = Lock()

  init(_ url: URL) {
    self.url = url
  }

  /// Whether the file was opened or refused.
  var isOpened: Bool { opened.withLock { $0 != nil } }

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
      return .failure(AVError(reading: error))
    }
  }
}

extension AVError {
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
