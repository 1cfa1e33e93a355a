internal import AVFCapture
internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import PeopleFinding

/// The options `--effect` and `--reaction` of `obscura photo` and `obscura record`.
///
/// They override the user's choices for this run.
struct EffectOptions: Sendable {
  static let options: [Arguments.Option] = [
    .init(
      "effect", value: "LIST",
      choices: VideoEffect.allCases.filter(\.isOfPeople).map(\.rawValue),
      help:
        "apply effects: center-stage, portrait, studio-light=0.8, background=FILE, separated by commas, background last"
    ),
    .init(
      "reaction", value: "NAME", choices: ReactionWord.allCases.map(\.rawValue),
      help: "perform a reaction: \(ReactionWord.allCases.map(\.rawValue).joined(separator: ", "))"),
  ]

  /// The time after which a reaction is at its fullest.
  static let reactionSeconds = 1.5

  private let choices: VideoEffectChoices?
  /// The reaction to perform; `nil` without the option.
  let reaction: AVCaptureReactionType?

  /// Reads the options.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``; with ``ExitCode/otherFailure`` when the models are missing; `CameraTaskError`
  ///   when the background's picture cannot be decoded.
  init(_ arguments: Arguments, environment: [String: String]) throws {
    reaction = try arguments.choice("reaction", of: ReactionWord.self)?.type
    guard arguments["effect"] != nil || reaction != nil else {
      choices = nil
      return
    }
    choices = try arguments["effect"].map { try Self.choices($0, environment) } ?? .standard
  }

  private static func choices(
    _ list: String, _ environment: [String: String]
  ) throws -> VideoEffectChoices {
    var choices = VideoEffectChoices.standard
    var words = list.split(separator: ",", omittingEmptySubsequences: false)
    // A file's name may have commas in it.
    if let index = words.firstIndex(where: { $0.hasPrefix("background=") }) {
      let path = words[index...].joined(separator: ",").dropFirst("background=".count)
      choices[.background] = VideoEffectChoice(
        isOn: true, picture: try BackgroundPicture.path(String(path), environment))
      words.removeSubrange(index...)
    }
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      let effect = parts.first.flatMap(VideoEffect.init(rawValue:))
      guard let effect, effect.isOfPeople else {
        throw CommandError(
          .usage,
          "'\(word)' is not an effect for --effect; choose center-stage, portrait, studio-light or background."
        )
      }
      choices[effect].isOn = true
      guard let value = parts.dropFirst().first else { continue }
      guard effect.hasStrength, let strength = Double(value), (0...1).contains(strength) else {
        throw CommandError(.usage, "'\(word)' has no strength from 0 to 1.")
      }
      choices[effect].strength = strength
    }
    let subjects = VideoEffect.allCases.filter { $0.isOfPeople && choices[$0].isOn }.compactMap(\.subject)
    if let obstacle = subjects.compactMap(ModelFolder.current.obstacle).first {
      throw CommandError(.otherFailure, obstacle.description)
    }
    return choices
  }

  /// Overrides the user's choices in this process; to be called before a session is made.
  func install() {
    if let choices { VideoEffectSettings.shared.setOwn(choices) }
  }

  /// Checks that the camera's format supports what the options ask for.
  /// - Throws: ``CommandError`` with ``ExitCode/formatNotSupported``.
  func check(_ camera: AVCaptureDevice) throws(CommandError) {
    let format = camera.activeFormat
    let isPossible = [
      (choices?[.centerStage].isOn, format.isCenterStageSupported),
      (choices?[.portrait].isOn, format.isPortraitEffectSupported),
      (choices?[.studioLight].isOn, format.isStudioLightSupported),
      (choices?[.background].isOn, format.isBackgroundReplacementSupported),
      (reaction != nil, format.reactionEffectsSupported),
    ].allSatisfy { $0.0 != true || $0.1 }
    guard !isPossible else { return }
    let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
    throw CommandError(
      .formatNotSupported,
      "\(camera.localizedName) has no effects in its format of \(size.width)×\(size.height); "
        + "choose a smaller one with --size or --preset.")
  }

  /// Performs the reaction, if the options name one.
  func react(on camera: AVCaptureDevice) {
    if let reaction { camera.performEffect(for: reaction) }
  }
}

extension VideoEffect {
  /// Whether it is an effect on people that a command line can ask for, and neither reactions nor what starts them.
  fileprivate var isOfPeople: Bool { subject == .segmentation || subject == .faces }
}
