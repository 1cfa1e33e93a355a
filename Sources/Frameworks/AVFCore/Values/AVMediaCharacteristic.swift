/// A quality of a track's media, by which tracks are chosen.
///
/// Apple: `AVMediaCharacteristic`.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: String

  /// The characteristic with Apple's text `rawValue`; unknown ones are kept, and no track has them.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The characteristic with Apple's text `rawValue`.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// It is seen.
  public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
  /// It is heard.
  public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
  /// It is read.
  public static let legible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
  /// It consists of pictures, one after the other.
  public static let frameBased = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicFrameBased")
  /// Its colours may be more saturated than those of sRGB.
  public static let usesWideGamutColorSpace = AVMediaCharacteristic(
    rawValue: "AVMediaCharacteristicUsesWideGamutColorSpace")
  /// Its lights are brighter than white: hybrid log-gamma or perceptual quantizer.
  public static let containsHDRVideo = AVMediaCharacteristic(
    rawValue: "AVMediaCharacteristicContainsHDRVideo")
  /// Its pictures have transparency.
  public static let containsAlphaChannel = AVMediaCharacteristic(
    rawValue: "AVMediaCharacteristicContainsAlphaChannel")
}
