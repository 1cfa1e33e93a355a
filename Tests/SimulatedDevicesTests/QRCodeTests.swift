import CaptureDevice
import CoreVideo
import SimulatedDevices
import Testing

@Suite("QR codes in scenes")
struct QRCodeTests {
  /// The picture of a code with one pixel for each module.
  private func picture(_ text: String, modules: Int) throws -> CVPixelBuffer {
    let side = modules + 8
    var scene = Scene(isStamped: false, isNoisy: false)
    scene.layers = [SceneLayer(try .qrCode(text), width: 1)]
    return try Stage(scene).camera.truth(at: 0, size: FrameSize(width: side, height: side)).picture
  }

  /// Checked once against ZXing-C++, which reads this text at level M out of a picture with these bits.
  @Test func `the code of a known text is the known one`() throws {
    let picture = try picture("hello", modules: 21)
    let rows = (4..<25).map { row in
      (4..<25).reduce(UInt32(0)) { $0 << 1 | (picture.luma($1, row) < 128 ? 1 : 0) }
    }
    #expect(rows == Self.hello)
  }

  @Test(arguments: [
    (1, 14), (2, 26), (3, 42), (4, 62), (5, 84), (6, 106), (7, 122), (8, 152), (9, 180), (10, 213),
  ])
  func `each version holds as much as the standard says`(version: Int, bytes: Int) throws {
    let modules = 17 + 4 * version
    let picture = try picture(String(repeating: "a", count: bytes), modules: modules)
    // The three finders' rings are where this version has them: a version off, and they are not.
    for (x, y) in [(4, 4), (4 + modules - 7, 4), (4, 4 + modules - 7)] {
      for index in 0..<7 { #expect(picture.luma(x + index, y) < 128 && picture.luma(x, y + index) < 128) }
      #expect(picture.luma(x + 1, y + 1) > 128 && picture.luma(x + 3, y + 3) < 128)
    }
    #expect(picture.luma(4 + 8, 4 + modules - 8) < 128)
  }

  @Test func `what is too long is refused`() {
    #expect(throws: CaptureDeviceError.self) {
      _ = try SceneContent.qrCode(String(repeating: "a", count: 214))
    }
  }

  private static let hello: [UInt32] = [
    0x1FCC7F, 0x105841, 0x174B5D, 0x17465D, 0x17595D, 0x104141, 0x1FD57F,
    0x000700, 0x154A12, 0x058443, 0x0A5D1F, 0x190042, 0x0D6550, 0x001EA7,
    0x1FC6E7, 0x1047B0, 0x1756E3, 0x174866, 0x175D15, 0x104852, 0x1FDD63,
  ]
}
