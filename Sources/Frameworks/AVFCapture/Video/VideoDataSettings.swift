package import AVFCore
package import CaptureDevice
internal import CoreVideo
package import FoundationExtras

/// The value of `AVCaptureVideoDataOutput.videoSettings`, read and checked.
package enum VideoDataSettings: Sendable, Hashable {
  /// `nil`: uncompressed in the format clients expect, 4:2:0 in two planes.
  case standard
  /// `[:]`: as the device sends it, H.264 and HEVC too, unless the connection turns it; but that JPEG is decoded.
  case native
  /// H.264 or HEVC by name: as a device sends it whose active format that is; nothing is encoded here.
  case coded(FrameForm)
  /// Named keys; `nil` where the key is missing.
  case explicit(pixelFormat: OSType?, size: FrameSize?)

  /// The pixel formats that every camera's frames can be had in.
  package static let pixelFormats: [OSType] = [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_32BGRA,
  ]

  /// Reads the dictionary.
  /// - Parameters:
  ///   - pixelFormats: What may be named.
  ///   - codecs: In which coded forms frames may be asked for.
  /// - Returns: `nil` when it has a key or a value that cannot be honoured.
  package init?(_ settings: [String: Any]?, pixelFormats: [OSType], codecs: Set<FrameForm> = []) {
    guard let settings else {
      self = .standard
      return
    }
    if let codec = settings[AVVideoCodecKey] {
      let name = (codec as? AVVideoCodecType)?.rawValue ?? codec as? String
      guard settings.count == 1, let form = codecs.first(where: { $0.codecType?.rawValue == name }) else {
        return nil
      }
      self = .coded(form)
      return
    }
    let formatKey = kCVPixelBufferPixelFormatTypeKey as String
    let widthKey = kCVPixelBufferWidthKey as String
    let heightKey = kCVPixelBufferHeightKey as String
    guard settings.keys.allSatisfy({ [formatKey, widthKey, heightKey].contains($0) }) else { return nil }
    guard !settings.isEmpty else {
      self = .native
      return
    }
    let pixelFormat = LooseNumber.code(settings[formatKey])
    if settings[formatKey] != nil {
      guard let pixelFormat, pixelFormats.contains(pixelFormat) else { return nil }
    }
    switch (settings[widthKey], settings[heightKey]) {
    case (nil, nil): self = .explicit(pixelFormat: pixelFormat, size: nil)
    case (let width?, let height?):
      guard let width = LooseNumber.integer(width), let height = LooseNumber.integer(height), width > 0,
        height > 0
      else { return nil }
      self = .explicit(pixelFormat: pixelFormat, size: FrameSize(width: width, height: height))
    default: return nil
    }
  }

  /// The buffers' size that the client named, where pictures of `plan` can be had in it; `nil` where they cannot, and where it
  /// named none.
  package func size(fitting plan: ConnectionPlan) -> FrameSize? {
    size.flatMap { Self.mistake(in: $0, for: plan) == nil ? $0 : nil }
  }

  /// The mistake in asking for pictures of `plan` in `size`, half a sentence; `nil` when there is none.
  ///
  /// Apple's rules: the buffers lie as the connection turns them, have the shape of the active format's pictures and are no
  /// larger, and no size is named while they are preview-sized. How exact the shape must be is not said; here one pixel of
  /// rounding is none, and as sides of 4:2:0 are even, two.
  package static func mistake(in size: FrameSize, for plan: ConnectionPlan) -> String? {
    let whole = plan.stream.format.size
    let full = plan.rotation % 180 == 0 ? whole : FrameSize(width: whole.height, height: whole.width)
    if plan.size != whole {
      return
        "name no size while deliversPreviewSizedOutputBuffers is true; set "
        + "automaticallyConfiguresOutputBufferDimensions and that to false first"
    }
    guard size.width <= full.width, size.height <= full.height else {
      return "are no larger than the active format's, \(full) as the connection turns them"
    }
    let difference = abs(size.width * full.height - size.height * full.width)
    guard difference < 2 * max(full.width, full.height) else {
      return "have the shape of the active format's, \(full) as the connection turns them"
    }
    return nil
  }

  /// The pixel format that the client named.
  package var pixelFormat: OSType? {
    guard case .explicit(let pixelFormat, _) = self else { return nil }
    return pixelFormat
  }

  /// The buffer size that the client named.
  package var size: FrameSize? {
    guard case .explicit(_, let size) = self else { return nil }
    return size
  }

  /// The forms in which a client takes frames that has these settings.
  package var accepts: Set<FrameForm> {
    switch self {
    case .native: [.pictures, .h264, .hevc]
    case .coded(let form): [form]
    case .standard, .explicit: [.pictures]
    }
  }

  /// The pixel format in which frames of `encoding` are delivered; `nil` for those that come coded.
  package func pixelFormat(for encoding: FrameEncoding) -> OSType? {
    if encoding.form == .pictures, let pixelFormat { return pixelFormat }
    switch encoding {
    case .h264, .hevc: return nil
    case .motionJPEG, .mosaic:
      // What the decoder yields without another pass.
      return kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    case .pixels(let native):
      if self == .native { return native }
      let isTwoPlane =
        native == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        || native == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      return isTwoPlane ? native : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }
  }
}

extension FrameForm {
  /// The codec as `AVVideoCodecKey` names it; `nil` for pictures.
  package var codecType: AVVideoCodecType? {
    switch self {
    case .pictures: nil
    case .h264: .h264
    case .hevc: .hevc
    }
  }
}
