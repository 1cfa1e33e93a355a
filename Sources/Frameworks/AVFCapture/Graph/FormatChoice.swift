package import CaptureDevice
package import FoundationExtras
internal import CoreVideo

/// The choice of a camera's format for a preset, by size, frame rate, and cost; a pure function.
///
/// What counts, in this order: the rate (30 frames a second where any format of a fitting size reaches them), the size
/// (exact for the presets that name one, the largest or nearest otherwise, and square ones last), what it costs to make its
/// frames fit to use (uncompressed 4:2:0 before other uncompressed ones before MJPEG before H.264 and HEVC, whose pictures
/// come late and may need others that were lost).
package enum FormatChoice {
  /// The frame rate that every preset promises.
  package static let promisedRate = 30.0

  /// A rate at which video still looks like one; formats below it are the last resort.
  ///
  /// Larger would refuse webcams' 25 frames a second; smaller would let the 15 of a large uncompressed format win.
  private static let fluentRate = 24.0

  /// The slowest preview with which one can aim; formats below it are the last resort for photos.
  private static let aimingRate = 5.0

  /// The preview-sized stream fits into this, whichever side is the longer one.
  package static let previewBounds = FrameSize(width: 1920, height: 1440)

  /// A format with the size in which it streams.
  package struct Choice: Sendable, Hashable {
    /// Index in the device's formats.
    package var index: Int
    /// The stream's size: the format's, or smaller where the device scales.
    package var size: FrameSize
  }

  /// The best format for `preset`, or `nil` when the device has none.
  ///
  /// - Parameters:
  ///   - formats: All of the device's, in its order.
  ///   - preset: Any but `inputPriority`, which has no choice to make.
  ///   - wanted: The pixel format that the first video data output asks for; saves a conversion where it is native.
  ///   - measuringDepth: Whether only formats count beside whose frames depth is measured.
  package static func best(
    of formats: [StreamFormat], for preset: AVCaptureSessionPreset, wanted: OSType? = nil,
    measuringDepth: Bool = false
  ) -> Choice? {
    var best: (choice: Choice, score: Score)?
    for index in formats.indices {
      let format = formats[index]
      if measuringDepth, format.depthFormats.isEmpty { continue }
      guard let size = streamSize(of: format, for: preset) else { continue }
      let score = Score(format, streaming: size, for: preset, wanted: wanted)
      if let present = best, !(present.score < score) { continue }
      best = (Choice(index: index, size: size), score)
    }
    return best?.choice
  }

  /// The size to stream in: exact for presets that name one, preview-sized for photos, the format's own otherwise.
  private static func streamSize(of format: StreamFormat, for preset: AVCaptureSessionPreset) -> FrameSize? {
    if let exact = exactSize(of: preset) {
      if format.size == exact { return exact }
      let fits =
        format.scalesStream && !format.isPhotoQuality && hasSameAspect(format.size, exact)
        && exact.width <= format.size.width
      return fits ? exact : nil
    }
    switch preset {
    case .photo: return format.scalesStream ? fitted(format.size, into: previewBounds) : format.size
    case .high, .medium, .low: return format.size
    default: return nil
    }
  }

  /// The size that a preset names, or `nil` for those that name none.
  package static func exactSize(of preset: AVCaptureSessionPreset) -> FrameSize? {
    switch preset {
    case .cif352x288: FrameSize(width: 352, height: 288)
    case .vga640x480: FrameSize(width: 640, height: 480)
    case .iFrame960x540: FrameSize(width: 960, height: 540)
    case .iFrame1280x720, .hd1280x720: FrameSize(width: 1280, height: 720)
    case .hd1920x1080: FrameSize(width: 1920, height: 1080)
    case .hd4K3840x2160: FrameSize(width: 3840, height: 2160)
    default: nil
    }
  }

  /// Whether the preset is one of Apple's, which a device without pictures has no reason to refuse.
  package static func isKnown(_ preset: AVCaptureSessionPreset) -> Bool {
    exactSize(of: preset) != nil || [.photo, .high, .medium, .low, .inputPriority].contains(preset)
  }

  /// `size` made smaller with its aspect kept, with even sides, until it fits into `bounds` in either orientation.
  package static func fitted(_ size: FrameSize, into bounds: FrameSize) -> FrameSize {
    let long = max(size.width, size.height), short = min(size.width, size.height)
    let scale = min(1, Double(bounds.width) / Double(long), Double(bounds.height) / Double(short))
    guard scale < 1 else { return size }
    func even(_ side: Int) -> Int { max(2, Int((Double(side) * scale / 2).rounded()) * 2) }
    return FrameSize(width: even(size.width), height: even(size.height))
  }

  private static func hasSameAspect(_ left: FrameSize, _ right: FrameSize) -> Bool {
    left.width * right.height == left.height * right.width
  }

  /// Compares from the first member on; larger is better.
  private struct Score: Comparable {
    /// 1 at a rate that serves the preset, 0 below.
    let rateClass: Int
    /// 0 for a square picture where the preset leaves the size open: webcams offer such cuts for recognising faces.
    let shape: Int
    let size: Double
    let rate: Double
    let cost: Int

    init(_ format: StreamFormat, streaming: FrameSize, for preset: AVCaptureSessionPreset, wanted: OSType?) {
      let rate = min(format.highestRate, FormatChoice.promisedRate)
      let area = Double(streaming.width * streaming.height)
      self.rate = rate
      let (long, short) = (max(streaming.width, streaming.height), min(streaming.width, streaming.height))
      shape = [.high, .medium, .low].contains(preset) && 5 * long < 6 * short ? 0 : 1
      cost = -format.cost(wanted: wanted)
      switch preset {
      case .photo:
        // A large photo is worth a slow preview, but not one that is useless for aiming.
        rateClass = rate >= FormatChoice.aimingRate ? 1 : 0
        let stills = format.decoded.stillSizes.map { Double($0.width * $0.height) }.max() ?? 0
        size = stills + (format.isPhotoQuality ? 0.5 : 0)
      case .high:
        rateClass = FormatChoice.rateClass(rate)
        let fits = streaming.width <= 1920 && streaming.height <= 1080
        // Above 1080p smaller is better, but any size that fits is better than those.
        size = rateClass == 0 ? (fits ? area.squareRoot() * rate : -area) : (fits ? area : -area)
      case .medium:
        (rateClass, size) = (FormatChoice.rateClass(rate), FormatChoice.nearness(area, to: 480 * 360))
      case .low:
        (rateClass, size) = (FormatChoice.rateClass(rate), FormatChoice.nearness(area, to: 192 * 144))
      default:
        rateClass = FormatChoice.rateClass(rate)
        // Among formats that give the exact size, scaling down from the smallest reads the fewest pixels.
        size = -Double(format.size.width * format.size.height)
      }
    }

    static func < (left: Score, right: Score) -> Bool {
      (left.rateClass, left.shape, left.size, left.rate, left.cost) < (
        right.rateClass, right.shape, right.size, right.rate, right.cost
      )
    }
  }

  private static func rateClass(_ rate: Double) -> Int {
    rate >= fluentRate ? 1 : 0
  }

  /// How near two areas are as a ratio: 0 is equal, below 0 is farther.
  private static func nearness(_ area: Double, to target: Double) -> Double {
    -max(area / target, target / area)
  }
}

extension StreamFormat {
  /// The most frames a second of any range.
  package var highestRate: Double {
    frameDurations.map(\.lowerBound.rate).max() ?? 0
  }

  /// The cost of making the frames fit to use: 0 is nothing.
  fileprivate func cost(wanted: OSType?) -> Int {
    let binned = isBinned ? 1 : 0
    switch encoding {
    case .motionJPEG: return 100 + binned
    // All is done here.
    case .mosaic: return 200 + binned
    case .h264: return 300
    case .hevc: return 400
    case .pixels(let format):
      if format == wanted { return binned }
      switch format {
      case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: return 10 + binned
      case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: return 12 + binned
      case kCVPixelFormatType_420YpCbCr8Planar: return 20 + binned
      case kCVPixelFormatType_420YpCbCr8PlanarFullRange: return 22 + binned
      default: return 40 + binned
      }
    }
  }
}
