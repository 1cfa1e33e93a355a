import ALSADevices
import CaptureDevice
import Glibc
import Linux
import Testing

@Suite("ALSA: discovery")
struct MicrophoneDiscoveryTests {
  /// A notebook's analog audio.
  private func builtIn(card: Int = 0, device: Int = 0, name: String = "ALC257 Analog") -> ScriptedAudioCard {
    var made = ScriptedAudioCard(
      node: AudioNode(card: card, device: device, identity: UInt64(100 + 10 * card + device)))
    made.identity = AudioIdentity(
      cardID: "PCH", driver: "HDA-Intel", cardName: "HDA Intel PCH", deviceName: name)
    made.placement = AudioPlacement(bus: "0000:00:1f.3")
    return made
  }

  private func names(_ cards: [ScriptedAudioCard]) -> [String] {
    ALSADeviceProvider(library: ScriptedAudioLibrary(cards)).microphones().map(\.facts.name)
  }

  @Test func `a microphone keeps its identifier when its card's number changes`() throws {
    let first = try ScriptedAudioLibrary([.usb(card: 0)]).microphone().facts
    let second = try ScriptedAudioLibrary([.usb(card: 3)]).microphone().facts
    #expect(first.uniqueID == "mic-usb-b58e:9e84-SN1")
    #expect(first == second)
    #expect(first.modelID == "USB Audio VendorID_46478 ProductID_40580")
    #expect(first.kind == .externalMicrophone && first.media == [.audio] && first.manufacturer == "Blue")
  }

  @Test func `two microphones with one serial number differ by their ports, and without one by nothing else`()
  {
    let provider = ALSADeviceProvider(
      library: ScriptedAudioLibrary([.usb(card: 0, port: "1-2"), .usb(card: 1, port: "1-3")]))
    #expect(
      provider.microphones().map(\.facts.uniqueID) == [
        "mic-usb-b58e:9e84-SN1", "mic-usb-b58e:9e84-SN1-port-1-3",
      ])
    let nameless = ALSADeviceProvider(
      library: ScriptedAudioLibrary([.usb(card: 0, serial: "", port: "1-2")]))
    #expect(nameless.microphones().map(\.facts.uniqueID) == ["mic-usb-b58e:9e84-port-1-2"])
  }

  @Test func `a built-in microphone is known by its place, and by what people call it`() throws {
    let facts = try ScriptedAudioLibrary([builtIn(), builtIn(device: 6, name: "DMIC (*)")]).microphone().facts
    #expect(facts.uniqueID == "mic-0000:00:1f.3")
    #expect(facts.kind == .builtInMicrophone)
    #expect(
      names([builtIn(), builtIn(device: 6, name: "DMIC (*)")]) == [
        "Built-in Audio, ALC257 Analog", "Built-in Microphone",
      ])
    var dummy = builtIn()
    dummy.identity = AudioIdentity(
      cardID: "Dummy", driver: "Dummy", cardName: "Dummy", deviceName: "Dummy PCM")
    #expect(names([dummy]) == ["Dummy"])
    #expect(names([.usb()]) == ["Yeti Microphone"])
  }

  @Test func `the default comes first and loops in memory last`() {
    var loop = builtIn(card: 0)
    loop.identity = AudioIdentity(
      cardID: "Loopback", driver: "Loopback", cardName: "Loopback", deviceName: "Loopback PCM")
    let library = ScriptedAudioLibrary([loop, builtIn(card: 1), .usb(card: 2)])
    library.state.withLock { $0.defaultCard = 2 }
    let provider = ALSADeviceProvider(library: library)
    #expect(
      provider.microphones().map(\.facts.name) == [
        "Yeti Microphone", "Built-in Audio, ALC257 Analog", "Loopback",
      ])
  }

  @Test func `a audio server's choice comes first, and only where a server stands behind the default`() {
    let library = ScriptedAudioLibrary([.usb()])
    library.state.withLock {
      $0.server = AudioAbilities(
        encodings: [.integer16], channels: 1...2, formats: AudioStreamFormat.usual, isServed: true)
    }
    let provider = ALSADeviceProvider(library: library)
    #expect(provider.microphones().map(\.facts.uniqueID) == ["mic-default", "mic-usb-b58e:9e84-SN1"])
    #expect(provider.microphones().first === provider.microphones().first)
    library.state.withLock { $0.server?.isServed = false }
    #expect(
      ALSADeviceProvider(library: library).microphones().map(\.facts.uniqueID) == ["mic-usb-b58e:9e84-SN1"])
  }

  @Test func `a microphone that another program holds is listed with the usual formats`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    library.force(.open, EBUSY, times: 1)
    let microphone = try library.microphone()
    #expect(microphone.facts.audioFormats == AudioStreamFormat.usual)
    // What it can do shows when it is opened: the audio says how it is.
    library.state.withLock { state in
      state.cards[0].grants = { setup in
        var granted = setup
        granted.rate = 16_000
        granted.channels = 1
        return granted
      }
    }
    let stream = try microphone.open(AudioStreamFormat(rate: 48_000, channels: 2))
    #expect(stream.configuration.audio == AudioStreamFormat(rate: 16_000, channels: 1))
  }

  @Test func `a microphone that this user may not open is left out, and the access says so`() {
    let library = ScriptedAudioLibrary([.usb()])
    library.force(.identity, EACCES)
    let provider = ALSADeviceProvider(library: library)
    #expect(provider.microphones().isEmpty)
    #expect(provider.access(for: .audio) == .denied && provider.media == [.audio])
    #expect(provider.omitted().map(\.code) == [.permissionDenied])
    #expect(
      provider.omittedNodes == [
        "The microphone (/dev/snd/pcmC0D0c) cannot be examined: this user may not use /dev/snd/pcmC0D0c; "
          + "join the group that owns it ('sudo usermod -aG audio $USER'), then log in again."
      ])
    library.unforce()
    #expect(provider.microphones().count == 1 && provider.access(for: .audio) == .granted)
  }

  @Test func `a device whose samples cannot be read is left out with the reason`() {
    var card = ScriptedAudioCard.usb()
    card.abilities = AudioAbilities(encodings: [], channels: 2...2, formats: [])
    let provider = ALSADeviceProvider(library: ScriptedAudioLibrary([card]))
    #expect(provider.microphones().isEmpty)
    #expect(provider.omitted().map(\.code) == [nil])
    #expect(provider.access(for: .audio) == .granted)
  }

  @Test func `plugs and unplugs are reported, and a replug keeps the identifier`() throws {
    let library = ScriptedAudioLibrary([.usb(card: 0, serial: "A")])
    let provider = ALSADeviceProvider(library: library)
    let before = provider.microphones()
    let reported = Monitor<[String]>([])
    provider.observeDevices { change in
      reported.withLock { reported in
        switch change {
        case .connected(let driver): reported.append("+" + driver.facts.uniqueID)
        case .disconnected(let id): reported.append("-" + id)
        }
      }
    }
    #expect(provider.observesDevices)
    library.plug(.usb(card: 1, serial: "B", port: "1-3"))
    library.unplug(card: 0)
    var back = ScriptedAudioCard.usb(card: 2, serial: "A")
    back.node.identity = 99
    library.plug(back)
    #expect(
      reported.withLock { $0 } == [
        "+mic-usb-b58e:9e84-B", "-mic-usb-b58e:9e84-A", "+mic-usb-b58e:9e84-A",
      ])
    #expect(provider.microphones().contains { $0 === before[0] } == false)
    provider.observeDevices(nil)
    #expect(!provider.observesDevices)
  }

  @Test func `a watch that is refused is an error that can be asked for`() {
    let library = ScriptedAudioLibrary([.usb(card: 0, serial: "A")])
    library.force(.watchNodes, EMFILE, times: 1)
    let provider = ALSADeviceProvider(library: library)
    provider.observeDevices { _ in }
    #expect(provider.watchFailure?.message.hasPrefix("Microphones that are plugged in") == true)
    provider.observeDevices { _ in }
    #expect(provider.watchFailure == nil && provider.observesDevices)
    provider.observeDevices(nil)
  }

  @Test func `a card whose capture switch is off is muted`() throws {
    var card = ScriptedAudioCard.usb()
    card.captureSwitch = false
    #expect(try ScriptedAudioLibrary([card]).microphone().isMuted)
    card.captureSwitch = true
    #expect(try !ScriptedAudioLibrary([card]).microphone().isMuted)
    card.captureSwitch = nil
    #expect(try !ScriptedAudioLibrary([card]).microphone().isMuted)
  }
}
