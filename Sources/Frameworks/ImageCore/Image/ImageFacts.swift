internal import CoreVideo
internal import Foundation
internal import GraphicsCore

/// The facts of an image beside its recipe, such as colour space, source and metadata.
struct ImageFacts: @unchecked Sendable {  // Safe: property values never change.
  var colorSpace: CGColorSpace?
  var pixelBuffer: CVPixelBuffer?
  var cgImage: CGImage?
  var url: URL?
  private(set) var properties: [String: Any]
  var sampling: Recipe.Sampling

  init(
    colorSpace: CGColorSpace? = nil, pixelBuffer: CVPixelBuffer? = nil, cgImage: CGImage? = nil,
    url: URL? = nil,
    properties: [String: Any] = [:], sampling: Recipe.Sampling = .linear
  ) {
    self.colorSpace = colorSpace
    self.pixelBuffer = pixelBuffer
    self.cgImage = cgImage
    self.url = url
    self.properties = properties
    self.sampling = sampling
  }

  mutating func setProperties(_ properties: [String: Any]) {
    self.properties = properties
  }

  /// The EXIF orientation among the properties, 1…8.
  var orientation: Int? {
    // ImageIO's key, spelled out because this file stands below it.
    let number = (properties["Orientation"] as? NSNumber)?.intValue ?? properties["Orientation"] as? Int
    return number.flatMap { (1...8).contains($0) ? $0 : nil }
  }

  /// Makes the properties say that the picture is upright.
  mutating func orientationIsApplied() {
    properties["Orientation"] = 1
    if var tiff = properties["{TIFF}"] as? [String: Any] {
      tiff["Orientation"] = 1
      properties["{TIFF}"] = tiff
    }
  }

  /// The facts that an image made from this one keeps.
  var changed: ImageFacts {
    ImageFacts(properties: properties, sampling: sampling)
  }
}

extension CVBuffer {
  /// Whether the pixel format has no alpha.
  var hasNoAlpha: Bool {
    switch CVPixelBufferGetPixelFormatType(self) {
    case kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB,
      kCVPixelFormatType_64RGBAHalf, kCVPixelFormatType_128RGBAFloat:
      false
    default: true
    }
  }
}

extension CGImage {
  /// Whether the image has no alpha.
  var hasNoAlpha: Bool {
    switch alphaInfo {
    case .none, .noneSkipFirst, .noneSkipLast: true
    default: false
    }
  }
}
