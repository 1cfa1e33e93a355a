internal import CoreVideo
public import FoundationExtras

/// The format of distances in a pixel buffer.
public struct DepthFormat: Sendable, Hashable {
  /// The quantity of the numbers.
  public var quantity: DepthMap.Quantity
  /// Whether a number takes two bytes instead of four.
  public var isHalf: Bool

  /// The Core Video pixel formats that hold distances, as AVFoundation's clients may ask for them.
  public static let pixelFormats: [OSType] = [
    kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DisparityFloat32,
    kCVPixelFormatType_DepthFloat16, kCVPixelFormatType_DepthFloat32,
  ]

  /// The format of a Core Video pixel format; `nil` for those that hold no distances.
  public init?(_ pixelFormat: OSType) {
    switch pixelFormat {
    case kCVPixelFormatType_DisparityFloat16: self.init(.disparity, isHalf: true)
    case kCVPixelFormatType_DisparityFloat32: self.init(.disparity, isHalf: false)
    case kCVPixelFormatType_DepthFloat16: self.init(.depth, isHalf: true)
    case kCVPixelFormatType_DepthFloat32: self.init(.depth, isHalf: false)
    default: return nil
    }
  }

  private init(_ quantity: DepthMap.Quantity, isHalf: Bool) {
    self.quantity = quantity
    self.isHalf = isHalf
  }
}

/// An error of reading or writing a map.
public enum DepthMapError: Error, Hashable, CustomStringConvertible {
  /// The pixel format holds no distances.
  case formatUnsupported(OSType)
  /// The picture is not 32 bits of blue, green, red and alpha a pixel.
  case pictureUnsupported(OSType)
  /// The buffer has another size than the map.
  case sizeMismatch
  /// The buffer's memory cannot be had.
  case bufferUnavailable

  /// One sentence.
  public var description: String {
    switch self {
    case .formatUnsupported(let format):
      "A buffer with the pixel format \(String(format, radix: 16)) holds no distances; use a depth or disparity format."
    case .pictureUnsupported(let format):
      "A picture with the pixel format \(String(format, radix: 16)) gives points no colours; use kCVPixelFormatType_32BGRA."
    case .sizeMismatch: "The buffer has another size than the map; make one of the same size."
    case .bufferUnavailable: "The buffer's memory cannot be read; it may belong to a device that has gone."
    }
  }
}
