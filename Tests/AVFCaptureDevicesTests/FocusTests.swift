import AVFoundation
import CaptureDevice
import CaptureStage
import Testing

extension DeviceSuites {
  @Suite("Focus")
  struct Focus {
    @Test
    func `modes are those of the camera, read as set, and reported once`() throws {
      let stage = try ControlStage { $0.focusModes = [.locked, .continuousAuto] }
      let device = stage.device
      #expect(device.isFocusModeSupported(.locked) && device.isFocusModeSupported(.continuousAutoFocus))
      #expect(!device.isFocusModeSupported(.autoFocus))
      #expect(device.focusMode == .locked)
      let reported = ObservedValues(device, \.focusMode)
      stage.session.startRunning()
      try stage.configure { device in
        device.focusMode = .continuousAutoFocus
        #expect(device.focusMode == .continuousAutoFocus)
        #expect(stage.mistakes { $0.focusMode = .autoFocus } == 1)
      }
      #expect(stage.mistakes { $0.focusMode = .locked } == 1)
      for _ in 0..<4 { stage.camera.streamFrame() }
      #expect(device.focusMode == .continuousAutoFocus && reported.values == [.continuousAutoFocus])
      // One search only: it locks when it has found its focus.
      stage.camera.measure { $0.focusMode = .locked }
      stage.camera.streamFrame()
      #expect(reported.wait(2) == [.continuousAutoFocus, .locked])
    }

    @Test
    func `raw values are Apple's`() {
      #expect(
        [AVCaptureDevice.FocusMode.locked, .autoFocus, .continuousAutoFocus].map(\.rawValue) == [0, 1, 2])
      #expect(
        [AVCaptureDevice.AutoFocusRangeRestriction.none, .near, .far].map(\.rawValue) == [0, 1, 2])
    }

    @Test
    func `the point of interest is the picture's middle until it is set, and stays inside`() throws {
      let stage = try ControlStage()
      #expect(stage.device.isFocusPointOfInterestSupported)
      #expect(stage.device.focusPointOfInterest == CGPoint(x: 0.5, y: 0.5))
      let reported = ObservedValues(stage.device, \.focusPointOfInterest)
      try stage.configure { device in
        device.focusPointOfInterest = CGPoint(x: 0.25, y: 0.75)
        #expect(stage.mistakes { $0.focusPointOfInterest = CGPoint(x: 1.1, y: 0) } == 1)
      }
      #expect(stage.device.focusPointOfInterest == CGPoint(x: 0.25, y: 0.75))
      #expect(reported.values == [CGPoint(x: 0.25, y: 0.75)])
      let fixed = try ControlStage { $0.hasFocusPoint = false }
      #expect(!fixed.device.isFocusPointOfInterestSupported)
      try fixed.configure { _ in
        #expect(fixed.mistakes { $0.focusPointOfInterest = CGPoint(x: 0, y: 0) } == 1)
      }
    }

    @Test
    func `a search is seen while it goes on`() throws {
      let stage = try ControlStage()
      let reported = ObservedValues(stage.device, \.isAdjustingFocus)
      stage.session.startRunning()
      stage.camera.streamFrame()
      for isAdjusting in [true, false] {
        stage.camera.measure { $0.isAdjustingFocus = isAdjusting }
        stage.camera.streamFrame()
        #expect(stage.device.isAdjustingFocus == isAdjusting)
      }
      #expect(reported.wait(2) == [true, false])
    }

    @Test
    func `range and smoothness reach the camera where it has them`() throws {
      let stage = try ControlStage()
      #expect(stage.device.isAutoFocusRangeRestrictionSupported && stage.device.isSmoothAutoFocusSupported)
      #expect(stage.device.autoFocusRangeRestriction == .none && !stage.device.isSmoothAutoFocusEnabled)
      try stage.configure { device in
        device.autoFocusRangeRestriction = .near
        device.isSmoothAutoFocusEnabled = true
      }
      #expect(stage.camera.applied == [.focusRange(.near), .smoothFocus(true)])
      #expect(stage.device.autoFocusRangeRestriction == .near && stage.device.isSmoothAutoFocusEnabled)
      try stage.configure { $0.autoFocusRangeRestriction = .none }
      #expect(stage.camera.applied.last == .focusRange(.everywhere))
      #expect(stage.device.autoFocusRangeRestriction == .none)
      let plain = try ControlStage {
        $0.hasFocusRange = false
        $0.hasSmoothFocus = false
      }
      try plain.configure { _ in
        #expect(plain.mistakes { $0.autoFocusRangeRestriction = .far } == 1)
        #expect(plain.mistakes { $0.isSmoothAutoFocusEnabled = true } == 1)
      }
    }

    @Test
    func `the lens goes where it is sent, and the handler has the first frame's time`() throws {
      let stage = try ControlStage()
      #expect(stage.device.isLockingFocusWithCustomLensPositionSupported)
      #expect(stage.device.lensPosition == 1 && stage.device.minimumFocusDistance == 120)
      let reported = ObservedValues(stage.device, \.lensPosition)
      let done = Completions()
      stage.session.startRunning()
      stage.camera.streamFrame()
      try stage.configure { $0.setFocusModeLocked(lensPosition: 0.25, completionHandler: done.handler()) }
      #expect(stage.device.focusMode == .locked && stage.device.lensPosition == 1)
      stage.camera.streamFrame()
      #expect(done.count == 0)
      let first = stage.camera.streamFrame()
      stage.camera.streamFrame()
      #expect(done.wait().map(\.1) == [first])
      #expect(stage.device.lensPosition == 0.25 && reported.wait() == [0.25])
    }

    @Test
    func `the present position can be locked without being known`() throws {
      let stage = try ControlStage { $0.hasLensPosition = false }
      try stage.configure { device in
        device.setFocusModeLocked(lensPosition: AVCaptureDevice.currentLensPosition)
        #expect(stage.camera.applied == [.focusMode(.locked)])
        #expect(stage.mistakes { $0.setFocusModeLocked(lensPosition: 0.5) } == 1)
      }
      let free = try ControlStage()
      try free.configure { _ in
        #expect(free.mistakes { $0.setFocusModeLocked(lensPosition: 1.5) } == 1)
      }
    }
  }
}
