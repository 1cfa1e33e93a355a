internal import CameraFrames
package import CaptureDevice
package import CoreVideo
package import Foundation
internal import ImageIO
internal import PixelTransforms
internal import RawPictures
internal import StillCodecs

/// A raw picture with all that its file says: the sensor's numbers as they are, their levels, the camera's colours.
package struct RawPhoto: @unchecked Sendable {  // Safe because the numbers are not written to.
  /// The sensor's numbers, unscaled, in `kCVPixelFormatType_14Bayer_…`.
  package let mosaic: CVPixelBuffer
  private var options: DNGEncoder.Options
  private let orientation: Int

  /// The longer side of the preview in a file for which none was asked.
  static let previewSide = 1024

  /// The raw picture of a frame.
  ///
  /// - Parameters:
  ///   - mosaic: The frame's.
  ///   - picture: The developed picture of the same frame, of which the preview is made; `nil` leaves it out.
  /// - Throws: `SensorMosaic.TooShort`, `PixelTransformError`, `StillCodecError`, CoreVideo's errors.
  init(
    _ mosaic: SensorMosaic, _ controls: ControlState, picture: CVPixelBuffer?,
    for request: PhotoProcessingRequest
  ) throws {
    let numbers = try CVPixelBuffer(
      format: mosaic.layout.pixelFormat, width: mosaic.size.width, height: mosaic.size.height)
    try mosaic.unpack(into: numbers)
    self.mosaic = numbers
    orientation = Int(request.orientation.rawValue)
    var options = DNGEncoder.Options()
    options.bits = mosaic.layout.bits
    options.blackLevels = mosaic.blackLevels
    options.whiteLevel = mosaic.whiteLevel
    options.colors = [mosaic.colors.map { DNGEncoder.Colors(matrix: $0.matrix) } ?? Self.plain]
    options.neutral = Self.neutral(mosaic, numbers, controls)
    if let noise = mosaic.noise {
      options.noise = Array(repeating: DNGEncoder.Noise(shot: noise.shot, read: noise.read), count: 3)
    }
    let names = [request.camera.make, request.camera.model].filter { !$0.isEmpty }
    options.cameraModel = names.isEmpty ? "Camera" : names.joined(separator: " ")
    options.preview = try picture.map {
      try Self.preview($0, request.raw?.thumbnail?.maxWidth, request.raw?.thumbnail?.maxHeight)
    }
    self.options = options
  }

  /// A raw picture that was handed on with its properties, in ImageIO's dictionaries.
  ///
  /// - Parameter preview: A picture of which the file's preview is made; `nil` leaves it out.
  /// - Throws: `StillCodecError`, `PixelTransformError`.
  package init(_ mosaic: CVPixelBuffer, _ properties: [String: Any], preview: CVPixelBuffer?) throws {
    self.mosaic = mosaic
    orientation = LooseNumber.integer(properties[kCGImagePropertyOrientation as String]) ?? 1
    let own = properties[kCGImagePropertyDNGDictionary as String] as? [String: Any] ?? [:]
    var options = DNGEncoder.Options()
    options.take(dngProperties: own as CFDictionary)
    // As many as the greatest number has.
    let white = min(max(options.whiteLevel ?? 16383, 1), 65535)
    options.bits = max(8, Int.bitWidth - white.leadingZeroBitCount)
    if options.colors.isEmpty { options.colors = [Self.plain] }
    if let name = own[kCGImagePropertyDNGUniqueCameraModel as String] as? String {
      options.cameraModel = name
    }
    options.preview = try preview.map { try Self.preview($0, nil, nil) }
    self.options = options
  }

  /// A DNG file with these properties.
  ///
  /// - Parameter former: Properties whose place they take: the name that the photo shares with a Live Photo's movie is kept of these.
  /// - Throws: `StillCodecError`.
  package func file(_ metadata: PhotoMetadata, inPlaceOf former: PhotoMetadata? = nil) throws -> Data {
    var options = options
    options.exif = ExifBlock(properties: metadata.properties)
    options.exif.keepContentIdentifier(of: former.map { ExifBlock(properties: $0.properties) })
    options.exif.complete(width: mosaic.width, height: mosaic.height, colorSpace: nil)
    let own = LooseNumber.integer(metadata.properties[kCGImagePropertyOrientation as String])
    options.orientation = own.flatMap { (1...8).contains($0) ? $0 : nil } ?? orientation
    return try DNGEncoder.encode(mosaic, options: options)
  }

  /// The meaning of the numbers, in ImageIO's dictionary for it.
  var properties: [String: Any] { BoxedNumbers.boxed(options.dngProperties as [String: Any]) }

  /// The same with another thumbnail.
  ///
  /// - Throws: `StillCodecError`, `PixelTransformError`.
  package func with(_ thumbnail: PhotoFile.Thumbnail) throws -> RawPhoto {
    var raw = self
    switch thumbnail {
    case .keep: break
    case .remove: raw.options.preview = nil
    case .replace(let picture, let request):
      raw.options.preview = try Self.preview(picture, request.maxWidth, request.maxHeight)
    }
    return raw
  }

  /// A sensor of which nothing is known sees as sRGB does, for readers refuse files without colours.
  private static let plain = DNGEncoder.Colors(
    matrix: [
      3.240_969_942, -1.537_383_178, -0.498_610_760, -0.969_243_636, 1.875_967_502, 0.041_555_057,
      0.055_630_080, -0.203_976_959, 1.056_971_514,
    ])

  /// What the sensor sees of white: by the camera's balance where it knows its colours, else by the mean of all.
  private static func neutral(_ mosaic: SensorMosaic, _ numbers: CVPixelBuffer, _ controls: ControlState)
    -> [Double]
  {
    let gains =
      mosaic.colors == nil
      ? MosaicStatistics.greyGains(of: numbers, mosaic.facts(gains: .one))
      : controls.whiteBalanceGains.factors
    let white = [gains.x, gains.y, gains.z].map { 1 / max($0, 1e-6) }
    let most = white.max() ?? 1
    return white.map { $0 / most }
  }

  private static func preview(_ picture: CVPixelBuffer, _ maxWidth: Int?, _ maxHeight: Int?) throws -> Data {
    let size = PhotoDeveloper.size(
      .init(width: picture.width, height: picture.height), within: maxWidth ?? previewSide,
      maxHeight ?? previewSide)
    let small = try PixelTransformer(bufferLimit: 1).apply(
      FrameTransform(size: PixelSize(size), pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
      to: picture)
    var options = JPEGEncoder.Options()
    options.quality = 0.85
    return try JPEGEncoder.encode(small, options: options)
  }
}

extension PhotoProcessor {
  /// The raw picture of a frame, with its file.
  ///
  /// - Parameters:
  ///   - frame: One with a mosaic.
  ///   - negative: The developed picture of the same frame, for previews; `nil` where it could not be developed.
  /// - Throws: ``NoMosaic`` and what ``RawPhoto`` throws.
  package func raw(
    of frame: CapturedFrame, _ negative: PhotoDeveloper.Negative?, for request: PhotoProcessingRequest
  ) throws -> PhotoResult {
    guard let mosaic = frame.mosaic else { throw NoMosaic() }
    var result = PhotoResult(request, size: mosaic.size, isWideColor: false)
    let raw = try RawPhoto(mosaic, frame.conditions.state, picture: negative?.whole, for: request)
    result.metadata = result.metadata.merging(
      PhotoMetadata([kCGImagePropertyDNGDictionary as String: raw.properties]))
    result.raw = raw
    result.isRaw = true
    result.pixelBuffer = raw.mosaic
    result.file = try raw.file(result.metadata)
    result.preview = negative?.preview
    result.controls = request.frame?.controls
    if let thumbnail = request.raw?.thumbnail, let whole = negative?.whole {
      result.thumbnailSize = PhotoDeveloper.size(
        .init(width: whole.width, height: whole.height), within: thumbnail.maxWidth, thumbnail.maxHeight)
    }
    return result
  }

  /// The error of a camera that gave a picture without the sensor's numbers.
  package struct NoMosaic: Error {
    package init() {}
  }
}
