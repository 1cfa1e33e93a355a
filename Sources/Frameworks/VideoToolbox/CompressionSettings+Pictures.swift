internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms
internal import VideoCodecs

/// How pictures lie in the stream: their shape, the part that is seen, their fields.
extension CompressionSettings {
  /// Properties that every codec has.
  static var pictures: [String: SessionProperty] {
    [
      kVTCompressionPropertyKey_AspectRatio16x9: SessionProperty(kind: .truth),
      kVTCompressionPropertyKey_CleanAperture: SessionProperty(kind: .dictionary),
      kVTCompressionPropertyKey_Depth: SessionProperty(kind: .number(24...24)),
      kVTCompressionPropertyKey_ICCProfile: SessionProperty(kind: .data),
      kVTCompressionPropertyKey_PixelTransferProperties: SessionProperty(kind: .dictionary),
    ]
  }

  /// Properties that H.264 alone has.
  static var fields: [String: SessionProperty] {
    [
      kVTCompressionPropertyKey_FieldCount: SessionProperty(kind: .number(1...2)),
      kVTCompressionPropertyKey_FieldDetail: SessionProperty(
        kind: .choice([
          kCMFormatDescriptionFieldDetail_TemporalTopFirst,
          kCMFormatDescriptionFieldDetail_TemporalBottomFirst,
          kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly,
          kCMFormatDescriptionFieldDetail_SpatialFirstLineLate,
        ])),
      kVTCompressionPropertyKey_ProgressiveScan: SessionProperty(kind: .truth),
      // A slice holds one macroblock at least.
      kVTCompressionPropertyKey_MaxH264SliceBytes: SessionProperty(kind: .number(100...250_000)),
    ]
  }

  /// Whether a value that has the property's type is one that it can have.
  func accepts(_ value: Any, of key: String) -> Bool {
    switch key {
    case kVTCompressionPropertyKey_DataRateLimits:
      guard let limits = value as? [Double] else { return false }
      return limits.count.isMultiple(of: 2) && limits.allSatisfy { $0 >= 1e-3 && $0 < 1e12 }
    case kVTCompressionPropertyKey_CleanAperture:
      return (value as? [String: Any]).flatMap { aperture($0) } != nil
    case kVTCompressionPropertyKey_PixelTransferProperties:
      guard let values = value as? [String: Any] else { return false }
      return values.allSatisfy { key, value in
        VTPixelTransferSession.allProperties[key]?.checked(value) != nil
      }
    default: return true
    }
  }

  /// What a dictionary says; `nil` for one that does not lie in the picture.
  private func aperture(_ values: [String: Any]) -> PictureFacts.Aperture? {
    func number(_ key: String) -> Double? { LooseNumber.double(values[key]) }
    guard let width = number(kCMFormatDescriptionKey_CleanApertureWidth),
      let height = number(kCMFormatDescriptionKey_CleanApertureHeight), width > 0, height > 0
    else { return nil }
    let horizontal = number(kCMFormatDescriptionKey_CleanApertureHorizontalOffset) ?? 0
    let vertical = number(kCMFormatDescriptionKey_CleanApertureVerticalOffset) ?? 0
    guard 2 * abs(horizontal) + width <= Double(size.width), 2 * abs(vertical) + height <= Double(size.height)
    else { return nil }
    return PictureFacts.Aperture(
      width: width, height: height, horizontalOffset: horizontal, verticalOffset: vertical)
  }

  func applyShape(to asked: inout VideoEncoderSettings) {
    asked.facts.aperture = (values[kVTCompressionPropertyKey_CleanAperture] as? [String: Any]).flatMap {
      aperture($0)
    }
    asked.facts.depth = positive(kVTCompressionPropertyKey_Depth)
    asked.facts.profile = (values[kVTCompressionPropertyKey_ICCProfile] as? Data).map { Array($0) }
    if let transfer = values[kVTCompressionPropertyKey_PixelTransferProperties] as? [String: Any] {
      asked.scaling = VTPixelTransferSession.rule(transfer[kVTPixelTransferPropertyKey_ScalingMode])
    }
    if let shape = values[kVTCompressionPropertyKey_PixelAspectRatio] as? [String: Any],
      let width = LooseNumber.integer(shape[kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing]),
      let height = LooseNumber.integer(shape[kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing]),
      width > 0, height > 0
    {
      asked.pixelAspect = PixelSize(width: width, height: height)
    } else if let isWide = truth(kVTCompressionPropertyKey_AspectRatio16x9) {
      let (width, height) = (size.height * (isWide ? 16 : 4), size.width * (isWide ? 9 : 3))
      let divisor = Self.greatestDivisor(width, height)
      asked.pixelAspect = PixelSize(width: width / divisor, height: height / divisor)
    }
  }

  private static func greatestDivisor(_ first: Int, _ second: Int) -> Int {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return max(larger, 1)
  }

  func applyFields(to asked: inout VideoEncoderSettings) {
    asked.sliceBytes = positive(kVTCompressionPropertyKey_MaxH264SliceBytes)
    asked.facts.fieldCount =
      positive(kVTCompressionPropertyKey_FieldCount)
      ?? truth(kVTCompressionPropertyKey_ProgressiveScan).map { $0 ? 1 : 2 }
    if asked.facts.isInterlaced {
      asked.facts.fieldDetail =
        values[kVTCompressionPropertyKey_FieldDetail] as? String
        ?? kCMFormatDescriptionFieldDetail_TemporalTopFirst
    }
    // Encoders of the hardware code whole pictures, in slices of their own.
    if asked.facts.isInterlaced || asked.sliceBytes != nil { asked.prefersHardware = asked.requiresHardware }
  }
}
