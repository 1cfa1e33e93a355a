import AVFoundation
import CaptureDevice
import CaptureStage
import Testing

extension DeviceSuites {
  @Suite("Exposure")
  struct Exposure {
    @Test
    func `the point of interest is the picture's middle until it is set`() throws {
      let stage = try ControlStage()
      #expect(stage.device.isExposurePointOfInterestSupported)
      #expect(stage.device.exposurePointOfInterest == CGPoint(x: 0.5, y: 0.5))
      try stage.configure { device in
        device.exposurePointOfInterest = CGPoint(x: 0, y: 1)
        device.exposureMode = .autoExpose
        #expect(stage.camera.applied == [.exposurePoint(FramePoint(x: 0, y: 1)), .exposureMode(.auto)])
        #expect(stage.mistakes { $0.exposurePointOfInterest = CGPoint(x: 0, y: -0.1) } == 1)
      }
      #expect(stage.device.exposurePointOfInterest == CGPoint(x: 0, y: 1))
      let fixed = try ControlStage { $0.hasExposurePoint = false }
      try fixed.configure { _ in
        #expect(fixed.mistakes { $0.exposurePointOfInterest = CGPoint(x: 0, y: 0) } == 1)
      }
    }

    @Test
    func `a custom exposure has the format's limits and the first frame's time`() throws {
      let stage = try ControlStage()
      let device = stage.device, format = device.activeFormat
      let done = Completions()
      stage.session.startRunning()
      stage.camera.streamFrame()
      let durations = ObservedValues(device, \.exposureDuration), isos = ObservedValues(device, \.iso)
      try stage.configure { device in
        device.setExposureModeCustom(
          duration: CMTime(value: 1, timescale: 100), iso: 200, completionHandler: done.handler(1))
        #expect(device.exposureMode == .custom)
        device.setExposureModeCustom(
          duration: AVCaptureDevice.currentExposureDuration, iso: AVCaptureDevice.currentISO,
          completionHandler: done.handler(2))
        #expect(
          stage.camera.applied == [
            .customExposure(durationNanoseconds: 10_000_000, iso: 200),
            .customExposure(durationNanoseconds: nil, iso: nil),
          ])
        let long = CMTimeAdd(format.maxExposureDuration, CMTime(value: 1, timescale: 1000))
        #expect(stage.mistakes { $0.setExposureModeCustom(duration: long, iso: 100) } == 1)
        #expect(stage.mistakes { $0.setExposureModeCustom(duration: .invalid, iso: 100) } == 1)
        #expect(
          stage.mistakes {
            $0.setExposureModeCustom(duration: format.minExposureDuration, iso: format.maxISO + 1)
          } == 1)
        // What decimals of seconds round to is inside.
        device.setExposureModeCustom(
          duration: CMTimeMakeWithSeconds(
            format.maxExposureDuration.seconds, preferredTimescale: 1_000_000_000),
          iso: format.minISO)
      }
      stage.camera.streamFrame()
      let first = stage.camera.streamFrame()
      #expect(done.wait(2).map(\.0) == [1, 2] && done.wait(2).map(\.1) == [first, first])
      #expect(device.exposureDuration == format.maxExposureDuration && device.iso == format.minISO)
      #expect(durations.wait().last == format.maxExposureDuration && isos.wait().last == format.minISO)
    }

    @Test
    func `a camera without the custom mode refuses it, and the handler hears that`() throws {
      let stage = try ControlStage { $0.exposureModes = [.locked, .continuousAuto] }
      let done = Completions()
      try stage.configure { _ in
        #expect(
          stage.mistakes {
            $0.setExposureModeCustom(
              duration: CMTime(value: 1, timescale: 100), iso: 100, completionHandler: done.handler())
          } == 1)
      }
      #expect(done.wait().map(\.1.isValid) == [false])
    }

    @Test
    func `the bias stays in its range`() throws {
      let stage = try ControlStage { $0.exposureBias = -2...3 }
      let device = stage.device, done = Completions()
      #expect(device.minExposureTargetBias == -2 && device.maxExposureTargetBias == 3)
      #expect(device.exposureTargetBias == 0)
      let reported = ObservedValues(device, \.exposureTargetBias)
      try stage.configure { device in
        device.setExposureTargetBias(1.5, completionHandler: done.handler(1))
        #expect(device.exposureTargetBias == 1.5 && reported.values == [1.5])
        device.setExposureTargetBias(
          AVCaptureDevice.currentExposureTargetBias, completionHandler: done.handler(2))
        #expect(stage.camera.applied == [.exposureBias(1.5), .exposureBias(1.5)])
        #expect(stage.mistakes { $0.setExposureTargetBias(3.1) } == 1)
      }
      stage.session.startRunning()
      stage.camera.streamFrame()
      let first = stage.camera.streamFrame()
      #expect(done.wait(2).map(\.0) == [1, 2] && done.wait(2).allSatisfy { $0.1 == first })
      let without = try ControlStage { $0.exposureBias = nil }
      #expect(without.device.minExposureTargetBias == 0 && without.device.maxExposureTargetBias == 0)
      try without.configure { _ in #expect(without.mistakes { $0.setExposureTargetBias(0) } == 1) }
    }

    @Test
    func `what the meter says is the latest frame's`() throws {
      let stage = try ControlStage()
      let offsets = ObservedValues(stage.device, \.exposureTargetOffset)
      let adjusting = ObservedValues(stage.device, \.isAdjustingExposure)
      stage.session.startRunning()
      stage.camera.streamFrame()
      stage.camera.measure {
        $0.exposureOffset = -0.5
        $0.exposure.isAdjusting = true
      }
      stage.camera.streamFrame()
      #expect(stage.device.exposureTargetOffset == -0.5 && stage.device.isAdjustingExposure)
      #expect(offsets.wait() == [-0.5] && adjusting.wait() == [true])
    }

    @Test
    func `the longest exposure is the frame's until it is set, and again after a reset or another format`()
      throws
    {
      let stage = try ControlStage()
      let device = stage.device
      #expect(
        device.activeMaxExposureDuration
          == CMTimeConvertScale(
            device.activeVideoMaxFrameDuration, timescale: 1_000_000_000, method: .default))
      let usual = device.activeMaxExposureDuration
      let reported = ObservedValues(device, \.activeMaxExposureDuration)
      try stage.configure { device in
        device.activeMaxExposureDuration = CMTime(value: 1, timescale: 200)
        #expect(device.activeMaxExposureDuration.seconds == 0.005)
        #expect(stage.mistakes { $0.activeMaxExposureDuration = CMTime(value: 2, timescale: 1) } == 1)
        device.activeMaxExposureDuration = .invalid
        #expect(device.activeMaxExposureDuration == usual)
        device.activeMaxExposureDuration = CMTime(value: 1, timescale: 200)
        let other = try #require(device.formats.first { $0 !== device.activeFormat })
        device.activeFormat = other
        #expect(device.activeMaxExposureDuration == usual)
      }
      #expect(reported.values.count == 4)
    }

    @Test
    func `another frame duration moves the default of the longest exposure, and observers hear of it`() throws
    {
      let stage = try ControlStage()
      let device = stage.device
      let reported = ObservedValues(device, \.activeMaxExposureDuration)
      let frame = CMTime(value: 1, timescale: 10)
      try stage.configure { device in
        device.activeVideoMaxFrameDuration = frame
        #expect(device.activeMaxExposureDuration.seconds == 0.1)
        device.activeFormat = try #require(device.formats.first { $0 !== device.activeFormat })
      }
      #expect(reported.values.count == 2 && reported.values.first?.seconds == 0.1)
      #expect(reported.values.last == device.activeMaxExposureDuration)
      try stage.configure { device in
        device.activeMaxExposureDuration = CMTime(value: 1, timescale: 200)
        device.activeVideoMaxFrameDuration = frame
      }
      #expect(reported.values.map(\.seconds).last == 0.005 && reported.values.count == 3)
    }
  }
}
