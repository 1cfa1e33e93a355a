internal import AVFCapture
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import PeopleFinding

/// The answer of `obscura effects`: what was chosen for all programs, or for one.
struct EffectsReport: Encodable {
  private struct Effect: Encodable {
    var name: String
    var isOn: Bool
    var strength: Double?
    var picture: String?
  }

  private var schema = "obscura.effects"
  private var version = 1
  /// The program that the choices hold for; `nil` is each that has none of its own.
  private let program: String?
  private let effects: [Effect]
  /// The programs with choices of their own.
  private let programs: [String]
  private let reactions = ReactionWord.allCases.map(\.rawValue)

  init(_ file: VideoEffectsFile, program: String?) {
    self.program = program
    let choices = file.choices(for: program ?? "")
    effects = VideoEffect.allCases.map { effect in
      let choice = choices[effect]
      return Effect(
        name: effect.rawValue, isOn: choice.isOn, strength: effect.hasStrength ? choice.strength : nil,
        picture: choice.picture)
    }
    programs = file.programNames
  }

  var text: String {
    var lines = VideoEffect.allCases.map(line)
    lines += VideoEffect.allCases.compactMap(obstacle).prefix(1)
    if program == nil, !programs.isEmpty {
      lines.append("Programs with choices of their own: \(programs.joined(separator: ", ")).")
    }
    lines.append("Reactions: \(reactions.joined(separator: ", ")).")
    return lines.joined(separator: "\n")
  }

  /// One effect for people: `portrait: on, strength 0.6`.
  func line(_ effect: VideoEffect) -> String {
    guard let shown = effects.first(where: { $0.name == effect.rawValue }) else { return effect.rawValue }
    var parts = [shown.isOn ? "on" : "off"]
    if shown.isOn, let strength = shown.strength { parts.append("strength \(Figures.text(strength))") }
    if shown.isOn, let picture = shown.picture { parts.append("before \(picture)") }
    let place = program.map { " in \($0)" } ?? ""
    return "\(shown.name)\(place): \(parts.joined(separator: ", "))"
  }

  /// Why an effect that is on does not show here; `nil` when it does.
  func obstacle(_ effect: VideoEffect) -> String? {
    guard let subject = effect.subject, effects.contains(where: { $0.name == effect.rawValue && $0.isOn })
    else { return nil }
    return ModelFolder.current.obstacle(to: subject)?.description
  }
}
