import AVFoundation
import CaptureDevice
import CaptureStage
import CoreVideo
import FoundationExtras
import ImageIO
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Photos of a sensor that lies otherwise than usual")
  struct SensorOrientationPhotos {
    private static let size = FrameSize(width: 320, height: 240)

    /// A camera with a light square in the sensor's upper left corner.
    private final class Stage {
      let rig: CaptureRig
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()

      init(sensorRotation: Int, usual: Int?) throws {
        var scene = Scene(
          isStamped: false, isNoisy: false, background: SceneBackground(.color(red: 0, green: 0, blue: 0)))
        scene.background.depth = 3
        scene.layers = [
          SceneLayer(
            .color(red: 1, green: 1, blue: 1), center: CGPoint(x: 0.125, y: 1.0 / 6), width: 0.25, depth: 0.5)
        ]
        rig = try CaptureRig(
          .camera(
            uniqueID: "sensor.orientation", sizes: [SensorOrientationPhotos.size],
            sensorRotation: sensorRotation,
            usualSensorRotation: usual, depthSizes: [SensorOrientationPhotos.size]), scene: scene)
        rig.session.addOutput(output)
        output.isDepthDataDeliveryEnabled = true
        rig.session.startRunning()
        rig.advance(frames: 3)
      }

      func take(_ settings: AVCapturePhotoSettings) throws -> AVCapturePhoto {
        let count = delegate.photos.withLock { $0.count }
        output.capturePhoto(with: settings, delegate: delegate)
        rig.advance(frames: 2)
        try #require(delegate.wait(for: count + 1))
        return try #require(delegate.photos.withLock { $0.last })
      }

      func pixels() -> AVCapturePhotoSettings {
        AVCapturePhotoSettings(format: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        ])
      }
    }

    /// The corner of a picture that is light: left or right, top or bottom.
    private func lightCorner(_ picture: CVPixelBuffer) -> String {
      let plane = picture.planes[0]
      let corners = [
        "top left": (8, 8), "top right": (plane.width - 8, 8), "bottom left": (8, plane.height - 8),
        "bottom right": (plane.width - 8, plane.height - 8),
      ]
      return corners.filter { plane.row($0.value.1)[$0.value.0] > 200 }.map(\.key).joined()
    }

    @Test(arguments: [
      (90, "top right", CGImagePropertyOrientation.left), (180, "bottom right", .down),
      (270, "bottom left", .right),
    ])
    func `their pixels are turned, and a viewer turns them as much less`(
      rotation: Int, corner: String, less: CGImagePropertyOrientation
    ) throws {
      let stage = try Stage(sensorRotation: rotation, usual: 0)
      #expect(stage.output.isCameraSensorOrientationCompensationSupported)
      #expect(stage.output.isCameraSensorOrientationCompensationEnabled)
      let angle = try #require(stage.output.connection(with: .video)).videoRotationAngle
      let photo = try stage.take(stage.pixels())
      let picture = try #require(photo.pixelBuffer)
      #expect(lightCorner(picture) == corner)
      let isSideways = rotation != 180
      #expect((picture.width, picture.height) == (isSideways ? (240, 320) : (320, 240)))
      let size = photo.resolvedSettings.photoDimensions
      #expect(Int(size.width) == picture.width && Int(size.height) == picture.height)
      #expect(
        photo.metadata[kCGImagePropertyOrientation as String] as? Int
          == Int(CGImagePropertyOrientation(rotationAngle: Int(angle) - rotation, isMirrored: false).rawValue)
      )
      stage.output.isCameraSensorOrientationCompensationEnabled = false
      let plain = try stage.take(stage.pixels())
      #expect(try lightCorner(#require(plain.pixelBuffer)) == "top left")
      #expect(
        plain.metadata[kCGImagePropertyOrientation as String] as? Int
          == Int(CGImagePropertyOrientation(rotationAngle: Int(angle), isMirrored: false).rawValue))
      // Without any turn of the connection's, what remains is the turn back.
      stage.output.isCameraSensorOrientationCompensationEnabled = true
      try #require(stage.output.connection(with: .video)).videoRotationAngle = 0
      let back = try stage.take(stage.pixels())
      #expect(back.metadata[kCGImagePropertyOrientation as String] as? Int == Int(less.rawValue))
    }

    @Test func `their files look to a viewer as those without, and depth lies as the pixels do`() throws {
      let stage = try Stage(sensorRotation: 90, usual: 0)
      func settings() -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        settings.isDepthDataDeliveryEnabled = true
        settings.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: AVVideoCodecType.jpeg]
        return settings
      }
      let turned = try stage.take(settings())
      stage.output.isCameraSensorOrientationCompensationEnabled = false
      let plain = try stage.take(settings())
      let images = try [turned, plain].map { photo in
        let file = try #require(photo.fileDataRepresentation())
        let source = try #require(CGImageSourceCreateWithData(file as CFData, nil))
        return try #require(
          CGImageSourceCreateThumbnailAtIndex(
            source, 0,
            [
              kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceThumbnailMaxPixelSize: 64,
              kCGImageSourceCreateThumbnailWithTransform: true,
            ] as CFDictionary))
      }
      #expect(images[0].width == images[1].width && images[0].height == images[1].height)
      let depth = try #require(turned.depthData).converting(
        toDepthDataType: kCVPixelFormatType_DepthFloat32
      ).depthDataMap
      #expect(depth.width == 240 && depth.height == 320)
      func metres(_ x: Int, _ y: Int) -> Float {
        depth.planes[0].row(y).withMemoryRebound(to: Float.self) { $0[x] }
      }
      #expect(metres(220, 20) < 1 && metres(20, 20) > 2 && metres(220, 300) > 2)
      #expect(try #require(plain.depthData).depthDataMap.width == 320)
    }

    @Test func `raw pictures stay as the sensor lies`() throws {
      let stage = try Stage(sensorRotation: 180, usual: 0)
      let format = try #require(stage.output.availableRawPhotoPixelFormatTypes.first)
      let photo = try stage.take(AVCapturePhotoSettings(rawPixelFormatType: format))
      let angle = try #require(stage.output.connection(with: .video)).videoRotationAngle
      #expect(photo.isRawPhoto)
      #expect(
        photo.metadata[kCGImagePropertyOrientation as String] as? Int
          == Int(CGImagePropertyOrientation(rotationAngle: Int(angle), isMirrored: false).rawValue))
    }

    @Test func `where it lies as usual nothing can be compensated`() throws {
      let stage = try Stage(sensorRotation: 90, usual: nil)
      #expect(!stage.output.isCameraSensorOrientationCompensationSupported)
      #expect(!stage.output.isCameraSensorOrientationCompensationEnabled)
      let mistakes = ProgrammingMistake.collect {
        stage.output.isCameraSensorOrientationCompensationEnabled = true
      }
      #expect(mistakes.count == 1 && !stage.output.isCameraSensorOrientationCompensationEnabled)
    }
  }
}
