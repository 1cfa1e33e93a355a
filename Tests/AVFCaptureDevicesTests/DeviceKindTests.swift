import AVFoundation
import CaptureDevice
import CaptureStage
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Kinds of devices")
  struct DeviceKindTests {
    @Test(arguments: [
      (DeviceKind.dualCamera, AVCaptureDevice.DeviceType.builtInDualCamera),
      (.lidarDepthCamera, .builtInLiDARDepthCamera), (.trueDepthCamera, .builtInTrueDepthCamera),
      (.dualWideCamera, .builtInDualWideCamera),
    ])
    func `a camera is found under its type alone`(kind: DeviceKind, type: AVCaptureDevice.DeviceType) throws {
      let model = SimulatedDeviceModel.camera(uniqueID: "kind.\(kind)", name: "\(kind)", kind: kind)
      let stage = SessionStage(devices: [SessionStage.back, model])
      #expect(AVCaptureDevice.default(type, for: .video, position: .back)?.localizedName == "\(kind)")
      let others: [AVCaptureDevice.DeviceType] = [
        .builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera, .builtInTrueDepthCamera,
        .builtInLiDARDepthCamera, .builtInTelephotoCamera,
      ].filter { $0 != type }
      #expect(
        AVCaptureDevice.DiscoverySession(deviceTypes: others, mediaType: .video, position: .unspecified)
          .devices.isEmpty)
      withExtendedLifetime(stage) {}
    }
  }

  @Suite("Codecs that nothing here writes")
  struct UnwrittenCodecTests {
    @Test(arguments: [
      AVVideoCodecType.hevcWithAlpha, .proRes422, .proRes422HQ, .proRes422LT, .proRes422Proxy, .proRes4444,
      .appleProRes4444XQ, .proResRAW, .proResRAWHQ, .JPEGXL,
    ])
    func `they are not offered, and a photo in one is refused`(codec: AVVideoCodecType) throws {
      let stage = SessionStage()
      try stage.addCamera()
      let output = AVCapturePhotoOutput()
      stage.session.addOutput(output)
      stage.session.startRunning()
      #expect(!output.availablePhotoCodecTypes.contains(codec))
      let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
      let delegate = Refused()
      #expect(
        ProgrammingMistake.collect { output.capturePhoto(with: settings, delegate: delegate) }.count == 1)
      stage.session.stopRunning()
    }
  }
}

private final class Refused: AVCapturePhotoCaptureDelegate {}
