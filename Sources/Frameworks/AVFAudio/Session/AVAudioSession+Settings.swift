internal import Foundation

extension AVAudioSession {
  /// A category of audio use: whether the program plays, records, or does both.
  ///
  /// Apple: `AVAudioSession.Category`.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the constant.
    public let rawValue: String

    /// The category of Apple's name `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Plays beside other programs.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Plays by itself; what a session has at first.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Plays what the program is about, such as music.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Records.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Records and plays.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Records and plays by several devices.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")

    /// Whether the route has an input.
    var hasInput: Bool { self == .record || self == .playAndRecord || self == .multiRoute }
    /// Whether the route has an output.
    var hasOutput: Bool { self != .record }

    static let all: [Category] = [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
  }

  /// A mode of audio use: the purpose within a category.
  ///
  /// Apple: `AVAudioSession.Mode`.
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the constant.
    public let rawValue: String

    /// The mode of Apple's name `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Nothing in particular.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// Talking; with `playAndRecord`.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// Talking in a game; with `playAndRecord`.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// Recording movies; with `record` and `playAndRecord`.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// Measuring, with as little processing as can be; with `record`, `playAndRecord` and `playback`.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// Playing movies; with `playback`.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Talking with pictures; with `playAndRecord`.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// Reading aloud for long.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Short prompts by a voice.
    public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")

    static let all: [Mode] = [
      .default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat,
      .spokenAudio,
      .voicePrompt,
    ]

    /// Whether the mode goes with `category`.
    func fits(_ category: Category) -> Bool {
      switch self {
      case .voiceChat, .gameChat, .videoChat: category == .playAndRecord
      case .videoRecording: category == .record || category == .playAndRecord
      case .measurement: category == .record || category == .playAndRecord || category == .playback
      case .moviePlayback: category == .playback
      default: Mode.all.contains(self)
      }
    }
  }

  /// Exceptions from what a category does.
  ///
  /// Apple: `AVAudioSession.CategoryOptions`.
  public struct CategoryOptions: OptionSet, Sendable {
    /// The option bits, with Apple's values.
    public let rawValue: UInt

    /// The options with these bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Other programs go on playing; with `playback`, `playAndRecord` and `multiRoute`.
    public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
    /// Other programs play more quietly, which mixes too; also with `ambient`.
    public static let duckOthers = CategoryOptions(rawValue: 0x2)
    /// Headsets' microphones over Bluetooth count; with `record` and `playAndRecord`.
    public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
    /// The newer name of ``allowBluetooth``.
    public static let allowBluetoothHFP = allowBluetooth
    /// The loudspeaker instead of a telephone's receiver; with `playAndRecord`.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    /// Other programs that read aloud pause, which mixes too.
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
    /// Loudspeakers over Bluetooth count; with `playAndRecord`.
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    /// Loudspeakers over AirPlay count; with `playAndRecord`.
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    /// A microphone that is switched off gives silence instead of an interruption; with categories that record.
    public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
    /// Headsets over Bluetooth record in high quality where they can; with `record` and `playAndRecord`.
    ///
    /// Which codec a headset's link has is the sound server's choice here.
    public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 0x80000)

    /// The options with those that they imply.
    var completed: CategoryOptions { contains(.duckOthers) ? union(.mixWithOthers) : self }

    /// The options that go with `category`.
    static func allowed(in category: Category) -> CategoryOptions {
      switch category {
      case .ambient: [.mixWithOthers, .duckOthers]
      case .playback: [.duckOthers, .interruptSpokenAudioAndMixWithOthers]
      case .multiRoute:
        [.duckOthers, .interruptSpokenAudioAndMixWithOthers, .overrideMutedMicrophoneInterruption]
      case .record:
        [.allowBluetooth, .overrideMutedMicrophoneInterruption, .bluetoothHighQualityRecording]
      case .playAndRecord:
        [
          .duckOthers, .interruptSpokenAudioAndMixWithOthers, .allowBluetooth, .defaultToSpeaker,
          .allowBluetoothA2DP, .allowAirPlay, .overrideMutedMicrophoneInterruption,
          .bluetoothHighQualityRecording,
        ]
      default: []
      }
    }
  }

  /// Options for switching a session on or off.
  ///
  /// Apple: `AVAudioSession.SetActiveOptions`.
  public struct SetActiveOptions: OptionSet, Sendable {
    /// The option bits, with Apple's values.
    public let rawValue: UInt

    /// The options with these bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Programs that were interrupted may go on.
    ///
    /// On Linux they were not interrupted: sound servers mix.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  /// The permission of the program to record.
  ///
  /// Apple: `AVAudioSession.RecordPermission`.
  public enum RecordPermission: UInt, Sendable {
    /// The user has not been asked yet.
    case undetermined = 0x756E_6474
    /// The user has refused, or policy forbids it.
    case denied = 0x6465_6E79
    /// The program may record.
    case granted = 0x6772_6E74
  }

  /// Codes of an audio session's errors, which are `NSError` values of the domain `NSOSStatusErrorDomain`.
  ///
  /// Apple: `AVAudioSession.ErrorCode`.
  public enum ErrorCode: Int, Sendable {
    /// The values do not go together, or name nothing.
    case badParam = -50
    /// Something with more right has the audio.
    case insufficientPriority = 0x2170_7269
    /// There is no device for the category.
    case resourceNotAvailable = 0x2172_6573

    /// The error with this code.
    func error(_ sentence: String, _ suggestion: String) -> NSError {
      NSError(
        domain: NSOSStatusErrorDomain, code: rawValue,
        userInfo: [
          NSLocalizedDescriptionKey: sentence, NSLocalizedRecoverySuggestionErrorKey: suggestion,
        ])
    }
  }
}
