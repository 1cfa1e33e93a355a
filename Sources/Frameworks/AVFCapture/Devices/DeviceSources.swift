package import CaptureDevice
internal import Foundation

/// The sources of devices that words choose: those of `OBSCURA_DEVICES` and of `--devices`.
package enum DeviceSources {
  /// The words that an unset variable stands for.
  package static var usual: String {
    DeviceBackends.all.filter(\.isUsual).map(\.name).joined(separator: ",")
  }

  /// The spellings of the words that this program knows, as help lists them.
  package static var spellings: [String] { DeviceBackends.all.flatMap(\.spellings) }

  /// The providers that the environment asks for, in order of preference.
  static func fromEnvironment() -> [any CaptureDeviceProvider] {
    let words = ProcessInfo.processInfo.environment["OBSCURA_DEVICES"] ?? usual
    do {
      return try providers(for: words)
    } catch {
      Log.note("OBSCURA_DEVICES=\(words) gives no devices: \(error.message)")
      return []
    }
  }

  /// The providers for a comma-separated list of words, in its order.
  ///
  /// A backend's companions follow it. Devices of the machine are listed once, however often they are asked for.
  /// - Parameter words: Each as one of ``spellings``.
  /// - Throws: `invalidScene` for an unknown word or a scene that does not hold what it should.
  package static func providers(for words: String) throws(CaptureDeviceError) -> [any CaptureDeviceProvider] {
    var providers: [any CaptureDeviceProvider] = []
    for part in words.split(separator: ",") {
      let word = part.trimmingCharacters(in: .whitespaces)
      guard let backend = backend(for: word) else {
        throw CaptureDeviceError(.invalidScene, refusal(of: word))
      }
      try providers.append(backend, argument: argument(of: word))
      for companion in backend.companions.compactMap(DeviceBackends.named) {
        try providers.append(companion, argument: nil)
      }
    }
    return providers
  }

  /// As ``DeviceBackends/name(of:)``.
  package static func name(of word: some StringProtocol) -> String { DeviceBackends.name(of: word) }

  /// The part of a word behind its colon; `nil` without one.
  package static func argument(of word: some StringProtocol) -> String? {
    word.firstIndex(of: ":").map { String(word[word.index(after: $0)...]) }
  }

  /// The reason why a word names no devices, in one sentence; `nil` when it does.
  package static func obstacle(to word: some StringProtocol) -> String? {
    backend(for: word) != nil ? nil : refusal(of: word)
  }

  /// The backend that a word asks for; `nil` where this program has none, and for a colon that it does not know.
  private static func backend(for word: some StringProtocol) -> DeviceBackend? {
    DeviceBackends.named(name(of: word)).flatMap { $0.takesArgument || argument(of: word) == nil ? $0 : nil }
  }

  private static func refusal(of word: some StringProtocol) -> String {
    let known = spellings.dropLast().joined(separator: ", ") + " or " + (spellings.last ?? "none")
    guard let trait = DeviceBackends.missingTrait(bringing: name(of: word)) else {
      return "'\(word)' is not a place that devices come from; use \(known)."
    }
    return "'\(word)' is not a place that devices come from in this build, which leaves out \(trait); "
      + "build with the trait \(trait), or use \(known)."
  }
}

extension [any CaptureDeviceProvider] {
  /// Adds a provider, unless its backend's word stands for one set of devices, and that is here already.
  fileprivate mutating func append(_ backend: DeviceBackend, argument: String?) throws(CaptureDeviceError) {
    guard argument != nil || backend.isSimulation || !contains(where: { $0.name == backend.name }) else {
      return
    }
    append(try backend.makeProvider(argument))
  }
}
