import CaptureDevice
import CoreVideo
import PixelTransforms
import SimulatedDevices
import StillCodecs
import Testing

@Suite("FrameStamp")
struct StampTests {
  @Test(arguments: [(160, 120), (64, 48), (171, 97), (640, 480), (320, 240)])
  func `every frame carries its own number`(width: Int, height: Int) throws {
    let model = SimulatedDeviceModel.camera(sizes: [FrameSize(width: width, height: height)])
    for format in 0...1 {
      let stage = try Stage(model: model)
      let stream = try stage.open(model.facts.formats[format])
      let recorder = Recorder()
      try stream.start(recorder.receive)
      stage.clock.advance(by: .seconds(0.2))
      let frames = recorder.now.frames
      #expect(frames.count == 6)
      for frame in frames { #expect(try FrameStamp.read(from: #require(frame.buffer)) == frame.sequence) }
    }
  }

  @Test func `the strip has the contract's cells, levels and height`() throws {
    let model = SimulatedDeviceModel.camera(sizes: [FrameSize(width: 400, height: 200)])
    let truth = try Stage(model: model).camera.truth(
      at: 0, size: FrameSize(width: 400, height: 200), sequence: 0x8000_0001)
    let cells = (0..<40).map { truth.picture.luma($0 * 10 + 5, 2) }
    let bits = "1010" + "1000" + String(repeating: "0", count: 27) + "1" + "1001"
    #expect(cells == bits.map { $0 == "1" ? 235 : 16 })
    #expect(truth.picture.luma(5, 4) == 235 && truth.picture.luma(15, 4) == 16)
    #expect(truth.picture.luma(5, 6) != 235)
  }

  @Test(arguments: [UInt32(0), 1, 29, 0xFFFF_FFFF, 0xDEAD_BEEF, 0x1234_5678])
  func `a number survives JPEG and scaling`(number: UInt32) throws {
    let size = FrameSize(width: 640, height: 480)
    let picture = try Stage().camera.truth(at: 0, size: size, sequence: number).picture
    #expect(FrameStamp.read(from: picture) == number)
    var options = JPEGEncoder.Options()
    options.quality = 0.5
    let decoded = try JPEGDecoder.decode(JPEGEncoder.encode(picture, options: options))
    #expect(FrameStamp.read(from: decoded) == number)
    let small = try PixelTransformer().apply(
      FrameTransform(size: PixelSize(width: 301, height: 225), pixelFormat: kCVPixelFormatType_32BGRA),
      to: decoded)
    #expect(FrameStamp.read(from: small) == number)
  }

  @Test func `there is nothing to read where there is no stamp, or a wrong one`() throws {
    var scene = Scene()
    scene.isStamped = false
    let size = FrameSize(width: 160, height: 120)
    #expect(try FrameStamp.read(from: Stage(scene).camera.truth(at: 0, size: size).picture) == nil)
    let stamped = try Stage().camera.truth(at: 0, size: size, sequence: 77).picture
    // One flipped cell breaks the check.
    for row in 0..<3 { for column in 20..<24 { stamped.planes[0].row(row)[column] ^= 0xFB } }
    #expect(FrameStamp.read(from: stamped) == nil)
    let tiny = try Stage().camera.truth(at: 0, size: FrameSize(width: 20, height: 16)).picture
    #expect(FrameStamp.read(from: tiny) == nil)
  }
}
