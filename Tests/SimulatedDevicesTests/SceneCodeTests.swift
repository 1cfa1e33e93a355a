import CaptureDevice
import CodeReading
import CoreVideo
import Foundation
import SimulatedDevices
import Testing

@Suite("Codes in scenes")
struct SceneCodeTests {
  @Test(arguments: [
    (SceneCodeKind.aztec, CodeKind.aztec, "ticket 17"), (.dataMatrix, .dataMatrix, "ticket 17"),
    (.pdf417, .pdf417, "ticket 17"), (.ean13, .ean13, "4006381333931"), (.ean8, .ean8, "73513537"),
    (.upcE, .upcE, "01234565"), (.code39, .code39, "TICKET 17"), (.code93, .code93, "TICKET 17"),
    (.code128, .code128, "ticket 17"), (.itf, .itf, "123456"), (.codabar, .codabar, "A1234B"),
  ])
  func `a code of any kind is read from the picture of its scene`(
    kind: SceneCodeKind, read: CodeKind, text: String
  ) throws {
    let json =
      #"{"version": 1, "layers": [{"code": {"type": "\#(kind.rawValue)", "text": "\#(text)"}, "width": 0.8}]}"#
    let scene = try Scene(json: Data(json.utf8), name: "scene", folder: URL(fileURLWithPath: "/"))
    let picture = try Stage(scene).camera.truth(at: 0, size: FrameSize(width: 640, height: 480)).picture
    let found = try CodeReader(kinds: [read]).codes(in: picture, effort: .thorough)
    #expect(found.map(\.kind) == [read])
    let said = try #require(found.first?.text)
    #expect(said == text || said == String(text.dropFirst().dropLast()), "\(said)")
  }

  @Test func `a text that a kind of code cannot hold is refused`() {
    #expect(throws: CaptureDeviceError.self) { try SceneContent.code(.ean13, "letters") }
    #expect(throws: CaptureDeviceError.self) { try SceneContent.code(.code128, "") }
  }
}
