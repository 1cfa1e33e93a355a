import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import Testing

extension DeviceSuites {
  @Suite("Control completions")
  struct ControlCompletions {
    @Test
    func `handlers come in the order of the calls, each with its own first frame`() throws {
      let stage = try ControlStage()
      let done = Completions()
      stage.session.startRunning()
      try stage.configure { $0.setExposureTargetBias(1, completionHandler: done.handler(1)) }
      stage.camera.streamFrame()
      try stage.configure { $0.setFocusModeLocked(lensPosition: 0.5, completionHandler: done.handler(2)) }
      let times = [stage.camera.streamFrame(), stage.camera.streamFrame()]
      for _ in 0..<3 { stage.camera.streamFrame() }
      #expect(done.wait(2).map(\.0) == [1, 2] && done.wait(2).map(\.1) == times)
      #expect(done.count == 2)
    }

    @Test
    func `a camera at rest keeps the handler for its first frame`() throws {
      let stage = try ControlStage()
      let done = Completions()
      try stage.configure { $0.setExposureTargetBias(1, completionHandler: done.handler()) }
      #expect(stage.device.exposureTargetBias == 1 && done.count == 0)
      stage.session.startRunning()
      stage.camera.streamFrame()
      let first = stage.camera.streamFrame()
      #expect(done.wait().map(\.1) == [first])
    }

    @Test
    func `who stops or unplugs the camera first ends the wait without a time`() throws {
      let stage = try ControlStage()
      let done = Completions()
      stage.session.startRunning()
      try stage.configure { $0.setExposureTargetBias(1, completionHandler: done.handler(1)) }
      stage.session.stopRunning()
      #expect(done.wait().map(\.1.isValid) == [false])
      try stage.configure { $0.setExposureTargetBias(2, completionHandler: done.handler(2)) }
      stage.provider.unplug(stage.camera)
      #expect(done.wait(2).map(\.1.isValid) == [false, false])
    }

    @Test
    func `another format keeps the handler for the first frame that comes then`() throws {
      let stage = try ControlStage()
      let done = Completions()
      stage.session.startRunning()
      try stage.configure { device in
        device.setExposureTargetBias(1, completionHandler: done.handler())
        device.activeFormat = try #require(device.formats.first { $0 !== device.activeFormat })
      }
      stage.camera.streamFrame()
      let first = stage.camera.streamFrame()
      #expect(done.wait().map(\.1) == [first])
    }

    @Test
    func `a camera that refuses leaves everything as it was, and the handler hears it`() throws {
      let stage = try ControlStage()
      let done = Completions()
      let reported = ObservedValues(stage.device, \.exposureTargetBias)
      stage.camera.refuse(CaptureDeviceError(.controlUnsupported, "Not now; try later."))
      try stage.configure { $0.setExposureTargetBias(1, completionHandler: done.handler()) }
      #expect(done.wait().map(\.1.isValid) == [false])
      #expect(stage.device.exposureTargetBias == 0 && reported.values.isEmpty)
    }

    @Test
    func `a task awaits the first frame and keeps the lock`() async throws {
      let stage = try ControlStage()
      let device = stage.device
      // Each frame that was delivered brings the next, until the task has all it awaits.
      let (goesOn, counter) = (Locked(true), FrameCounter())
      let output = try #require(stage.session.outputs.first as? AVCaptureVideoDataOutput)
      output.alwaysDiscardsLateVideoFrames = false
      counter.onFrame = { [camera = stage.camera] in
        if goesOn.withLock({ $0 }) { camera.streamFrame() }
      }
      counter.watch(output)
      stage.session.startRunning()
      stage.camera.streamFrame()
      try device.lockForConfiguration()
      let times = [
        await device.setExposureTargetBias(1), await device.setFocusModeLocked(lensPosition: 0.5),
        await device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 50), iso: 100),
        await device.setWhiteBalanceModeLocked(with: .init(redGain: 1, greenGain: 2, blueGain: 3)),
      ]
      // Still ours, whatever thread the task goes on upon.
      device.videoZoomFactor = 2
      device.unlockForConfiguration()
      goesOn.withLock { $0 = false }
      #expect(times.allSatisfy(\.isNumeric) && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      #expect(device.videoZoomFactor == 2)
    }

    @Test
    func `frames without news cost a comparison and notify none`() throws {
      let stage = try ControlStage()
      stage.session.startRunning()
      stage.camera.streamFrame()
      let reported = ObservedValues(stage.device, \.lensPosition)
      for _ in 0..<5 { stage.camera.streamFrame() }
      stage.camera.measure { $0.lensPosition = 0.5 }
      stage.camera.streamFrame()
      #expect(reported.wait() == [0.5])
    }
  }
}
