import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import LibcameraDevices
import Linux
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Cameras of libcamera in a session")
  struct LibcameraSessions {
    private final class Stage {
      let camera: ScriptedCamera
      let session = AVCaptureSession()
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()
      let device: AVCaptureDevice

      init() throws {
        var script = CameraScript()
        script.full = FrameSize(width: 2560, height: 1920)
        camera = ScriptedCamera(script)
        CaptureDeviceProviders.install([LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes)])
        device = try #require(
          AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
        session.sessionPreset = .photo
        session.addInput(try AVCaptureDeviceInput(device: device))
        session.addOutput(output)
        session.startRunning()
      }

      deinit {
        session.stopRunning()
        CaptureDeviceProviders.install(nil)
      }

      func take(_ settings: AVCapturePhotoSettings) throws -> [AVCapturePhoto] {
        let (count, finished) = (delegate.photos.withLock { $0.count }, delegate.finishedCount.now)
        output.capturePhoto(with: settings, delegate: delegate)
        try #require(delegate.wait(for: finished + 1))
        return delegate.photos.withLock { Array($0.dropFirst(count)) }
      }
    }

    @Test func `a photo has full size while the stream is as small as previews are`() throws {
      let stage = try Stage()
      let photo = try #require(
        try stage.take(AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])).first)
      let streams = try #require(stage.camera.opened.last)
      #expect(streams.map(\.use) == [.view, .still, .raw])
      #expect(streams[0].size == FrameSize(width: 1920, height: 1440))
      #expect(photo.resolvedSettings.photoDimensions.width == 2560 && photo.fileDataRepresentation() != nil)
      let exif = try #require(photo.metadata["{Exif}"] as? [String: Any])
      #expect(exif["ExposureTime"] as? Double == 0.01 && exif["ISOSpeedRatings"] as? [Int] == [200])
    }

    @Test func `a raw photo comes beside a processed one, of the sensor's own size`() throws {
      let stage = try Stage()
      let format = try #require(stage.output.availableRawPhotoPixelFormatTypes.first)
      let photos = try stage.take(
        AVCapturePhotoSettings(
          rawPixelFormatType: format, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg]))
      #expect(photos.count == 2)
      let raw = try #require(photos.first { $0.isRawPhoto })
      #expect(raw.resolvedSettings.rawPhotoDimensions.width == 768)
      #expect(raw.fileDataRepresentation() != nil)
    }

    @Test func `its controls are those of the session's device`() async throws {
      let stage = try Stage()
      try stage.device.lockForConfiguration()
      defer { stage.device.unlockForConfiguration() }
      #expect(
        stage.device.isExposureModeSupported(.custom)
          && stage.device.isLockingFocusWithCustomLensPositionSupported)
      let moment = await stage.device.setExposureModeCustom(
        duration: CMTime(value: 4, timescale: 1000), iso: 800)
      #expect(moment.isValid && stage.device.iso == 800 && stage.device.exposureMode == .custom)
      stage.device.videoZoomFactor = 2
      #expect(stage.camera.wait { $0.contains { $0.control == .scalerCrop } } != nil)
    }
  }
}
