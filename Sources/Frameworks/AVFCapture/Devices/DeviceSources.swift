internal import ALSADevices
package import CaptureDevice
internal import Foundation
internal import MovieDevices
internal import SimulatedDevices
internal import V4L2Devices

/// Where devices come from when no program has chosen: the words of `OBSCURA_DEVICES`.
package enum DeviceSources {
  /// What the unset variable means.
  package static let usual = "v4l2,pipewire"

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
  /// - Parameter words: `v4l2` (the kernel's cameras, and its microphones through ALSA), `alsa` (the microphones alone),
  ///   `simulated`, `simulated:FILE.json`, `movie:FILE`. `pipewire` is left out with a line on standard error when it was asked for in so
  ///   many words.
  /// - Throws: `invalidScene` for an unknown word or a scene that does not hold what it should.
  package static func providers(for words: String) throws(CaptureDeviceError) -> [any CaptureDeviceProvider] {
    var providers: [any CaptureDeviceProvider] = []
    for part in words.split(separator: ",") {
      let word = part.trimmingCharacters(in: .whitespaces)
      switch word.split(separator: ":", maxSplits: 1).first.map(String.init) {
      case "v4l2":
        providers.append(V4L2DeviceProvider())
        // A program that asks for the machine's cameras wants its microphones: no words need both.
        providers.appendMicrophones()
      case "alsa": providers.appendMicrophones()
      case "pipewire":
        if words != usual {
          Log.note("pipewire is left out, because this version does not read PipeWire cameras.")
        }
      default:
        if let simulated = try SimulatedDeviceProvider(word: word) {
          providers.append(simulated)
          continue
        }
        if let movie = try MovieDeviceProvider(word: word) {
          providers.append(movie)
          continue
        }
        throw CaptureDeviceError(
          .invalidScene,
          "\"\(word)\" is no place that devices come from; use v4l2, alsa, simulated, simulated:FILE.json, or movie:FILE."
        )
      }
    }
    return providers
  }
}

extension [any CaptureDeviceProvider] {
  /// The machine's microphones, once.
  fileprivate mutating func appendMicrophones() {
    if !contains(where: { $0 is ALSADeviceProvider }) { append(ALSADeviceProvider()) }
  }
}
