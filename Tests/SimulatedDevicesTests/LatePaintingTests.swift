import CaptureDevice
import CoreVideo
import Dispatch
import Foundation
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated pictures are painted when they are read")
struct LatePaintingTests {
  /// A scene in which each frame differs from the one before.
  private func makeStage() throws -> Stage {
    let layer = SceneLayer(
      .color(red: 0.9, green: 0.3, blue: 0.1), center: CGPoint(x: 0.2, y: 0.5), width: 0.3,
      velocity: CGPoint(x: 0.3, y: 0.1))
    return try Stage(Scene(seed: 3, layers: [layer], shakePixels: 2))
  }

  @Test func `frames that are not read are not painted`() throws {
    let stage = try makeStage()
    let frames = try stage.frames(seconds: 1)
    #expect(frames.count == 30 && stage.provider.paintedPictures == 0)
    _ = try #require(frames[7].buffer).checksum
    _ = try #require(frames[7].buffer).checksum
    #expect(stage.provider.paintedPictures == 1)
  }

  @Test func `a frame that is read late shows its own moment`() throws {
    let late = try makeStage().frames(seconds: 0.3).reversed().map { $0.buffer?.checksum }
    let stage = try makeStage()
    let stream = try stage.open()
    let early = Locked<[UInt64?]>([])
    try stream.start { event in
      guard case .frame(let frame) = event else { return }
      let checksum = frame.buffer?.checksum
      early.withLock { $0.append(checksum) }
    }
    stage.clock.advance(by: .seconds(0.3))
    stream.stop()
    let checksums = early.withLock { $0 }
    #expect(checksums.count == 9 && Set(checksums).count == 9)
    #expect(Array(late.reversed()) == checksums)
  }

  @Test func `size and format are known without the pixels, and addresses only with them`() throws {
    let stage = try makeStage()
    let buffer = try #require(try stage.frames(seconds: 0.1).first?.buffer)
    #expect(CVPixelBufferGetWidth(buffer) == 160 && CVPixelBufferGetPlaneCount(buffer) == 2)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) >= 160 && !buffer.description.isEmpty)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    #expect(stage.provider.paintedPictures == 0)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 1) != nil)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(stage.provider.paintedPictures == 1)
  }

  @Test func `a picture that many threads read at once is painted once, and whole for each`() throws {
    let stage = try makeStage()
    let buffer = try #require(try stage.frames(seconds: 0.1).first?.buffer)
    let seen = Locked<Set<UInt64>>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let checksum = buffer.checksum
      seen.withLock { _ = $0.insert(checksum) }
    }
    #expect(seen.withLock { $0.count } == 1 && stage.provider.paintedPictures == 1)
  }

  @Test func `a still of a past frame is handed over before it is painted`() throws {
    let stage = try makeStage()
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(0.3))
    let still = Locked<CVPixelBuffer?>(nil)
    stream.captureStill(StillRequest(size: FrameSize(width: 160, height: 120), frame: 4)) { result in
      let buffer = (try? result.get())?.buffer
      still.withLock { $0 = buffer }
    }
    let buffer = try #require(still.withLock { $0 })
    #expect(stage.provider.paintedPictures == 0)
    #expect(buffer.checksum == recorder.now.frames[4].buffer?.checksum)
    #expect(stage.provider.paintedPictures == 2)
    stream.stop()
  }

  @Test func `a still of a stream of JPEGs is not made on the thread that asks for it`() throws {
    let stage = try Stage(model: .camera(encodings: [.motionJPEG]))
    let stream = try stage.open(stage.camera.facts.formats[0])
    try stream.start { _ in }
    stage.clock.advance(by: .seconds(0.3))
    let makers = Monitor<[Bool]>([])
    let caller = pthread_self()
    stream.captureStill(StillRequest(size: FrameSize(width: 160, height: 120), frame: 4)) { result in
      let isCaller = pthread_equal(pthread_self(), caller) != 0
      let isPicture = (try? result.get()) != nil
      makers.withLock { $0.append(isPicture && !isCaller) }
    }
    // The clock waits for it.
    stage.clock.advance(by: .milliseconds(1))
    #expect(makers.withLock { $0 } == [true])
    stream.stop()
  }
}
