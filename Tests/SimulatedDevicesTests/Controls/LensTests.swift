import CaptureDevice
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated lenses and lamps")
struct LensTests {
  private let white = SceneContent.color(red: 1, green: 1, blue: 1)

  /// The built-in cameras before a square, at 640×480.
  private func open(_ id: String, _ scene: Scene) throws -> (
    camera: SimulatedDevice, stream: any CaptureStream, recorder: Recorder, clock: SimulatedClock
  ) {
    let clock = SimulatedClock()
    let provider = SimulatedDeviceProvider(scene: scene, clock: clock)
    let camera = try #require(provider.device(id))
    let stream = try camera.openStream(
      StreamConfiguration(
        format: camera.facts.formats[1], frameDuration: FrameDuration(1, 30), bufferCount: 64))
    let recorder = Recorder()
    try stream.start(recorder.receive)
    return (camera, stream, recorder, clock)
  }

  @Test func `a triple camera changes lenses as zoom passes, without a jump in size or light`() throws {
    let scene = Scene(isStamped: false, isNoisy: false, layers: [SceneLayer(white, width: 0.1, depth: 3)])
    let (camera, stream, recorder, clock) = try open("simulated.back.triple", scene)
    clock.advance(by: .seconds(0.6))
    _ = try camera.apply([.zoomRamp(to: 6, rate: 3)])
    clock.advance(by: .seconds(1.2))
    stream.stop()
    let frames = recorder.now.frames.dropFirst(17)
    for frame in frames {
      let state = frame.conditions.state
      let id = state.zoom < 2 ? "ultrawide" : state.zoom < 4 ? "wide" : "telephoto"
      #expect(state.constituent == "simulated.back.\(id)", "at \(state.zoom)")
      let buffer = try #require(frame.buffer)
      #expect(abs(ZoomTests.width(buffer) / 64 - state.zoom) < 0.02 * state.zoom + 0.02)
      #expect(abs(Int(buffer.luma(20, 240)) - 128) <= 2)
    }
    #expect(Set(frames.map(\.conditions.state.constituent)).count == 3)
  }

  @Test func `a locked choice of lens stays with it`() throws {
    let (camera, stream, recorder, clock) = try open("simulated.back.dualwide", Scene(isNoisy: false))
    clock.advance(by: .seconds(0.1))
    _ = try camera.apply([.zoom(3), .constituentChoice(.automatic)])
    clock.advance(by: .seconds(0.1))
    _ = try camera.apply([.constituentChoice(.locked), .zoom(1)])
    clock.advance(by: .seconds(0.1))
    stream.stop()
    let last = try #require(recorder.now.frames.last).conditions.state
    #expect(last.constituent == "simulated.back.wide" && last.zoom == 2)
  }

  @Test func `correction straightens what the ultra-wide lens bends`() throws {
    // A thin upright line near the left edge: its middle and its ends lie in one column, or do not.
    let line = try ScenePicture(
      width: 1, height: 40, rgba: (0..<40).flatMap { _ in [255, 255, 255, 255] as [UInt8] })
    let scene = Scene(
      isStamped: false, isNoisy: false,
      layers: [SceneLayer(.picture(line), center: CGPoint(x: 0.15, y: 0.5), width: 0.02, depth: 3)])
    let (camera, stream, recorder, clock) = try open("simulated.back.ultrawide", scene)
    clock.advance(by: .seconds(0.5))
    _ = try camera.apply([.distortionCorrection(false)])
    clock.advance(by: .seconds(0.2))
    stream.stop()
    func column(_ buffer: CVPixelBuffer, _ y: Int) -> Double {
      let row = (20..<180).map { max(Double(buffer.luma($0, y)) - 140, 0) }
      return row.enumerated().reduce(0) { $0 + Double($1.0) * $1.1 } / row.reduce(0, +)
    }
    func bow(_ frame: CapturedFrame?) throws -> Double {
      let buffer = try #require(frame?.buffer)
      return (column(buffer, 60) + column(buffer, 420)) / 2 - column(buffer, 240)
    }
    let corrected = try #require(recorder.now.frames.last { $0.conditions.state.isDistortionCorrected })
    #expect(abs(try bow(corrected)) < 0.1)
    #expect(try bow(recorder.now.frames.last) > 3)
  }

  @Test func `stabilized streams shake less, each mode as much as it says`() throws {
    func shake(_ mode: StabilizationMode) throws -> Double {
      var scene = Scene(isStamped: false, isNoisy: false, layers: [SceneLayer(white, width: 0.25)])
      scene.shakePixels = 24
      let stage = try Stage(scene, model: .camera(sizes: [FrameSize(width: 160, height: 120)]))
      var configuration = StreamConfiguration(
        format: stage.camera.facts.formats[1], frameDuration: FrameDuration(1, 30), bufferCount: 256)
      configuration.stabilization = mode
      let stream = try stage.camera.openStream(configuration)
      let recorder = Recorder()
      try stream.start(recorder.receive)
      stage.clock.advance(by: .seconds(3))
      let shifts = recorder.now.frames.dropFirst(15).compactMap { frame -> Double? in
        guard let buffer = frame.buffer else { return nil }
        let row = (30..<80).map { Double(buffer.luma($0, 60)) }
        return row.reduce(0) { $0 + ($1 - row[0]) / (row[49] - row[0]) }
      }
      let mean = shifts.reduce(0, +) / Double(shifts.count)
      return (shifts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(shifts.count)).squareRoot()
    }
    let free = try shake(.off)
    let standard = try shake(.standard)
    let cinematic = try shake(.cinematic)
    let extended = try shake(.cinematicExtended)
    #expect(free > 1 && standard < 0.6 * free && cinematic < 0.8 * standard && extended < 0.8 * cinematic)
  }

  @Test
  func `a stream that looks ahead keeps its order and its pictures, and delivers all before an interruption`()
    throws
  {
    func log(_ mode: StabilizationMode, _ faults: [SceneFault]) throws -> Recorder.Log {
      let scene = Scene(isNoisy: false, layers: [SceneLayer(white, width: 0.25)], faults: faults)
      let stage = try Stage(scene)
      var configuration = StreamConfiguration(
        format: stage.camera.facts.formats[1], frameDuration: FrameDuration(1, 30), bufferCount: 256)
      configuration.stabilization = mode
      let stream = try stage.camera.openStream(configuration)
      let recorder = Recorder()
      try stream.start(recorder.receive)
      stage.clock.advance(by: .seconds(0.5))
      _ = try stage.camera.apply([.exposureBias(2)])
      let still = Locked<UInt32?>(nil)
      stream.captureStill(StillRequest(size: configuration.format.stillSizes[0])) { result in
        still.withLock { $0 = (try? result.get())?.sequence }
      }
      stage.clock.advance(by: .seconds(0.1))
      #expect(still.withLock { $0 } != nil, "photos do not wait")
      stage.clock.advance(by: .seconds(1.4))
      stream.stop()
      return recorder.now
    }
    let plain = try log(.previewOptimized, []), late = try log(.cinematic, [])
    #expect(plain.frames.count == 60 && late.frames.count == 55)
    for (early, late) in zip(plain.frames, late.frames) {
      #expect(early.sequence == late.sequence && early.timestamp == late.timestamp)
      #expect(early.conditions.state == late.conditions.state)
    }
    let faults = [SceneFault(.drop(rate: 0.4), at: 0), SceneFault(.privacy(seconds: 0.5), at: 1)]
    let once = try log(.standard, faults), again = try log(.cinematic, faults)
    let end = try #require(once.words.firstIndex(of: "interrupted privacy"))
    #expect(once.words[...end] == again.words[...end])
    #expect(again.words[..<end].contains("dropped") && again.words.contains("resumed"))
  }

  @Test
  func `global tone mapping lifts shadows and keeps highlights, as one curve for all, while it is reported`()
    throws
  {
    // Greys whose linear light is known: sRGB codes of 0.25, 0.5 and 0.9, and white that a stop more would clip.
    let codes = [0.25, 0.5, 0.75, 0.9]
    let layers = codes.enumerated().map { index, code in
      SceneLayer(
        .color(red: code, green: code, blue: code),
        center: CGPoint(x: 0.125 + 0.25 * Double(index), y: 0.5), width: 0.2)
    }
    let stage = try Stage(Scene(isStamped: false, isNoisy: false, layers: layers))
    let stream = try stage.open(buffers: 256)
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(0.5))
    _ = try stage.camera.apply([.exposureMode(.locked)])
    stage.clock.advance(by: .seconds(0.5))
    _ = try stage.camera.apply([.globalToneMapping(true)])
    stage.clock.advance(by: .seconds(0.5))
    stream.stop()
    let frames = recorder.now.frames.dropFirst(20)
    let before = try #require(frames.first?.buffer)
    #expect(frames.first?.conditions.state.isGloballyToneMapped == false)
    #expect(frames.last?.conditions.state.isGloballyToneMapped == true)
    func linear(_ value: Double) -> Double {
      value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    func coded(_ light: Double) -> Double {
      light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
    for frame in frames {
      let buffer = try #require(frame.buffer)
      for index in codes.indices {
        let column = 20 + 40 * index
        let plain = Double(before.luma(column, 60))
        let curve = coded(linear(0.5) * pow(linear(plain / 255) / linear(0.5), 0.8)) * 255
        let expected = frame.conditions.state.isGloballyToneMapped ? curve : plain
        #expect(
          abs(Double(buffer.luma(column, 60)) - expected) < 1.6, "grey \(index), frame \(frame.sequence)")
      }
    }
    let after = try #require(frames.last?.buffer)
    #expect(after.luma(20, 60) > before.luma(20, 60) + 8, "shadows are lifted")
    #expect(after.luma(140, 60) < before.luma(140, 60) - 8, "highlights are held back")
  }

  @Test func `the torch lights near things more`() throws {
    let grey = SceneContent.color(red: 0.4, green: 0.4, blue: 0.4)
    let scene = Scene(
      lux: 1, isStamped: false, isNoisy: false, background: SceneBackground(grey, depth: 2),
      layers: [SceneLayer(grey, center: CGPoint(x: 0.25, y: 0.5), width: 0.3, depth: 1)])
    let stage = try Stage(scene)
    _ = try stage.camera.apply([.torch(.auto, level: 1)])
    let frame = try #require(try stage.frames(seconds: 1).last)
    #expect(frame.conditions.state.torchLevel == 1 && frame.conditions.state.isDark)
    let buffer = try #require(frame.buffer)
    func light(_ columns: Range<Int>) -> Double {
      pow((buffer.meanLuma(columns, 55..<65) / 255 + 0.055) / 1.055, 2.4)
    }
    // Lux: 1 and the lamp's 150, or a quarter of it.
    #expect(abs(light(35..<45) / light(110..<120) - 151 / 38.5) < 0.4)
    _ = try stage.camera.apply([.torch(.off, level: 1)])
    #expect(try #require(try stage.frames(seconds: 0.2).last).conditions.state.torchLevel == 0)
  }

  @Test func `a wider dynamic range keeps highlights apart`() throws {
    func highlights(_ isHDR: Bool) throws -> (UInt8, UInt8) {
      let scene = Scene(
        isStamped: false, isNoisy: false,
        background: SceneBackground(.color(red: 0.75, green: 0.75, blue: 0.75)),
        layers: [SceneLayer(white, width: 0.5)])
      let stage = try Stage(scene)
      _ = try stage.camera.apply([.videoHDR(isHDR), .exposureBias(1)])
      let buffer = try #require(try stage.frames(seconds: 1).last?.buffer)
      return (buffer.luma(80, 60), buffer.luma(10, 60))
    }
    let (plainWhite, plainGrey) = try highlights(false)
    let (wideWhite, wideGrey) = try highlights(true)
    #expect(plainWhite == 255 && plainGrey == 255)
    #expect(wideWhite > wideGrey + 8 && wideWhite < 255)
  }

  @Test func `low-light boost brightens what the most sensitive exposure leaves dark`() throws {
    func luma(_ boost: Bool) throws -> (Double, ControlState) {
      let stage = try Stage(Scene(lux: 1, isStamped: false, isNoisy: false))
      _ = try stage.camera.apply([.lowLightBoost(boost)])
      let frame = try #require(try stage.frames(seconds: 1).last)
      return (try #require(frame.buffer).meanLuma(60..<100, 40..<80), frame.conditions.state)
    }
    let (dark, plain) = try luma(false)
    let (bright, boosted) = try luma(true)
    #expect(!plain.isLowLightBoosted && boosted.isLowLightBoosted && boosted.allowsLowLightBoost)
    #expect(bright > 1.6 * dark)
    #expect(abs(boosted.exposureOffset - plain.exposureOffset - 2) < 0.05)
  }

  @Test func `a dark place that is metered makes the picture brighter`() throws {
    let black = SceneContent.color(red: 0.2, green: 0.2, blue: 0.2)
    let stage = try Stage(
      Scene(
        isStamped: false, isNoisy: false,
        layers: [SceneLayer(black, center: CGPoint(x: 0.2, y: 0.5), width: 0.3)]))
    let before = try #require(try stage.frames(seconds: 1).last?.buffer).luma(120, 60)
    _ = try stage.camera.apply([.exposurePoint(FramePoint(x: 0.2, y: 0.5)), .exposureMode(.continuousAuto)])
    let after = try #require(try stage.frames(seconds: 1).last)
    #expect(Int(try #require(after.buffer).luma(120, 60)) > Int(before) + 40)
    #expect(abs(after.conditions.state.exposureOffset) < 0.06)
  }

  @Test func `bias is stops of light, and the offset says what is missing`() throws {
    var lights: [Double] = []
    for bias: Float in [-2, -1, 0, 1, 2] {
      let stage = try Stage(
        Scene(
          isStamped: false, isNoisy: false,
          background: SceneBackground(.color(red: 0.4, green: 0.4, blue: 0.4))))
      _ = try stage.camera.apply([.exposureBias(bias)])
      let frame = try #require(try stage.frames(seconds: 1).last)
      #expect(abs(frame.conditions.state.exposureOffset) < 0.06)
      lights.append(pow((try #require(frame.buffer).meanLuma(60..<100, 40..<80) / 255 + 0.055) / 1.055, 2.4))
    }
    for (one, next) in zip(lights, lights.dropFirst()) { #expect(abs(log2(next / one) - 1) < 0.12) }
  }

  @Test func `scene monitoring counts great changes near the middle`() throws {
    let layers = [SceneLayer(white, width: 0.6, from: 0.5, to: 1)]
    let stage = try Stage(Scene(isStamped: false, isNoisy: false, layers: layers))
    _ = try stage.camera.apply([.sceneMonitoring(true)])
    let counts = try stage.frames(seconds: 1.5).map(\.conditions.state.sceneChanges)
    #expect(counts[10] == 0 && counts[20] == 1 && counts.last == 2)
  }
}
