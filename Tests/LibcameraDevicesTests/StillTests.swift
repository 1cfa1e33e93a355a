import CaptureDevice
import CoreMedia
import LibcameraDevices
import Linux
import Testing

@Suite("Photos of libcamera's cameras")
struct StillTests {
  private let full = FrameSize(width: 640, height: 480)
  private let small = FrameSize(width: 320, height: 240)

  private func device(_ camera: ScriptedCamera = ScriptedCamera()) throws -> any CaptureDeviceDriver {
    try #require(LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes).devices().first)
  }

  @Test func `small pictures run while stills come in full size, of one request each`() throws {
    let camera = ScriptedCamera()
    let stream = try device(camera).openPhotos(small)
    let uses = camera.opened.last?.map(\.use)
    #expect(uses == [.view, .still, .raw])
    let (log, stills) = (CameraLog(), StillLog())
    try stream.start(log.receive)
    _ = log.wait { $0.frames.count >= 2 }
    stream.captureStill(StillRequest(size: full), completion: stills.take)
    let still = try #require(try stills.wait().first?.get())
    let note = try #require(CameraLog.note(still))
    let shown = try #require(
      log.wait { $0.frames.contains { $0.sequence == still.sequence } }?.frames.first {
        $0.sequence == still.sequence
      })
    stream.stop()
    #expect(note.size == full && shown.size == small)
    #expect(note.shade == shown.shade && note.time == shown.time, "one exposure makes both")
    #expect(still.mosaic == nil)
  }

  @Test func `the sensor's numbers come beside a still that wants them, with its levels of black`() throws {
    let camera = ScriptedCamera()
    camera.tell(.blackLevels, [4096, 4096, 4096, 4096])
    let stream = try device(camera).openPhotos(small)
    let (log, stills) = (CameraLog(), StillLog())
    try stream.start(log.receive)
    _ = log.wait { $0.frames.count >= 2 }
    var request = StillRequest(size: full)
    request.wantsMosaic = true
    stream.captureStill(request, completion: stills.take)
    let still = try #require(try stills.wait().first?.get())
    stream.stop()
    let mosaic = try #require(still.mosaic)
    #expect(mosaic.size == FrameSize(width: 768, height: 432) && mosaic.bytesPerRow == 960)
    #expect(mosaic.blackLevels == [64, 64, 64, 64], "libcamera counts them in sixteen bits")
    let first = try mosaic.data.withContiguousStorage { $0[0] }
    #expect(first == CameraLog.note(still)?.shade)
  }

  @Test func `numbers that a camera compresses when they are asked for packed are asked for as they are`()
    throws
  {
    var script = CameraScript()
    let plain = PictureCode("BYR2")
    script.rawGrant = { asked in
      asked.modifier == 0 ? plain : PictureCode(fourcc: plain.fourcc, modifier: 0x0C << 56 | 1)
    }
    let device = try device(ScriptedCamera(script))
    #expect(device.facts.formats.last?.stillMosaic?.layout == plain.mosaic)
    let stream = try device.openPhotos(small)
    let (log, stills) = (CameraLog(), StillLog())
    try stream.start(log.receive)
    var request = StillRequest(size: full)
    request.wantsMosaic = true
    stream.captureStill(request, completion: stills.take)
    let still = try #require(try stills.wait().first?.get())
    stream.stop()
    #expect(still.mosaic?.bytesPerRow == 2 * 768 && still.mosaic?.layout == plain.mosaic)
  }

  @Test func `a camera that compresses its numbers anyway promises none, and refuses a still with them`()
    throws
  {
    var script = CameraScript()
    script.rawGrant = { PictureCode(fourcc: $0.fourcc, modifier: 0x0C << 56 | 1) }
    let device = try device(ScriptedCamera(script))
    #expect(device.facts.formats.allSatisfy { $0.stillMosaic == nil })
    let stream = try device.openPhotos(small)
    let (log, stills) = (CameraLog(), StillLog())
    try stream.start(log.receive)
    var request = StillRequest(size: full)
    request.wantsMosaic = true
    stream.captureStill(request, completion: stills.take)
    #expect(stills.wait().map { $0.error?.code } == [.controlUnsupported])
    stream.stop()
  }

  @Test func `frames that are the sensor's numbers are stills with them`() throws {
    var script = CameraScript()
    (script.code, script.full, script.raw) = (PictureCode("RGGB"), nil, nil)
    let device = try device(ScriptedCamera(script))
    let format = try #require(device.facts.formats.last)
    let stream = try device.openStream(
      StreamConfiguration(format: format, frameDuration: FrameDuration(1, 60)))
    let stills = StillLog()
    try stream.start { _ in }
    var request = StillRequest(size: format.size)
    request.wantsMosaic = true
    stream.captureStill(request, completion: stills.take)
    let still = try #require(try stills.wait().first?.get())
    stream.stop()
    #expect(still.mosaic?.layout.bits == 8)
  }

  @Test func `a still of another size than the format's is no still of it`() throws {
    var script = CameraScript()
    script.narrowing = FrameSize(width: 320, height: 240)
    let camera = ScriptedCamera(script)
    let device = try device(camera)
    let error = #expect(throws: CaptureDeviceError.self) { try device.openPhotos(small) }
    #expect(error?.code == .formatUnsupported && !camera.isOpen)
    _ = try device.openPhotos(FrameSize(width: 160, height: 120))
  }

  @Test func `a still of a past frame is of its exposure, and one that is not kept is expired`() throws {
    let stream = try device().openPhotos(small)
    let (log, stills) = (CameraLog(), StillLog())
    let recalled = Monitor<UInt8?>(nil)
    try stream.start { [weak stream] event in
      log.receive(event)
      // From inside the event, so that the frame is still kept.
      guard case .frame(let frame) = event, frame.sequence == 6 else { return }
      recalled.withLock { $0 = CameraLog.note(frame)?.shade }
      stream?.captureStill(
        StillRequest(size: FrameSize(width: 640, height: 480), frame: 4), completion: stills.take)
    }
    let still = try #require(try stills.wait().first?.get())
    #expect(still.sequence == 4 && CameraLog.note(still)?.size == full)
    #expect(CameraLog.note(still).map { $0.shade + 2 } == recalled.withLock { $0 })
    stream.captureStill(StillRequest(size: full, frame: 0), completion: stills.take)
    let error = stills.wait(2).last?.error
    #expect(error?.code == .frameExpired)
    stream.stop()
  }

  @Test
  func `photos that hold every buffer of full size are frames that are missing from later ones, no end`()
    throws
  {
    let stream = try device().openPhotos(small)
    let (log, stills) = (CameraLog(), StillLog())
    try stream.start(log.receive)
    // Six are there; the seventh waits for one of them.
    for count in 1...6 {
      _ = log.wait { $0.frames.count >= 2 }
      stream.captureStill(StillRequest(size: full), completion: stills.take)
      #expect(stills.wait(count).count == count)
    }
    let count = log.now.frames.count
    #expect(log.wait { $0.frames.count >= count + 3 } != nil, "the preview goes on")
    stream.stop()
    #expect(Set(stills.wait(6).compactMap { try? $0.get().sequence }).count == 6)
  }

  @Test func `an exposure of its own, a flash and another size are refused`() throws {
    let stream = try device().openPhotos(small)
    let (log, stills) = (CameraLog(), StillLog())
    try stream.start(log.receive)
    stream.captureStill(StillRequest(size: full, flash: .on), completion: stills.take)
    stream.captureStill(StillRequest(size: full, exposure: .bias(1)), completion: stills.take)
    stream.captureStill(StillRequest(size: small), completion: stills.take)
    stream.stop()
    #expect(
      stills.wait(3).map { $0.error?.code } == [.controlUnsupported, .controlUnsupported, .formatUnsupported])
  }
}
