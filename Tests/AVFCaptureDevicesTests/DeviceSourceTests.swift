import AVFCapture
import CaptureDevice
import Testing

@Suite("Where devices come from")
struct DeviceSourceTests {
  /// The names of the providers of a list of words.
  private func names(_ words: String) throws -> [String] {
    try DeviceSources.providers(for: words).map(\.name)
  }

  @Test func `every backend that is linked is known, in order, under one name`() {
    let names = DeviceBackends.all.map(\.name)
    #expect(names.starts(with: ["v4l2", "alsa", "simulated", "movie"]))
    #expect(Set(names).count == names.count)
    #expect(
      DeviceSources.spellings.starts(with: ["v4l2", "alsa", "simulated", "simulated:FILE.json", "movie:FILE"])
    )
  }

  @Test func `without a choice the machine's cameras and microphones are asked for`() throws {
    #expect(try names(DeviceSources.usual) == ["v4l2", "alsa", "pipewire", "network"])
  }

  @Test func `a backend's words begin with its name, and its providers are called so`() throws {
    for backend in DeviceBackends.all {
      #expect(backend.spellings.allSatisfy { DeviceSources.name(of: $0) == backend.name })
      #expect(!backend.summary.isEmpty && !backend.summary.hasSuffix("."))
      if backend.spellings.contains(backend.name) {
        #expect(try backend.makeProvider(nil).name == backend.name)
      }
    }
  }

  @Test(arguments: [
    ("v4l2", ["v4l2", "alsa"]), ("alsa", ["alsa"]), ("v4l2,alsa", ["v4l2", "alsa"]),
    ("alsa, v4l2", ["alsa", "v4l2"]), ("v4l2,v4l2", ["v4l2", "alsa"]), ("simulated", ["simulated"]),
    (" simulated ,v4l2", ["simulated", "v4l2", "alsa"]), ("simulated,simulated", ["simulated", "simulated"]),
    ("pipewire", ["pipewire"]), ("v4l2,pipewire", ["v4l2", "alsa", "pipewire"]),
    ("pipewire,pipewire", ["pipewire"]), ("", []),
  ])
  func `words give their providers in their order, and the machine's devices once`(
    _ words: String, _ expected: [String]
  ) throws {
    #expect(try names(words) == expected)
  }

  @Test(arguments: ["usb", "v4l2:/dev/video0", "alsa:", "simulate", ":", "V4L2"])
  func `a word that no backend knows is refused with those that there are`(_ word: String) throws {
    let known = DeviceSources.spellings
    let sentence =
      "'\(word)' is not a place that devices come from; use \(known.dropLast().joined(separator: ", ")) or "
      + "\(known.last ?? "")."
    let error = #expect(throws: CaptureDeviceError.self) { try DeviceSources.providers(for: word) }
    #expect(error?.code == .invalidScene && error?.message == sentence)
    #expect(DeviceSources.obstacle(to: word) == sentence)
  }

  @Test(arguments: [
    ("simulated:", "“simulated:” names no scene file; write simulated:FILE.json or simulated."),
    ("movie:", "“movie:” names no file; write movie:FILE."),
    ("movie", "“movie:” names no file; write movie:FILE."),
    ("pipewire:7", "“pipewire:7” names no cameras; write pipewire or pipewire:portal."),
  ])
  func `a word that lacks its file is refused by its backend`(_ word: String, _ sentence: String) throws {
    #expect(DeviceSources.obstacle(to: word) == nil)
    let error = #expect(throws: CaptureDeviceError.self) { try DeviceSources.providers(for: word) }
    #expect(error?.message == sentence)
  }

  @Test func `what is linked is in no trait that is missing`() {
    for name in DeviceBackends.all.map(\.name) + ["usb", "screen", ""] {
      #expect(DeviceBackends.missingTrait(bringing: name) == nil)
    }
    let optional = ["UsbDevices", "MovieDevices"]
    #expect(DeviceBackends.trait(bringing: "movie", among: optional, without: ["v4l2"]) == "MovieDevices")
    #expect(DeviceBackends.trait(bringing: "movie", among: optional, without: ["v4l2", "movie"]) == nil)
    #expect(DeviceBackends.trait(bringing: "alsa", among: optional, without: ["v4l2"]) == nil)
  }
}
