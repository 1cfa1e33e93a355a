import ALSADevices
import CaptureDevice
import CaptureDeviceTesting
import Testing

@Suite("ALSA: the microphone's contract")
struct MicrophoneConformanceTests {
  static let scripted = MicrophoneConformanceSuite {
    var card = ScriptedAudioCard.usb()
    card.isAutomatic = true
    card.abilities.formats = [
      AudioStreamFormat(rate: 48_000, channels: 1), AudioStreamFormat(rate: 44_100, channels: 2),
      AudioStreamFormat(rate: 11_025, channels: 1),
    ]
    return ALSADeviceProvider(library: ScriptedAudioLibrary([card]))
  }

  @Test(arguments: scripted.checks)
  func `a scripted card's microphone keeps the contract`(_ check: MicrophoneConformanceSuite.Check) throws {
    try check.run()
  }
}
