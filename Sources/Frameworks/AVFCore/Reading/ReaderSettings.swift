internal import AVFAudio
internal import CoreMedia
internal import FoundationExtras

/// Checks the settings of a reader's outputs: samples as they are, pixels, or linear PCM.
enum ReaderSettings {
  /// Why an output cannot come so; `nil` when it can.
  static func refusal(_ settings: [String: Any]?, _ mediaType: AVMediaType) -> String? {
    guard let settings else { return nil }
    switch mediaType {
    case .video:
      if settings[AVVideoCodecKey] != nil {
        return
          "pictures come as pixels, not coded: leave out AVVideoCodecKey, or pass nil for samples as they are."
      }
      return nil
    case .audio:
      guard LooseNumber.code(settings[AVFormatIDKey]) == kAudioFormatLinearPCM else {
        return
          "audio comes as linear PCM: set AVFormatIDKey to kAudioFormatLinearPCM, or pass nil for samples as they are."
      }
      return nil
    default:
      return "media of type '\(mediaType.rawValue)' comes only as it is, with nil settings."
    }
  }

  /// Reports settings that an output cannot have as a mistake.
  ///
  /// - Returns: Whether it can have them.
  static func check(_ settings: [String: Any]?, _ mediaType: AVMediaType, _ name: String) -> Bool {
    guard let refusal = refusal(settings, mediaType) else { return true }
    ProgrammingMistake.report(rule: "\(name): \(refusal)")
    return false
  }
}
