internal import Foundation
internal import GraphicsCore

/// A choice at the asking for filters that improve an image.
///
/// Apple: `CIImageAutoAdjustmentOption`.
public struct CIImageAutoAdjustmentOption: RawRepresentable, Sendable, Hashable {
  /// The option's name.
  public let rawValue: String

  /// The option of this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// `false` for no filters of light and colour; `true` unless set.
  ///
  /// Apple: `CIImageAutoAdjustmentOption.enhance`.
  public static let enhance = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustEnhance")
  /// Whether red eyes are corrected: they are not, whatever it says.
  ///
  /// Apple: `CIImageAutoAdjustmentOption.redEye`.
  public static let redEye = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustRedEye")
  /// An array of ``CIFeature`` objects that the image is about, such as faces: they shall be bright enough.
  ///
  /// Apple: `CIImageAutoAdjustmentOption.features`.
  public static let features = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustFeatures")
  /// `true` for a filter that cuts the image to its ``features``, with room around them; `false` unless set.
  ///
  /// Apple: `CIImageAutoAdjustmentOption.crop`.
  public static let crop = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustCrop")
  /// Whether the horizon is straightened: it is not, whatever it says.
  ///
  /// Apple: `CIImageAutoAdjustmentOption.level`.
  public static let level = CIImageAutoAdjustmentOption(rawValue: "kCIImageAutoAdjustLevel")
}

extension CIImage {
  /// Filters, ready to use, that improve the image: its colours, its contrast, its shadows and highlights.
  ///
  /// Apple: `CIImage.autoAdjustmentFilters()`.
  public func autoAdjustmentFilters() -> [CIFilter] {
    autoAdjustmentFilters(options: nil)
  }

  /// Filters, ready to use, that improve the image, as far as the options ask for them.
  ///
  /// Set the image as the `inputImage` of the first, its output as that of the next, and so on: `CIVibrance` where colours are
  /// pale, `CIToneCurve` where tones do not fill the range, `CIHighlightShadowAdjust` where much is dark or bright. An image that
  /// needs none of them, one without end and one without pixels get none. Renders the image in small, which takes milliseconds.
  ///
  /// - Note: Unlike Core Image, faces are not looked for: give them as ``CIImageAutoAdjustmentOption/features``. Skin is not
  ///   balanced, red eyes are not corrected and horizons not straightened.
  ///
  /// Apple: `CIImage.autoAdjustmentFilters(options:)`.
  public func autoAdjustmentFilters(options: [CIImageAutoAdjustmentOption: Any]? = nil) -> [CIFilter] {
    func isOn(_ option: CIImageAutoAdjustmentOption, unlessSet standard: Bool) -> Bool {
      let value = options?[option]
      return value as? Bool ?? (value as? NSNumber)?.boolValue ?? standard
    }
    let features = options?[.features] as? [CIFeature] ?? []
    var filters: [CIFilter] = []
    if isOn(.enhance, unlessSet: true), let tones = ImageTones(self, features: features.map(\.bounds)) {
      filters += tones.improvements
    }
    if isOn(.crop, unlessSet: false), let rect = cut(to: features.map(\.bounds)) {
      let crop = CIFilter(.named("CICrop"))
      crop.setValue(CIVector(cgRect: rect), forKey: "inputRectangle")
      filters.append(crop)
    }
    return filters
  }

  /// The features with half their size around them, within the image; `nil` without features and where that is all of it.
  private func cut(to features: [CGRect]) -> CGRect? {
    guard let first = features.first, !extent.isInfiniteExtent, !extent.isNull else { return nil }
    let all = features.dropFirst().reduce(first) { $0.union($1) }
    let rect = all.insetBy(dx: -all.width / 2, dy: -all.height / 2).intersection(extent).integral
    return rect.isNull || rect.isEmpty || rect == extent ? nil : rect
  }
}
