import AVFoundation
import CaptureDevice
import CaptureStage
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Edge Light")
  struct EdgeLightTests {
    @Test func `is active while the user wants it and a window shows it, and observers hear of both`() throws
    {
      let rig = try CaptureRig()
      defer {
        VideoEffectPreferences.edgeLight = .impossible
        SimulatedDevices.setVideoEffects(nil)
      }
      let heard = Locked<[Bool]>([])
      let observation = AVCaptureDevice.observe(\.isEdgeLightActive, options: .new) { _, change in
        if let value = change.newValue { heard.withLock { $0.append(value) } }
      }
      defer { observation.invalidate() }
      let format = rig.device.activeFormat
      #expect(!AVCaptureDevice.isEdgeLightEnabled && !AVCaptureDevice.isEdgeLightActive)
      #expect(!format.isEdgeLightSupported, "no window draws it")
      var choices = VideoEffectChoices.standard
      choices[.edgeLight].isOn = true
      SimulatedDevices.setVideoEffects(choices)
      #expect(AVCaptureDevice.isEdgeLightEnabled && !AVCaptureDevice.isEdgeLightActive)
      VideoEffectPreferences.edgeLight = .hidden
      #expect(format.isEdgeLightSupported && !AVCaptureDevice.isEdgeLightActive)
      VideoEffectPreferences.edgeLight = .shown
      #expect(AVCaptureDevice.isEdgeLightActive)
      SimulatedDevices.setVideoEffects(nil)
      #expect(!AVCaptureDevice.isEdgeLightActive && heard.withLock { $0 } == [true, false])
    }
  }
}
