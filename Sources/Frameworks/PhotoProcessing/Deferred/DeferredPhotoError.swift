internal import Foundation
package import Linux

/// The reason why frames cannot be stored, or a deferred photo not be finished.
package enum DeferredPhotoError: Error, Sendable, CustomStringConvertible {
  /// The store holds as much as it may; finish or discard photos.
  case full(byteLimit: Int)
  /// The store has no frames under the identifier: they were discarded, or are of another store.
  case unknown(String)
  /// The file of the frames is damaged.
  case damaged(String)
  /// A camera's frames of such a kind cannot be stored.
  case unsuitable
  /// The disk or the folder refused.
  case system(SystemError)

  /// One sentence: what failed, why, what to do.
  package var description: String {
    switch self {
    case .full(let limit):
      "No more photos can be deferred: the store has its \(limit >> 20) MB; finish some of the photos in it."
    case .unknown(let identifier):
      "The deferred photo \(identifier) has no frames in the store; keep its proxy."
    case .damaged(let identifier):
      "The stored frames of the deferred photo \(identifier) are damaged; keep its proxy."
    case .unsuitable:
      "Frames of this kind cannot be stored; take the photo without deferred delivery."
    case .system(let error): error.description
    }
  }
}

extension DeferredPhotoError: LocalizedError {
  package var errorDescription: String? { description }
}
