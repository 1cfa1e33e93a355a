import CaptureDevice
import CoreVideo
import Linux
import Testing
import V4L2Devices

/// The controls of vivid, by their names.
extension LabTests {
  private func control(_ name: String) throws -> NativeControl {
    let controls = try Vivid.camera().nativeControls()
    guard let control = controls.first(where: { $0.name == name }) else {
      throw Vivid.Failure(description: "no control \(name) among \(controls.map(\.name))")
    }
    return control
  }

  @Test func `the driver's controls of every kind are listed as v4l2-ctl lists them`() throws {
    let camera = try Vivid.camera()
    let controls = try camera.nativeControls()
    let listed = try Vivid.run("v4l2-ctl -d \(camera.path) -l").split(separator: "\n")
      .compactMap { line in line.contains("0x") ? line.split(separator: " ").first.map(String.init) : nil }
    #expect(Set(controls.map(\.name)).symmetricDifference(listed) == [])
    #expect(controls.contains { $0.isReadOnly } && controls.contains { $0.kind == .button })
    #expect(controls.contains { $0.kind == .text && $0.value != nil })
    let menu = try control("menu")
    #expect(menu.entries.map(\.value) == [1, 3, 4], "2 is a hole")
    let numbers = try control("integer_menu")
    #expect(numbers.entries.allSatisfy { Int64($0.name) != nil } && !numbers.entries.isEmpty)
  }

  @Test func `integers, menus, texts and wide integers are set, and holes and ranges refused`() throws {
    let camera = try Vivid.camera()
    #expect(try camera.setNativeControl("brightness", to: .number(200)).value == .number(200))
    #expect(try Vivid.run("v4l2-ctl -d \(camera.path) -C brightness").hasSuffix(" 200"))
    #expect(try camera.setNativeControl("menu", to: .number(4)).value == .number(4))
    #expect(try camera.setNativeControl("integer_64_bits", to: .number(1 << 40)).value == .number(1 << 40))
    let text = try #require(try camera.nativeControls().first { $0.kind == .text && !$0.isReadOnly })
    let word = String(repeating: "ab", count: 8).prefix(Int(text.range.upperBound))
    if text.range.contains(Int64(word.utf8.count)) {
      #expect(try camera.setNativeControl(text.name, to: .text(String(word))).value == .text(String(word)))
    }
    for (name, value) in [("menu", 2), ("brightness", 256)] {
      let error = #expect(throws: CaptureDeviceError.self) {
        try camera.setNativeControl(name, to: .number(Int64(value)))
      }
      #expect(error?.code == .controlUnsupported)
    }
    let fixed = try #require(try camera.nativeControls().first { $0.isReadOnly })
    let error = #expect(throws: CaptureDeviceError.self) {
      try camera.setNativeControl(fixed.name, to: .number(1))
    }
    #expect(error?.message.contains("only be read") == true)
    _ = try camera.setNativeControl("brightness", to: .number(128))
    _ = try camera.setNativeControl("menu", to: .number(3))
  }

  @Test func `a control that the camera moves is volatile while it does`() throws {
    let camera = try Vivid.camera()
    _ = try camera.setNativeControl("gain_automatic", to: .number(1))
    #expect(try control("gain").isVolatile)
    _ = try camera.setNativeControl("gain_automatic", to: .number(0))
    #expect(try !control("gain").isVolatile)
    _ = try camera.setNativeControl("gain_automatic", to: .number(1))
  }

  @Test func `a change shows within three frames`() throws {
    let camera = try Vivid.camera()
    let stream = try Vivid.open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    // Luma of the black bar, which only brightness moves.
    func black(_ frame: CapturedFrame) -> UInt8 {
      guard case .pixels(let buffer) = frame.picture else { return 0 }
      let x = ColorBars.column(7, width: buffer.width)
      return buffer.planes[0].row(buffer.height / 2)[2 * x]
    }
    #expect(wait(log) { $0.frames.count >= 1 })
    #expect(log.now.frames.last.map(black) ?? 99 < 20)
    log.releaseFrames()
    _ = try camera.setNativeControl("brightness", to: .number(200))
    let changed = MonotonicInstant.now
    var after: [UInt8] = []
    var last: UInt32?
    while after.count < 4 {
      #expect(
        wait(log) { ($0.frames.last?.sequence ?? 0) > (last ?? 0) || last == nil && !$0.frames.isEmpty })
      let frames = log.now.frames
      if frames.isEmpty { break }
      for frame in frames where last.map({ frame.sequence > $0 }) ?? true {
        last = frame.sequence
        if frame.timestamp >= changed { after.append(black(frame)) }
      }
      log.releaseFrames()
    }
    #expect(after.prefix(4).contains { $0 > 60 }, "luma of the frames after: \(after)")
    stream.stop()
    log.releaseFrames()
    _ = try camera.setNativeControl("brightness", to: .number(128))
  }
}
