public import CoreMedia
public import CoreVideo
public import Foundation
public import GraphicsCore
public import ImageCore
public import ImageIO

/// A fact about a picture that a handler may know; none makes a difference here.
///
/// Apple: `VNImageOption`.
public struct VNImageOption: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// An option of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Properties of the picture, as ImageIO has them.
  public static let properties = VNImageOption(rawValue: "VNImageOptionProperties")
  /// The camera's matrix, as `kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix` holds it.
  public static let cameraIntrinsics = VNImageOption(rawValue: "VNImageOptionCameraIntrinsics")
  /// A context that renders the picture.
  public static let ciContext = VNImageOption(rawValue: "VNImageOptionCIContext")
}

/// Performs requests on one picture.
///
/// Pictures are read when the first request is performed. One thread at a time.
///
/// Source: [VNImageRequestHandler](https://developer.apple.com/documentation/vision/vnimagerequesthandler).
open class VNImageRequestHandler: NSObject, @unchecked Sendable {
  // Safe: one thread at a time, as Apple has it.

  private let read: () throws -> (CVPixelBuffer, CGImagePropertyOrientation)
  private var picture: SearchedPicture?

  private init(_ read: @escaping () throws -> (CVPixelBuffer, CGImagePropertyOrientation)) {
    self.read = read
    super.init()
  }

  /// A handler of a pixel buffer, which is turned as a viewer would turn it.
  ///
  /// Apple: `VNImageRequestHandler.init(cvPixelBuffer:orientation:options:)`.
  public convenience init(
    cvPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation = .up,
    options: [VNImageOption: Any] = [:]
  ) {
    self.init { (pixelBuffer, orientation) }
  }

  /// A handler of a sample buffer's picture; one without fails with `invalidImage` when it is performed.
  ///
  /// Apple: `VNImageRequestHandler.init(cmSampleBuffer:orientation:options:)`.
  public convenience init(
    cmSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation = .up,
    options: [VNImageOption: Any] = [:]
  ) {
    self.init { (try Self.pixels(of: sampleBuffer), orientation) }
  }

  /// A handler of an image.
  ///
  /// Apple: `VNImageRequestHandler.init(cgImage:orientation:options:)`.
  public convenience init(
    cgImage image: CGImage, orientation: CGImagePropertyOrientation = .up, options: [VNImageOption: Any] = [:]
  ) {
    self.init { (try SearchedPicture.pixels(of: image), orientation) }
  }

  /// A handler of a Core Image image, within its extent.
  ///
  /// Apple: `VNImageRequestHandler.init(ciImage:orientation:options:)`.
  public convenience init(
    ciImage image: CIImage, orientation: CGImagePropertyOrientation = .up, options: [VNImageOption: Any] = [:]
  ) {
    self.init { (try SearchedPicture.pixels(of: image), orientation) }
  }

  /// A handler of a picture file, which is turned as it says.
  ///
  /// Apple: `VNImageRequestHandler.init(url:options:)`.
  public convenience init(url imageURL: URL, options: [VNImageOption: Any] = [:]) {
    self.init { try SearchedPicture.pixels(of: SearchedPicture.bytes(of: imageURL)) }
  }

  /// A handler of a picture file, which is turned as the caller says.
  ///
  /// Apple: `VNImageRequestHandler.init(url:orientation:options:)`.
  public convenience init(
    url imageURL: URL, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
  ) {
    self.init { (try SearchedPicture.pixels(of: SearchedPicture.bytes(of: imageURL)).0, orientation) }
  }

  /// A handler of a picture file's bytes, which is turned as they say.
  ///
  /// Apple: `VNImageRequestHandler.init(data:options:)`.
  public convenience init(data imageData: Data, options: [VNImageOption: Any] = [:]) {
    self.init { try SearchedPicture.pixels(of: imageData) }
  }

  /// A handler of a picture file's bytes, which is turned as the caller says.
  ///
  /// Apple: `VNImageRequestHandler.init(data:orientation:options:)`.
  public convenience init(
    data imageData: Data, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
  ) {
    self.init { (try SearchedPicture.pixels(of: imageData).0, orientation) }
  }

  static func pixels(of sample: CMSampleBuffer) throws -> CVPixelBuffer {
    guard let pixels = CMSampleBufferGetImageBuffer(sample) else {
      throw VNErrorCode.invalidImage.error(
        "The sample buffer has no picture; deliver it uncompressed.")
    }
    return pixels
  }

  /// Performs requests, one after the other, on the caller's thread; all of them, also where one fails.
  ///
  /// Each request's completion handler is called meanwhile.
  ///
  /// - Throws: The first error: an `NSError` of ``VNErrorDomain``.
  ///
  /// Apple: `VNImageRequestHandler.perform(_:)`.
  open func perform(_ requests: [VNRequest]) throws {
    let picture: SearchedPicture
    if let known = self.picture {
      picture = known
    } else {
      let (pixels, orientation) = try read()
      picture = SearchedPicture(pixels, orientation)
      self.picture = picture
    }
    try Self.perform(requests, on: picture)
  }

  static func perform(_ requests: [VNRequest], on picture: SearchedPicture) throws {
    var first: (any Error)?
    for request in requests {
      do {
        try request.perform(on: picture)
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }
}

/// Performs requests on one picture after another, such as a stream's frames.
///
/// Source: [VNSequenceRequestHandler](https://developer.apple.com/documentation/vision/vnsequencerequesthandler).
open class VNSequenceRequestHandler: NSObject, @unchecked Sendable {  // Safe: without state.
  /// A handler.
  ///
  /// Apple: `VNSequenceRequestHandler.init()`.
  public override init() {
    super.init()
  }

  /// Performs requests on a pixel buffer, as ``VNImageRequestHandler/perform(_:)``.
  ///
  /// Apple: `VNSequenceRequestHandler.perform(_:on:orientation:)`.
  open func perform(
    _ requests: [VNRequest], on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation = .up
  ) throws {
    try VNImageRequestHandler(cvPixelBuffer: pixelBuffer, orientation: orientation).perform(requests)
  }

  /// Performs requests on a sample buffer's picture.
  ///
  /// Apple: `VNSequenceRequestHandler.perform(_:on:orientation:)`.
  open func perform(
    _ requests: [VNRequest], on sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation = .up
  ) throws {
    try VNImageRequestHandler(cmSampleBuffer: sampleBuffer, orientation: orientation).perform(requests)
  }

  /// Performs requests on an image.
  ///
  /// Apple: `VNSequenceRequestHandler.perform(_:on:orientation:)`.
  open func perform(
    _ requests: [VNRequest], on image: CGImage, orientation: CGImagePropertyOrientation = .up
  ) throws {
    try VNImageRequestHandler(cgImage: image, orientation: orientation).perform(requests)
  }

  /// Performs requests on a Core Image image.
  ///
  /// Apple: `VNSequenceRequestHandler.perform(_:on:orientation:)`.
  open func perform(
    _ requests: [VNRequest], on image: CIImage, orientation: CGImagePropertyOrientation = .up
  ) throws {
    try VNImageRequestHandler(ciImage: image, orientation: orientation).perform(requests)
  }

  /// Performs requests on a picture file.
  ///
  /// Apple: `VNSequenceRequestHandler.perform(_:onImageURL:)`.
  open func perform(_ requests: [VNRequest], onImageURL imageURL: URL) throws {
    try VNImageRequestHandler(url: imageURL).perform(requests)
  }

  /// Performs requests on a picture file's bytes.
  ///
  /// Apple: `VNSequenceRequestHandler.perform(_:onImageData:)`.
  open func perform(_ requests: [VNRequest], onImageData imageData: Data) throws {
    try VNImageRequestHandler(data: imageData).perform(requests)
  }
}
