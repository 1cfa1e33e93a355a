import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import OpenNIDevices
import Testing

extension DeviceSuites {
  @Suite("Depth cameras of OpenNI in a session")
  struct OpenNISessions {
    /// A session with one scripted camera and an output for depth.
    private final class Stage {
      let library: ScriptedSensors
      let session = AVCaptureSession()
      let output = AVCaptureDepthDataOutput()
      let maps = DepthMapLog()
      let device: AVCaptureDevice

      init(_ camera: ScriptedCamera = ScriptedCamera()) throws {
        library = ScriptedSensors([camera])
        CaptureDeviceProviders.install([
          OpenNIDeviceProvider(library, DepthCameraBus(folder: "/nowhere", nodes: "/nowhere"))
        ])
        device = try #require(
          AVCaptureDevice.DiscoverySession(
            deviceTypes: [.external], mediaType: .depthData, position: .unspecified
          )
          .devices.first)
        session.sessionPreset = .inputPriority
        session.addInput(try AVCaptureDeviceInput(device: device))
        session.addOutput(output)
        output.isFilteringEnabled = false
        output.setDelegate(maps, callbackQueue: DispatchQueue(label: "maps"))
      }

      deinit {
        session.stopRunning()
        CaptureDeviceProviders.install(nil)
      }
    }

    @Test func `its maps are metres, with the calibration of the pictures that they are laid upon`() throws {
      let stage = try Stage()
      stage.session.startRunning()
      let map = try #require(stage.maps.wait())
      let metres = map.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32)
      let row = metres.depthDataMap.planes[0].row(0)
      let values = [0, 4].map { row.loadUnaligned(fromByteOffset: $0, as: Float.self) }
      #expect((0.499...1.5).contains(values[0]) && abs(values[1] - values[0] - 0.001) < 0.0006)
      let calibration = try #require(map.cameraCalibrationData)
      #expect(calibration.intrinsicMatrixReferenceDimensions == CGSize(width: 32, height: 24))
      #expect(abs(calibration.intrinsicMatrix.columns.0.x - 27.713) < 0.01)
      #expect(calibration.pixelSize == 0, "its driver tells no focal length")
    }

    @Test func `maps that are not laid upon pictures have the calibration of their own sensor`() throws {
      var camera = ScriptedCamera()
      camera.canRegister = false
      camera.depth = [SensorMode(pixelFormat: 100, size: FrameSize(width: 64, height: 48), rate: 60)]
      let stage = try Stage(camera)
      stage.session.startRunning()
      let calibration = try #require(stage.maps.wait()?.cameraCalibrationData)
      #expect(calibration.intrinsicMatrixReferenceDimensions == CGSize(width: 64, height: 48))
      #expect(abs(calibration.intrinsicMatrix.columns.0.x - 57.73) < 0.01)
    }

    @Test func `a photo has the map of its moment, and states no aperture that is not known`() throws {
      let stage = try Stage()
      let photos = AVCapturePhotoOutput()
      stage.session.addOutput(photos)
      photos.isDepthDataDeliveryEnabled = true
      stage.session.startRunning()
      try #require(stage.maps.wait() != nil)
      let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
      settings.isDepthDataDeliveryEnabled = true
      let delegate = RecordingPhotoDelegate()
      photos.capturePhoto(with: settings, delegate: delegate)
      try #require(delegate.wait())
      let photo = try #require(delegate.photos.withLock { $0.first })
      let depth = try #require(photo.depthData)
      #expect(depth.depthDataMap.width == 32 && depth.cameraCalibrationData != nil)
      let exif = try #require(photo.metadata["{Exif}"] as? [String: Any])
      #expect(
        exif["FNumber"] == nil && exif["FocalLength"] == nil && exif["FocalLenIn35mmFilm"] as? Int == 31)
    }

    @Test func `pictures and maps of one moment come together`() throws {
      let stage = try Stage()
      let video = AVCaptureVideoDataOutput()
      stage.session.addOutput(video)
      let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [video, stage.output])
      let pairs = PairLog(video, stage.output)
      synchronizer.setDelegate(pairs, queue: DispatchQueue(label: "pairs"))
      stage.session.startRunning()
      #expect(pairs.waitForPair(), "a frame and a map in one collection")
    }

    @Test func `one that is pulled out ends the session with its error`() async throws {
      let stage = try Stage()
      let errors = NotificationCenter.default.notifications(
        named: AVCaptureSession.runtimeErrorNotification, object: stage.session
      ).map { note in (note.userInfo?[AVCaptureSessionErrorKey] as? AVError)?.code }
      stage.session.startRunning()
      try #require(stage.maps.wait() != nil)
      stage.library.unplug("1d27/0601@1/5")
      var first: AVError.Code?
      for await code in errors {
        first = code
        break
      }
      #expect(first == .deviceWasDisconnected)
    }
  }
}

/// Keeps the newest map.
private final class DepthMapLog: NSObject, AVCaptureDepthDataOutputDelegate, Sendable {
  private let newest = Monitor<AVDepthData?>(nil)

  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {
    newest.withLock { $0 = depthData }
  }

  /// A map once one has come; `nil` when none does within half a minute.
  func wait() -> AVDepthData? {
    newest.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0 != nil }, then: { $0 }) ?? nil
  }
}

/// Notes whether a frame and a map came in one collection.
private final class PairLog: NSObject, AVCaptureDataOutputSynchronizerDelegate, Sendable {
  private let hasPair = Monitor(false)
  private let video: AVCaptureVideoDataOutput
  private let depth: AVCaptureDepthDataOutput

  init(_ video: AVCaptureVideoDataOutput, _ depth: AVCaptureDepthDataOutput) {
    self.video = video
    self.depth = depth
  }

  func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
  ) {
    let frame =
      synchronizedDataCollection.synchronizedData(for: video) as? AVCaptureSynchronizedSampleBufferData
    let map = synchronizedDataCollection.synchronizedData(for: depth) as? AVCaptureSynchronizedDepthData
    guard let frame, let map, !frame.sampleBufferWasDropped, !map.depthDataWasDropped else { return }
    hasPair.withLock { $0 = true }
  }

  func waitForPair() -> Bool {
    hasPair.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0 }, then: { _ in true })
      ?? false
  }
}
