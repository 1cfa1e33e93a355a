import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated pictures")
struct PictureTests {
  private let size = FrameSize(width: 160, height: 120)

  private func plain(_ layers: [SceneLayer] = [], noisy: Bool = false) -> Scene {
    Scene(isStamped: false, isNoisy: noisy, layers: layers)
  }

  private let white = SceneContent.color(red: 1, green: 1, blue: 1)

  @Test func `the same scene and seed give the same bytes, another seed gives others`() throws {
    func checksums(_ seed: UInt64) throws -> [UInt64] {
      var scene = Scene.builtIn
      scene.seed = seed
      scene.shakePixels = 3
      return try Stage(scene).frames(seconds: 0.2).compactMap { $0.buffer?.checksum }
    }
    let first = try checksums(5)
    #expect(first.count == 6 && Set(first).count == 6)
    #expect(try checksums(5) == first)
    #expect(Set(try checksums(6)).isDisjoint(with: first))
  }

  @Test func `two processes give the same bytes`() throws {
    var scene = Scene.builtIn
    scene.shakePixels = 2
    let mine = try Stage(scene).frames(seconds: 0.1).compactMap { $0.buffer?.checksum }
    let variable = "OBSCURA_TEST_CHECKSUMS"
    if let path = ProcessInfo.processInfo.environment[variable] {
      try Data(mine.description.utf8).write(to: URL(fileURLWithPath: path))
      return
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("checksums-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    other.arguments = ["--testing-library", "swift-testing", "--filter", "two processes give the same bytes"]
    other.environment = ProcessInfo.processInfo.environment.merging([variable: file.path]) { $1 }
    other.standardOutput = FileHandle.nullDevice
    try other.run()
    other.waitUntilExit()
    #expect(other.terminationStatus == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) == mine.description)
  }

  @Test func `without noise a settled frame is the truth`() throws {
    let model = SimulatedDeviceModel.camera(sizes: [size])
    let stage = try Stage(
      plain([SceneLayer(white, width: 0.3, velocity: CGPoint(x: 0.1, y: 0))]), model: model)
    let frame = try #require(try stage.frames(seconds: 1).last)
    #expect(!frame.exposure.isAdjusting)
    let seconds = Double(frame.timestamp.nanoseconds - 1_000_000_000_000) / 1e9
    let truth = try stage.camera.truth(at: seconds, size: size, exposure: frame.exposure)
    #expect(try #require(frame.buffer).checksum == truth.picture.checksum)
  }

  @Test func `a layer lies where its centre, width, velocity and times put it`() throws {
    let layer = SceneLayer(
      white, center: CGPoint(x: 0.25, y: 0.5), width: 0.2, depth: 0.7, velocity: CGPoint(x: 0.1, y: 0),
      from: 1, to: 4)
    let camera = try Stage(plain([layer])).camera
    func isWhite(_ seconds: Double, _ x: Int, _ y: Int = 60) throws -> Bool {
      try camera.truth(at: seconds, size: size).picture.luma(x, y) > 250
    }
    // 32 pixels wide and high around 40 + 16 pixels for each second.
    #expect(try !isWhite(0.9, 55))
    #expect(try isWhite(1, 56) && isWhite(1, 41) && isWhite(1, 70) && !isWhite(1, 38) && !isWhite(1, 74))
    #expect(try isWhite(3, 88) && !isWhite(3, 56))
    #expect(try isWhite(3, 88, 46) && !isWhite(3, 88, 42))
    #expect(try !isWhite(4, 104))
    let depth = try camera.truth(at: 1, size: size).depth
    func metres(_ x: Int, _ y: Int) -> Float {
      depth.planes[0].row(y).bindMemory(to: Float.self)[x]
    }
    #expect(metres(56, 60) == 0.7 && metres(10, 10) == 3)
  }

  @Test func `angles turn clockwise`() throws {
    // Left half black, right half white: turned by 90 degrees the white half is below.
    let rgba = (0..<16).flatMap { index -> [UInt8] in index % 4 < 2 ? [0, 0, 0, 255] : [255, 255, 255, 255] }
    let picture = try ScenePicture(width: 4, height: 4, rgba: rgba)
    let layer = SceneLayer(.picture(picture), width: 0.5, angle: 90)
    let truth = try Stage(plain([layer])).camera.truth(at: 0, size: size).picture
    #expect(truth.luma(80, 90) > 240 && truth.luma(80, 30) < 15)
  }

  @Test func `alpha lets what is behind show through`() throws {
    let half = try ScenePicture(width: 1, height: 1, rgba: [255, 255, 255, 128])
    let truth = try Stage(plain([SceneLayer(.picture(half), width: 0.5)])).camera.truth(at: 0, size: size)
      .picture
    let behind = Double(truth.luma(5, 60))
    #expect(abs(Double(truth.luma(80, 60)) - (255 * 128.0 / 255 + behind * 127.0 / 255)) <= 2)
  }

  @Test func `a nodding disc swings its depth and nothing else`() throws {
    let layer = SceneLayer(.nod(near: 0.35, far: 0.55, period: 1), width: 0.5)
    let camera = try Stage(plain([layer])).camera
    func truth(_ seconds: Double) throws -> (UInt64, Float) {
      let truth = try camera.truth(at: seconds, size: size)
      return (truth.picture.checksum, truth.depth.planes[0].row(60).bindMemory(to: Float.self)[80])
    }
    let (near, far) = (try truth(0), try truth(0.5))
    #expect(abs(near.1 - 0.35) < 1e-5 && abs(far.1 - 0.55) < 1e-5 && near.0 == far.0)
  }

  @Test func `noise has the model's variance and grows with ISO`() throws {
    func deviation(lux: Double) throws -> (measured: Double, iso: Double) {
      var scene = plain(noisy: true)
      scene.lux = lux
      let model = SimulatedDeviceModel.camera(sizes: [size])
      let frames = try Stage(scene, model: model).frames(seconds: 1)
      let frame = try #require(frames.last)
      let buffer = try #require(frame.buffer)
      var (sum, squares, count) = (0.0, 0.0, 0.0)
      for y in 0..<120 {
        for x in 0..<160 {
          let value = Double(buffer.luma(x, y))
          sum += value
          squares += value * value
          count += 1
        }
      }
      return ((squares / count - (sum / count) * (sum / count)).squareRoot(), Double(frame.exposure.iso ?? 0))
    }
    for lux in [250.0, 60, 10] {
      let (measured, iso) = try deviation(lux: lux)
      // Grey of code 0.5: linear 0.214; the code's slope there, from the sRGB formula.
      let linear = pow((0.5 + 0.055) / 1.055, 2.4)
      let slope = 1.055 / 2.4 * pow(linear, 1 / 2.4 - 1)
      let shot = 2e-6 * iso
      let expected = 255 * slope * (shot * linear + exp(2.18 * log(shot) + 1.2)).squareRoot()
      #expect(abs(measured - expected) < 0.06 * expected + 0.3, "\(lux) lux: \(measured) against \(expected)")
    }
  }

  @Test func `shake is smooth and has the asked RMS`() throws {
    var scene = plain([SceneLayer(white, width: 0.25)])
    scene.shakePixels = 24
    let model = SimulatedDeviceModel.camera(sizes: [size])
    // At 160 pixels that is 2 pixels; the white square's left edge gives the shift along x.
    let frames = try Stage(scene, model: model).frames(seconds: 6)
    let shifts = frames.dropFirst(15).compactMap { frame -> Double? in
      guard let buffer = frame.buffer else { return nil }
      let row = (40..<80).map { Double(buffer.luma($0, 60)) }
      let (dark, bright) = (row[0], row[39])
      return 40 - row.reduce(0) { $0 + ($1 - dark) / (bright - dark) }
    }
    let mean = shifts.reduce(0, +) / Double(shifts.count)
    let rms = (shifts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(shifts.count)).squareRoot()
    #expect(abs(rms - 2.0.squareRoot()) < 0.4, "RMS along x is \(rms)")
    #expect(Set(shifts.map { Int($0 * 100) }).count > 50)
  }

  @Test(arguments: [(640, 480, false), (1280, 720, true), (1440, 1080, false)])
  func `attachments say the matrix`(width: Int, height: Int, is709: Bool) throws {
    let model = SimulatedDeviceModel.camera(
      sizes: [FrameSize(width: width, height: height)], stillSizes: [FrameSize(width: 64, height: 48)])
    var format = model.facts.formats[1]
    // The largest format of a test camera counts as photo quality, which is always 601.
    format.isPhotoQuality = !is709 && height >= 720
    var facts = model.facts
    facts.formats = [format, format]
    let stage = try Stage(plain(), model: SimulatedDeviceModel(facts: facts))
    let stream = try stage.open(format)
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(1) / 30)
    let buffer = try #require(recorder.now.frames.first?.buffer)
    let matrix = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) as? String
    #expect(
      matrix == (is709 ? kCVImageBufferYCbCrMatrix_ITU_R_709_2 : kCVImageBufferYCbCrMatrix_ITU_R_601_4)
        as String)
  }

  @Test func `video range and full range show the same grey`() throws {
    let model = SimulatedDeviceModel.camera(sizes: [size])
    let lumas = try (0...1).map { index -> UInt8 in
      let stage = try Stage(plain(), model: model)
      let stream = try stage.open(model.facts.formats[index])
      let recorder = Recorder()
      try stream.start(recorder.receive)
      stage.clock.advance(by: .seconds(1))
      return try #require(recorder.now.frames.last?.buffer).luma(80, 60)
    }
    #expect(abs(Int(lumas[1]) - 127) <= 1, "\(lumas)")
    #expect(abs(Double(lumas[0]) - (Double(lumas[1]) * 219 / 255 + 16)) <= 0.6, "\(lumas)")
  }

  @Test func `an ultra-wide lens sees the room go on beyond the main camera's frame`() throws {
    let provider = SimulatedDeviceProvider(scene: .builtIn, clock: SimulatedClock())
    let camera = try #require(provider.device("simulated.back.ultrawide"))
    let truth = try camera.truth(at: 0, size: size).picture
    for (x, y) in [(5, 20), (5, 100), (154, 100), (80, 115)] {
      #expect(truth.luma(x, y) > 25, "at \(x), \(y)")
    }
  }

  @Test func `a blank scene paints each buffer once`() throws {
    let stage = try Stage(.blank)
    let stream = try stage.open(buffers: 3)
    let recorder = Recorder(keepsFrames: false)
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(2))
    #expect(stream.statistics.delivered == 60)
  }
}
