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

// Qualities that a file tags its tracks with; no tags are read here.
extension AVMediaCharacteristic {
  /// It belongs to what is shown, as every track does that is not an addition.
  public static let isMainProgramContent = AVMediaCharacteristic(rawValue: "public.main-program-content")
  /// It is an addition, such as a commentary.
  public static let isAuxiliaryContent = AVMediaCharacteristic(rawValue: "public.auxiliary-content")
  /// It is in the language in which it was made.
  public static let isOriginalContent = AVMediaCharacteristic(rawValue: "public.original-content")
  /// It has only the lines that are to be read by all.
  public static let containsOnlyForcedSubtitles = AVMediaCharacteristic(
    rawValue: "public.subtitles.forced-only")
  /// It writes what is said.
  public static let transcribesSpokenDialogForAccessibility = AVMediaCharacteristic(
    rawValue: "public.accessibility.transcribes-spoken-dialog")
  /// It writes what is heard.
  public static let describesMusicAndSoundForAccessibility = AVMediaCharacteristic(
    rawValue: "public.accessibility.describes-music-and-sound")
  /// It says what is seen.
  public static let describesVideoForAccessibility = AVMediaCharacteristic(
    rawValue: "public.accessibility.describes-video")
  /// Its voices are easier to understand.
  public static let enhancesSpeechIntelligibility = AVMediaCharacteristic(
    rawValue: "public.accessibility.enhances-speech-intelligibility")
  /// Its lines are easy to read.
  public static let easyToRead = AVMediaCharacteristic(rawValue: "public.easy-to-read")
  /// It is a translation.
  public static let languageTranslation = AVMediaCharacteristic(rawValue: "public.translation")
  /// It is a translation that takes the voices' place.
  public static let dubbedTranslation = AVMediaCharacteristic(rawValue: "public.translation.dubbed")
  /// It is a translation over the voices.
  public static let voiceOverTranslation = AVMediaCharacteristic(rawValue: "public.translation.voice-over")
}
