internal import CoreVideo
public import Foundation
internal import Linux

/// Called when a request has ended, with its error if it failed.
///
/// Apple: `VNRequestCompletionHandler`.
public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// Searches that have results.
///
/// What all searches have in common is here, because each kind has `results` of its own type, with which Swift replaces a protocol's
/// member, and not a class's.
public protocol VisionResultSource {}

extension VisionResultSource where Self: VNRequest {
  /// What was found last, of whatever kind the search is for; `nil` before the request was performed, and after it failed.
  ///
  /// Apple: `VNRequest.results`.
  public var results: [VNObservation]? { observations }
}

/// A search in pictures; the base of all of them.
///
/// A handler performs it, and then its results are there. One request may be performed again; by one handler at a time.
///
/// Source: [VNRequest](https://developer.apple.com/documentation/vision/vnrequest).
open class VNRequest: NSObject, VisionResultSource, @unchecked Sendable {
  // Safe because what changes meanwhile is locked; the rest belongs to the thread that performs the request, as with Apple's.

  /// What is called when the request has ended, on the thread that performs it, before `perform` returns.
  ///
  /// Apple: `VNRequest.completionHandler`.
  public let completionHandler: VNRequestCompletionHandler?
  /// Asks for less haste where other work is more urgent; a search takes what it takes here.
  ///
  /// Apple: `VNRequest.preferBackgroundProcessing`.
  open var preferBackgroundProcessing = false
  /// Which version of the search is wanted: one of ``supportedRevisions``, the newest at first.
  ///
  /// Another one fails with `unsupportedRevision` when the request is performed.
  ///
  /// Apple: `VNRequest.revision`.
  open var revision: Int
  private let outcome = Locked<(results: [VNObservation]?, isCancelled: Bool)>((nil, false))

  /// A request without a completion handler.
  ///
  /// Apple: `VNRequest.init()`.
  public convenience override init() {
    self.init(completionHandler: nil)
  }

  /// A request that tells when it has ended.
  ///
  /// Apple: `VNRequest.init(completionHandler:)`.
  public init(completionHandler: VNRequestCompletionHandler? = nil) {
    self.completionHandler = completionHandler
    revision = Self.currentRevision
    super.init()
  }

  /// What was found last; `nil` before the request was performed, and after it failed.
  var observations: [VNObservation]? { outcome.withLock { $0.results } }

  /// The versions of the search.
  ///
  /// Apple: `VNRequest.supportedRevisions`.
  open class var supportedRevisions: IndexSet { IndexSet(integer: 1) }

  /// The newest of ``supportedRevisions``.
  ///
  /// Apple: `VNRequest.currentRevision`.
  open class var currentRevision: Int { supportedRevisions.last ?? 1 }

  /// The version that a new request has: the newest.
  ///
  /// Apple: `VNRequest.defaultRevision`.
  open class var defaultRevision: Int { currentRevision }

  /// Has the request end with `requestCancelled`, unless it has ended; from any thread.
  ///
  /// A search that is under way goes on, and its results are thrown away; a reading of text ends.
  ///
  /// Apple: `VNRequest.cancel()`.
  open func cancel() {
    outcome.withLock { $0.isCancelled = true }
  }

  /// Whether ``cancel()`` was called since the request ended last.
  var isCancelled: Bool { outcome.withLock { $0.isCancelled } }

  /// Searches a picture.
  func search(_ picture: SearchedPicture) throws -> [VNObservation] { [] }

  /// Performs the request, and calls the completion handler.
  func perform(on picture: SearchedPicture) throws {
    var failure: (any Error)?
    var found: [VNObservation]?
    do {
      guard Self.revisions(of: self).contains(revision) else {
        throw VNErrorCode.unsupportedRevision.error(
          "\(type(of: self)) has no revision \(revision); ask its supportedRevisions.")
      }
      try checkCancelled()
      found = try search(picture)
      try checkCancelled()
    } catch {
      (found, failure) = (nil, error)
    }
    let results = found
    outcome.withLock { $0 = (results, false) }
    completionHandler?(self, failure)
    if let failure { throw failure }
  }

  private static func revisions(of request: VNRequest) -> IndexSet { type(of: request).supportedRevisions }

  private func checkCancelled() throws {
    guard isCancelled else { return }
    throw VNErrorCode.requestCancelled.error("The request was cancelled.")
  }
}

/// A search in one picture at a time.
///
/// Source: [VNImageBasedRequest](https://developer.apple.com/documentation/vision/vnimagebasedrequest).
open class VNImageBasedRequest: VNRequest, @unchecked Sendable {  // Safe for the same reasons.
  /// The part of the picture that is searched, in fractions of it, y upwards; results are in fractions of the part.
  ///
  /// All of it at first. One that is not inside of the picture fails with `outOfBoundsError` when the request is performed.
  ///
  /// Apple: `VNImageBasedRequest.regionOfInterest`.
  open var regionOfInterest = VNNormalizedIdentityRect

  override func search(_ picture: SearchedPicture) throws -> [VNObservation] {
    let part = try picture.part(regionOfInterest)
    do {
      return try search(part, PartPlaces(part, in: reportsWholePicture ? regionOfInterest : nil))
    } catch let error as NSError where error.domain == VNErrorDomain {
      throw error
    } catch {
      throw VNErrorCode.operationFailed.error("\(error)")
    }
  }

  /// Whether results are in fractions of the picture also where a part of it is searched.
  var reportsWholePicture: Bool { false }

  /// Searches a part of a picture.
  func search(_ part: CVPixelBuffer, _ places: PartPlaces) throws -> [VNObservation] { [] }
}
