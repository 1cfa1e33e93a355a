package import AVFCore
internal import CoreVideo
internal import Foundation
package import FoundationExtras

/// The encoding of a photo that leaves the pipeline.
package enum PhotoEncoding: Sendable, Hashable, Codable {
  /// A JPEG file; quality from 0 to 1, `nil` when the client names none.
  case jpeg(quality: Double?)
  /// A HEIC file; quality as for JPEG.
  case heic(quality: Double?)
  /// An uncompressed pixel buffer of this Core Video format, no file.
  case pixels(OSType)

  /// Pixel formats in which photos can be asked for, the device's habit first.
  package static let pixelFormats: [OSType] = [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_32BGRA,
  ]

  /// Whether it is a HEIC file.
  package var isHEIC: Bool {
    if case .heic = self { true } else { false }
  }

  /// Reads the dictionary of `AVCapturePhotoSettings.format`; `nil` when it names neither a codec of a still picture nor
  /// a pixel format, or both.
  package init?(format: [String: Any]?) {
    let format = format ?? [:]
    let codec = PhotoFormatKeys.codec(in: format)
    let pixels = PhotoFormatKeys.pixelFormat(in: format)
    switch (codec, pixels) {
    case (.jpeg?, nil): self = .jpeg(quality: Self.quality(in: format))
    case (.hevc?, nil): self = .heic(quality: Self.quality(in: format))
    case (nil, let pixels?): self = .pixels(pixels)
    default: return nil
    }
  }

  /// The mistake in such a dictionary whatever the camera is; `nil` when there is none.
  package static func mistake(in format: [String: Any]) -> String? {
    let codec = format[AVVideoCodecKey]
    if codec != nil, format[kCVPixelBufferPixelFormatTypeKey as String] != nil {
      return
        "A photo's format cannot have both AVVideoCodecKey and kCVPixelBufferPixelFormatTypeKey; give one of them."
    }
    if let codec, PhotoFormatKeys.codec(in: format).map(knownCodecs.contains) != true {
      return
        "A photo's format has the codec \(codec), which is none; give one of the photo output's availablePhotoCodecTypes."
    }
    return nil
  }

  /// All codecs that are known, whether or not photos can have them.
  private static let knownCodecs: Set<AVVideoCodecType> = [
    .jpeg, .hevc, .h264, .hevcWithAlpha, .JPEGXL, .appleProRes4444XQ, .proRes4444, .proRes422HQ, .proRes422,
    .proRes422LT, .proRes422Proxy, .proResRAW, .proResRAWHQ,
  ]

  /// Whether it is one of `codecs`.
  package func fits(_ codecs: [AVVideoCodecType]) -> Bool {
    switch self {
    case .jpeg: codecs.contains(.jpeg)
    case .heic: codecs.contains(.hevc)
    case .pixels: false
    }
  }

  private static func quality(in format: [String: Any]) -> Double? {
    let properties = format[AVVideoCompressionPropertiesKey] as? [String: Any]
    return LooseNumber.double(properties?[AVVideoQualityKey]).map { min(max($0, 0), 1) }
  }
}

/// The request for a photo's preview image.
package struct PhotoPreviewRequest: Sendable, Hashable, Codable {
  /// Formats that can be asked for; the first is the cheapest.
  package static let pixelFormats: [OSType] = [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_32BGRA,
  ]

  package var pixelFormat: OSType
  /// Pixels of the picture's longer side, at most.
  package var longerSide: Int

  /// A preview of at most `longerSide` pixels.
  package init(pixelFormat: OSType, longerSide: Int) {
    self.pixelFormat = pixelFormat
    self.longerSide = longerSide
  }

  /// Reads the dictionary of `AVCapturePhotoSettings.previewPhotoFormat`; `nil` without a pixel format, and with one side
  /// alone.
  ///
  /// Apple: where the size asked for has another aspect than the photo, the longer of its sides counts.
  package init?(format: [String: Any]) {
    guard let pixelFormat = PhotoFormatKeys.pixelFormat(in: format) else { return nil }
    self.pixelFormat = pixelFormat
    let keys = [kCVPixelBufferWidthKey, kCVPixelBufferHeightKey] as [String]
    let sides = keys.compactMap { PhotoFormatKeys.length(in: format, for: $0) }
    guard sides.count == 2 || !keys.contains(where: { format[$0] != nil }) else { return nil }
    // A screen's worth: what a viewfinder shows between the photo and its file.
    longerSide = sides.max() ?? 1920
  }
}

/// The request for the thumbnail inside a photo's file: a JPEG picture.
package struct PhotoThumbnailRequest: Sendable, Hashable, Codable {
  /// Pixels that the picture must fit into.
  package var maxWidth: Int
  package var maxHeight: Int

  /// Reads the dictionary of `AVCapturePhotoSettings.embeddedThumbnailPhotoFormat`; `nil` when the codec is not JPEG.
  package init?(format: [String: Any]) {
    guard PhotoFormatKeys.codec(in: format) == .jpeg else { return nil }
    // EXIF 2.32, 4.5.8 recommends 160×120.
    maxWidth = PhotoFormatKeys.length(in: format, for: AVVideoWidthKey) ?? 160
    maxHeight = PhotoFormatKeys.length(in: format, for: AVVideoHeightKey) ?? 160
  }
}

/// Values of the dictionaries that describe photo formats, in every spelling clients use.
enum PhotoFormatKeys {
  static func codec(in format: [String: Any]) -> AVVideoCodecType? {
    switch format[AVVideoCodecKey] {
    case let codec as AVVideoCodecType: codec
    case let name as String: AVVideoCodecType(rawValue: name)
    default: nil
    }
  }

  static func pixelFormat(in format: [String: Any]) -> OSType? {
    LooseNumber.code(format[kCVPixelBufferPixelFormatTypeKey as String])
  }

  static func length(in format: [String: Any], for key: String) -> Int? {
    LooseNumber.integer(format[key]).flatMap { $0 > 0 ? $0 : nil }
  }
}
