import ALSADevices
import Foundation
import Testing

@Suite("Playback nodes")
struct PlaybackNodeTests {
  @Test func `cards are listed as the kernel names them, screens last`() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("asound-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = root.appendingPathComponent("proc/asound")
    for (card, id) in [("card0", "PCH"), ("card1", "Headset")] {
      let place = folder.appendingPathComponent(card)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data("\(id)\n".utf8).write(to: place.appendingPathComponent("id"))
    }
    try Data("0d8c:0012\n".utf8).write(to: folder.appendingPathComponent("card1/usbid"))
    try Data(
      """
      00-03: HDMI 0 : HDMI 0 : playback 1
      00-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1
      00-06: DMIC (*) :  : capture 1
      01-00: USB Audio : USB Audio : playback 1
      nonsense
      """.utf8
    ).write(to: folder.appendingPathComponent("pcm"))
    let nodes = PlaybackNode.all(root: root.path)
    #expect(nodes.map(\.name) == ["ALC257 Analog", "USB Audio", "HDMI 0"])
    #expect(
      nodes.map(\.uniqueID) == ["speaker-PCH-device-0", "speaker-Headset-device-0", "speaker-PCH-device-3"])
    #expect(nodes.map(\.isUSB) == [false, true, false])
    #expect(nodes.map(\.isHDMI) == [false, false, true])
  }

  @Test func `a machine without sound cards plays nothing`() {
    #expect(PlaybackNode.all(root: "/nonexistent").isEmpty)
  }
}
