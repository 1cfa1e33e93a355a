internal import Foundation
internal import FoundationExtras
internal import Linux

/// The file of the user's choices of video effects: `obscura/effects.json` in the folder for settings.
///
/// ```json
/// {
///   "effects": { "portrait": { "on": true, "strength": 0.6 } },
///   "programs": { "obscura-camera": { "studio-light": { "on": true } } }
/// }
/// ```
///
/// A key that a program's entry lacks is taken from the entry for all programs. Effects of unknown names are kept when the file is written;
/// other unknown keys are not.
package struct VideoEffectsFile: Sendable, Hashable, Codable {
  /// The entry of one effect; a value of `nil` inherits from all programs, or from the defaults.
  package struct Entry: Sendable, Hashable, Codable {
    package var on: Bool?
    package var strength: Double?
    /// A path; an empty one means no picture, also where all programs have one.
    package var picture: String?

    package init(on: Bool? = nil, strength: Double? = nil, picture: String? = nil) {
      self.on = on
      self.strength = strength
      self.picture = picture
    }

    /// The entry that makes `choice` hold for a program, whatever the entry for `all` programs is.
    package init(_ choice: VideoEffectChoice, for effect: VideoEffect, beside all: Entry) {
      self.init(
        on: choice.isOn, strength: effect.hasStrength ? choice.strength : nil,
        picture: choice.picture ?? (all.picture == nil ? nil : ""))
    }

    fileprivate var isEmpty: Bool { self == Entry() }
  }

  private var effects: [String: Entry]?
  private var programs: [String: [String: Entry]]?

  /// A file without choices.
  package init() {}

  /// The path of the file.
  ///
  /// - Parameter environment: The variables to ask: `XDG_CONFIG_HOME` and `HOME`.
  package static func path(_ environment: [String: String]) -> String {
    UserFolders(environment).configuration("obscura/effects.json")
  }

  /// Reads the file at `path`; a missing one counts as empty.
  ///
  /// - Throws: ``ReadError``.
  package init(at path: String) throws(ReadError) {
    let data: Data
    do {
      data = try InputFile.contents(of: path, atMost: 1_000_000)
    } catch {
      guard !error.isMissing else {
        self.init()
        return
      }
      throw ReadError(path, "\(error)")
    }
    do {
      self = try JSONDecoder().decode(VideoEffectsFile.self, from: data)
    } catch {
      throw ReadError(path, "it is not JSON of that kind")
    }
  }

  /// An error of reading the file, as one sentence with the reason and the remedy.
  package struct ReadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    package let description: String

    fileprivate init(_ path: String, _ reason: String) {
      description =
        "The choices of video effects in \(path) cannot be read (\(reason)); mend the file, or remove it."
    }
  }

  /// Reads the file at `path`, changes it, and writes it; makes its folder.
  ///
  /// Programs that change it at the same time take turns, so that no change is lost. Waits for another program for five seconds at
  /// most, and then goes on without it.
  ///
  /// - Throws: ``ReadError``, which leaves the file as it is; `SystemError` when the folder cannot be made, or the
  ///   file cannot be written.
  package static func change(at path: String, _ change: (inout VideoEffectsFile) -> Void) throws {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    try Disk.makeFolders(folder.path)
    let turn = try turn(at: url.lastPathComponent, in: folder.path + "/")
    defer { withExtendedLifetime(turn) {} }
    var file = try VideoEffectsFile(at: path)
    change(&file)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try AtomicFile.write(encoder.encode(file) + Data("\n".utf8), to: path)
  }

  private static func turn(at name: String, in folder: String) throws -> NameClaim? {
    let limit = HangLimit(nanoseconds: 5_000_000_000)
    while !limit.isOver {
      if let claim = try NameClaim(of: name, in: folder) { return claim }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return nil
  }

  /// The entry of an effect for a program, or with `nil` for all programs.
  package subscript(effect: VideoEffect, program: String?) -> Entry {
    get { (program.map { programs?[$0] } ?? effects)?[effect.rawValue] ?? Entry() }
    set {
      let entry = newValue.isEmpty ? nil : newValue
      if let program {
        programs = programs ?? [:]
        programs?[program, default: [:]][effect.rawValue] = entry
        if programs?[program]?.isEmpty == true { programs?[program] = nil }
      } else {
        effects = effects ?? [:]
        effects?[effect.rawValue] = entry
      }
    }
  }

  /// The names of the programs with entries of their own, sorted.
  package var programNames: [String] { (programs ?? [:]).keys.sorted() }

  /// The choices for a program: its own entries, then those for all programs, then the defaults.
  package func choices(for program: String) -> VideoEffectChoices {
    var choices = VideoEffectChoices.standard
    for effect in VideoEffect.allCases {
      let (own, all) = (self[effect, program], self[effect, nil])
      let usual = choices[effect]
      let strength = own.strength ?? all.strength ?? usual.strength
      let picture = own.picture ?? all.picture
      choices[effect] = VideoEffectChoice(
        isOn: own.on ?? all.on ?? usual.isOn,
        strength: strength.isFinite ? min(max(strength, 0), 1) : usual.strength,
        picture: picture?.isEmpty == true ? nil : picture)
    }
    return choices
  }
}
