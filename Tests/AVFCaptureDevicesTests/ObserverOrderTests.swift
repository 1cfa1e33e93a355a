import AVFoundation
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import Testing
import Waiting

extension DeviceSuites {
  /// Tests of what observers of a device hear last, where its news come on several threads.
  @Suite struct `What observers of a device hear last` {
    @Test
    func `is what the client set, where the news of a frame comes later`() throws {
      let stage = try ControlStage()
      stage.session.startRunning()
      let zooms = ObservedValues(stage.device, \.videoZoomFactor)
      let (isHeld, goesOn) = (Monitor(false), DispatchSemaphore(value: 0))
      let holding = stage.device.observe(\.lensPosition) { _, _ in
        isHeld.withLock { $0 = true }
        goesOn.wait()
      }
      stage.camera.measure { $0.lensPosition = 0.25 }
      stage.camera.streamFrame()
      #expect(isHeld.wait(for: true))
      stage.camera.measure { $0.zoom = 1.5 }
      stage.camera.streamFrame()
      try stage.configure { $0.videoZoomFactor = 4 }
      #expect(zooms.values == [4])
      // The frame's other news still comes, after that of the zoom.
      let white = ObservedValues(stage.device, \.exposureTargetOffset)
      stage.camera.measure { $0.exposureOffset = 0.5 }
      stage.camera.streamFrame()
      goesOn.signal()
      #expect(white.wait() == [0.5])
      #expect(zooms.values == [4] && stage.device.videoZoomFactor == 4)
      holding.invalidate()
    }

    @Test
    func `is what the driver says that answers after the session has stopped`() throws {
      let stage = try ControlStage()
      stage.session.startRunning()
      let (zooms, ramps) = (
        ObservedValues(stage.device, \.videoZoomFactor), ObservedValues(stage.device, \.isRampingVideoZoom)
      )
      try stage.configure { $0.ramp(toVideoZoomFactor: 4, withRate: 1) }
      for _ in 0..<3 { stage.camera.streamFrame() }
      #expect(ramps.values == [true])
      stage.camera.hang(true)
      stage.session.stopRunning()
      #expect(ramps.values == [true, false] && zooms.values.isEmpty)
      stage.camera.measure { $0.zoom = 2.5 }
      stage.camera.hang(false)
      #expect(zooms.wait() == [2.5] && stage.device.videoZoomFactor == 2.5)
      #expect(ramps.values == [true, false])
    }
  }
}
