internal import ALSADevices
internal import AVFoundation
internal import CaptureDevice
internal import Foundation
internal import Linux

/// Looks at the microphones: whether they can be used, and why they would record nothing.
///
/// Their trouble leaves the cameras usable, so it changes no exit code.
struct MicrophoneCheck {
  /// The findings about ALSA's microphones: refused, held, muted or usable; empty where ALSA is not in use.
  func findings() -> [Finding] {
    let providers = (CaptureDeviceProviders.installed ?? []).compactMap { $0 as? ALSADeviceProvider }
    let troubles = providers.flatMap(findings)
    let silent = Set(providers.flatMap { $0.microphones() }.filter(isSilent).map(\.facts.uniqueID))
    let microphones = AVCaptureDevice.devices(for: .audio)
    if microphones.isEmpty, !troubles.contains(where: \.isProblem) {
      return troubles + [Finding("microphones", note: "There is no microphone; pictures need none.")]
    }
    return troubles
      + microphones.filter { !silent.contains($0.uniqueID) }.map {
        Finding("microphones", "\($0.localizedName) can be heard (\($0.uniqueID)).")
      }
  }

  private func isSilent(_ microphone: ALSAMicrophone) -> Bool {
    microphone.isMuted || !others(microphone).isEmpty
  }

  private func others(_ microphone: ALSAMicrophone) -> [DeviceHolder] {
    microphone.holders.filter { $0.process != ProcessInfo.processInfo.processIdentifier }
  }

  private func findings(of provider: ALSADeviceProvider) -> [Finding] {
    let omitted = provider.omitted().map { node in
      node.code == nil
        ? Finding("microphones", node.reason) : Finding("microphones", problem: node.reason)
    }
    let microphones = provider.microphones()
    let held = microphones.flatMap { microphone in
      others(microphone).map { holder in
        Finding(
          "microphones",
          problem:
            "\(microphone.facts.name) is held by \(holder.name), process \(holder.process); quit it to use the microphone."
        )
      }
    }
    let muted = microphones.filter(\.isMuted).map { microphone in
      Finding(
        "microphones",
        problem:
          "\(microphone.facts.name) records silence, because its card's capture switch is off; switch it on in 'alsamixer' (F4, then space)."
      )
    }
    return omitted + held + muted
  }
}
