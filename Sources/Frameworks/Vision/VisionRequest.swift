public import CoreMedia
public import CoreVideo
internal import Dispatch
public import Foundation
public import GraphicsCore
public import ImageCore
public import ImageIO

/// A picture on its way to a request.
public struct VisionPicture {
  let picture: SearchedPicture
}

/// A search that says what it finds by its type.
///
/// Apple: `VisionRequest`.
public protocol VisionRequest: Sendable {
  /// What it finds.
  associatedtype Result: Sendable

  /// Searches a picture on the caller's thread; a handler calls it.
  func result(of picture: VisionPicture) throws -> Result
}

/// A search in one picture at a time.
///
/// Apple: `ImageProcessingRequest`.
public protocol ImageProcessingRequest: VisionRequest {
  /// The part of the picture that is searched; results are in fractions of it.
  var regionOfInterest: NormalizedRect { get set }
}

extension ImageProcessingRequest {
  /// Searches an image, which is turned as a viewer would turn it; on a thread of the library's.
  ///
  /// - Throws: An `NSError` of ``VNErrorDomain``.
  ///
  /// Apple: `ImageProcessingRequest.perform(on:orientation:)`.
  public func perform(on image: CGImage, orientation: CGImagePropertyOrientation? = nil) async throws
    -> Result
  {
    try await ImageRequestHandler(image, orientation: orientation).perform(self)
  }

  /// Searches a Core Image image, within its extent.
  ///
  /// Apple: `ImageProcessingRequest.perform(on:orientation:)`.
  public func perform(on image: CIImage, orientation: CGImagePropertyOrientation? = nil) async throws
    -> Result
  {
    try await ImageRequestHandler(image, orientation: orientation).perform(self)
  }

  /// Searches a pixel buffer.
  ///
  /// Apple: `ImageProcessingRequest.perform(on:orientation:)`.
  public func perform(
    on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(pixelBuffer, orientation: orientation).perform(self)
  }

  /// Searches a sample buffer's picture.
  ///
  /// Apple: `ImageProcessingRequest.perform(on:orientation:)`.
  public func perform(
    on sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> Result {
    try await ImageRequestHandler(sampleBuffer, orientation: orientation).perform(self)
  }

  /// Searches a picture file, which is turned as it says where the caller says nothing.
  ///
  /// Apple: `ImageProcessingRequest.perform(on:orientation:)`.
  public func perform(on url: URL, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
    try await ImageRequestHandler(url, orientation: orientation).perform(self)
  }

  /// Searches a picture file's bytes.
  ///
  /// Apple: `ImageProcessingRequest.perform(on:orientation:)`.
  public func perform(on data: Data, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
    try await ImageRequestHandler(data, orientation: orientation).perform(self)
  }
}

/// Performs requests on one picture, one after the other.
///
/// Thread-safe.
///
/// Apple: `ImageRequestHandler`.
public final class ImageRequestHandler: @unchecked Sendable {
  // Safe because only `queue` reaches what changes.

  private let queue = DispatchQueue(label: "obscura.vision")
  private let read: () throws -> (CVPixelBuffer, CGImagePropertyOrientation)
  private var picture: SearchedPicture?

  private init(_ read: @escaping () throws -> (CVPixelBuffer, CGImagePropertyOrientation)) {
    self.read = read
  }

  /// A handler of an image.
  ///
  /// Apple: `ImageRequestHandler.init(_:orientation:)`.
  public convenience init(_ image: CGImage, orientation: CGImagePropertyOrientation? = nil) {
    self.init { (try SearchedPicture.pixels(of: image), orientation ?? .up) }
  }

  /// A handler of a Core Image image, within its extent.
  ///
  /// Apple: `ImageRequestHandler.init(_:orientation:)`.
  public convenience init(_ image: CIImage, orientation: CGImagePropertyOrientation? = nil) {
    self.init { (try SearchedPicture.pixels(of: image), orientation ?? .up) }
  }

  /// A handler of a pixel buffer.
  ///
  /// Apple: `ImageRequestHandler.init(_:orientation:)`.
  public convenience init(_ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil) {
    self.init { (pixelBuffer, orientation ?? .up) }
  }

  /// A handler of a sample buffer's picture.
  ///
  /// Apple: `ImageRequestHandler.init(_:orientation:)`.
  public convenience init(_ sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation? = nil) {
    self.init { (try VNImageRequestHandler.pixels(of: sampleBuffer), orientation ?? .up) }
  }

  /// A handler of a picture file.
  ///
  /// Apple: `ImageRequestHandler.init(_:orientation:)`.
  public convenience init(_ url: URL, orientation: CGImagePropertyOrientation? = nil) {
    self.init {
      let (pixels, own) = try SearchedPicture.pixels(of: SearchedPicture.bytes(of: url))
      return (pixels, orientation ?? own)
    }
  }

  /// A handler of a picture file's bytes.
  ///
  /// Apple: `ImageRequestHandler.init(_:orientation:)`.
  public convenience init(_ data: Data, orientation: CGImagePropertyOrientation? = nil) {
    self.init {
      let (pixels, own) = try SearchedPicture.pixels(of: data)
      return (pixels, orientation ?? own)
    }
  }

  /// Performs a request, on a thread of the library's.
  ///
  /// - Throws: An `NSError` of ``VNErrorDomain``.
  ///
  /// Apple: `ImageRequestHandler.perform(_:)`.
  public func perform<Request: VisionRequest>(_ request: Request) async throws -> Request.Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(with: Result { try request.result(of: VisionPicture(picture: searched())) })
      }
    }
  }

  /// Performs several requests, and gives what each has found.
  ///
  /// - Throws: The first error.
  ///
  /// Apple: `ImageRequestHandler.perform(_:)`.
  public func perform<each Request: VisionRequest>(
    _ request: repeat each Request
  ) async throws -> (repeat (each Request).Result) {
    (repeat try await perform(each request))
  }

  private func searched() throws -> SearchedPicture {
    if let picture { return picture }
    let (pixels, orientation) = try read()
    let picture = SearchedPicture(pixels, orientation)
    self.picture = picture
    return picture
  }
}
