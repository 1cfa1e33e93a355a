public import CaptureDevice
internal import Glibc
package import Linux

/// A microphone that the kernel offers at `/dev/snd/pcm…c`, or the one that the desktop's sound server has chosen.
///
/// Thread-safe. Nothing is held open between calls; an open stream holds the device.
public final class ALSAMicrophone: CaptureDeviceDriver {
  /// The microphone's facts, as its driver reported them when it was found.
  public let facts: DeviceFacts
  let library: any AudioLibrary
  let probed: ProbedMicrophone
  private let silence: Int64

  init(_ probed: ProbedMicrophone, uniqueID: String, library: any AudioLibrary, silence: Int64) {
    var facts = probed.facts
    facts.uniqueID = uniqueID
    self.facts = facts
    self.probed = probed
    self.library = library
    self.silence = silence
  }

  /// Its node; `nil` for the one that a sound server offers.
  public var path: String? { probed.node?.path }

  /// The processes that have the microphone open now, as far as this user may see them; reads `/proc`, milliseconds.
  package var holders: [DeviceHolder] { path.map(library.holders) ?? [] }

  /// Whether its card's capture switch is off, so that it records silence.
  package var isMuted: Bool {
    probed.node.map { library.captureSwitch(ofCard: $0.card) == false } ?? false
  }

  var device: MicrophoneName { MicrophoneName(facts.name, path) }

  /// Opens the microphone and sets its format.
  ///
  /// A device with more than two channels sends its first ones. C: `snd_pcm_open`, `snd_pcm_hw_params`. Blocks as long as
  /// they do: milliseconds.
  public func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream
  {
    let asked = configuration.audio
    guard facts.audioFormats.contains(asked) else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(device.full) does not send \(asked.channels) channels at \(asked.rate) Hz; choose one of its "
          + "\(facts.audioFormats.count) formats.")
    }
    let handle: AudioHandle
    do throws(AudioRefusal) {
      handle = try library.open(probed.pcmName)
    } catch {
      throw refusal(error)
    }
    do throws(AudioRefusal) {
      let setup = try library.configure(handle, setup(for: asked))
      var granted = configuration
      granted.audio = AudioStreamFormat(rate: setup.rate, channels: min(setup.channels, asked.channels))
      if probed.formatsAreKnown, granted.audio != asked { throw AudioRefusal(.configure, EINVAL) }
      let source = AudioSource(
        library: library, handle: handle, device: device, setup: setup, channels: granted.audio.channels,
        chunk: max(setup.rate / 100, 1), silence: silence)
      return ALSAStream(source: source, configuration: granted)
    } catch {
      library.close(handle)
      throw refusal(error)
    }
  }

  private func refusal(_ error: AudioRefusal) -> CaptureDeviceError {
    error.error(device, "be opened") { library.holders(of: $0) }
  }

  /// A hundredth of a second in a chunk, and half a second of room for a reader that is late.
  private func setup(for format: AudioStreamFormat) -> AudioSetup {
    AudioSetup(
      encoding: .integer16, rate: format.rate, channels: max(format.channels, probed.leastChannels),
      chunk: max(format.rate / 100, 1), buffer: format.rate / 2)
  }
}
