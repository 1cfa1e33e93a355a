import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import PeopleFinding
import SimulatedDevices
import Testing

private let hasFaces = ModelFolder.current.obstacle(to: .faces) == nil

extension DeviceSuites {
  /// Tests of Center Stage in what a camera delivers.
  @Suite(.enabled(if: hasFaces, "there are no models here; run scripts/setup --models"))
  struct CenterStageInFramesTests {
    /// A session with people before a camera, and what its outputs deliver.
    private final class Studio {
      let stage: CodeStage
      let output = AVCaptureVideoDataOutput()
      let delegate = RecordingVideoDelegate()
      private let finder: FaceFinder
      private let newest = Locked<CMSampleBuffer?>(nil)

      var rig: CaptureRig { stage.rig }

      init(_ people: [SceneLayer]) throws {
        finder = try FaceFinder()
        stage = try CodeStage(people, size: FrameSize(width: 960, height: 540), sensorRotation: 0)
        stage.output.metadataObjectTypes = [.face]
        rig.session.addOutput(output)
        delegate.keepsBuffers.withLock { $0 = false }
        delegate.visit.set { [newest] sample in newest.withLock { $0 = sample } }
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "center stage"))
      }

      deinit { SimulatedDevices.setVideoEffects(nil) }

      func enable(_ isOn: Bool = true) {
        var choices = VideoEffectChoices.standard
        choices[.centerStage].isOn = isOn
        SimulatedDevices.setVideoEffects(choices)
      }

      func start(frames: Int) {
        rig.session.startRunning()
        advance(frames: frames)
      }

      func advance(frames: Int) {
        for _ in 0..<frames { rig.advance(frames: 1) }
      }

      var sample: CMSampleBuffer? { newest.withLock { $0 } }

      /// The newest frame's picture.
      func picture() throws -> CVPixelBuffer { try #require(sample?.imageBuffer) }

      /// The faces in the newest frame, from left to right, in its width and height.
      func faces() throws -> [CGRect] { try faces(in: picture()) }

      func faces(in picture: CVPixelBuffer) throws -> [CGRect] {
        let (width, height) = (
          Double(CVPixelBufferGetWidth(picture)), Double(CVPixelBufferGetHeight(picture))
        )
        return try finder.faces(in: picture).map { face in
          CGRect(
            x: face.bounds.minX / width, y: face.bounds.minY / height, width: face.bounds.width / width,
            height: face.bounds.height / height)
        }.sorted { $0.midX < $1.midX }
      }

      /// The bounds of the faces that were reported last.
      var reported: [CGRect] { stage.listener.calls.withLock { $0.last ?? [] }.map(\.bounds) }
    }

    /// A person whose head is some 70 pixels high.
    private func person(_ seed: UInt64 = 3, at x: Double, way: [SceneWayPoint] = []) -> SceneLayer {
      var layer = SceneLayer(
        .person(ScenePerson(PersonLook(seed: seed), isIdle: false)), center: CGPoint(x: x, y: 0.62),
        depth: 1.5)
      layer.height = 0.62
      layer.way = way
      return layer
    }

    private func isNear(_ one: CGRect, _ other: CGRect) -> Bool {
      abs(one.midX - other.midX) < 0.04 && abs(one.midY - other.midY) < 0.06
        && (0.75..<1.35).contains(one.width / other.width)
    }

    @Test func `frames, photos and metadata alike show a person at the side in the middle, and larger`()
      throws
    {
      let studio = try Studio([person(at: 0.3)])
      studio.start(frames: 10)
      let plain = try #require(try studio.faces().first)
      #expect(abs(plain.midX - 0.3) < 0.05, "\(plain)")
      studio.enable()
      #expect(studio.rig.device.isCenterStageActive)
      studio.advance(frames: 120)
      let face = try #require(try studio.faces().first)
      #expect(abs(face.midX - 0.5) < 0.08 && face.width > 1.4 * plain.width, "\(plain) became \(face)")
      #expect((0.25..<0.5).contains(face.midY))
      #expect(studio.reported.contains { isNear($0, face) }, "\(studio.reported)")

      let photos = AVCapturePhotoOutput()
      studio.rig.session.addOutput(photos)
      studio.advance(frames: 2)
      let recorder = RecordingPhotoDelegate()
      photos.capturePhoto(
        with: AVCapturePhotoSettings(format: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        ]), delegate: recorder)
      studio.advance(frames: 4)
      #expect(recorder.wait())
      let photo = try #require(recorder.photos.withLock { $0.first?.pixelBuffer })
      let inPhoto = try #require(try studio.faces(in: photo).first)
      #expect(isNear(inPhoto, face), "\(inPhoto)")

      studio.enable(false)
      studio.advance(frames: 3)
      let again = try #require(try studio.faces().first)
      #expect(isNear(again, plain))
    }

    @Test func `a place in the preview is the place of the camera's picture that is shown there`() throws {
      let studio = try Studio([person(at: 0.3)])
      let layer = AVCaptureVideoPreviewLayer(session: studio.rig.session)
      layer.bounds = CGRect(x: 0, y: 0, width: 480, height: 270)
      studio.start(frames: 10)
      let plain = try #require(try studio.faces().first)
      func point(_ face: CGRect) -> CGPoint {
        layer.captureDevicePointConverted(
          fromLayerPoint: layer.layerRectConverted(fromMetadataOutputRect: face).middle)
      }
      func isAt(_ one: CGPoint, _ other: CGPoint) -> Bool {
        abs(one.x - other.x) < 0.02 && abs(one.y - other.y) < 0.03
      }
      #expect(isAt(point(plain), plain.middle))
      studio.enable()
      studio.advance(frames: 120)
      let face = try #require(try studio.faces().first)
      #expect(!isAt(face.middle, plain.middle) && isAt(point(face), plain.middle), "\(point(face))")
      #expect(isAt(studio.rig.device.pointOfInterest(shownAt: face.middle), plain.middle))
      let back = layer.layerPointConverted(fromCaptureDevicePoint: point(face))
      #expect(abs(back.x - face.midX * 480) < 1 && abs(back.y - face.midY * 270) < 1)
    }

    @Test func `who comes in is in view a second later, with who was there`() throws {
      // Whole in view at 2.9 s.
      let way = [
        SceneWayPoint(at: 1, center: CGPoint(x: 1.25, y: 0.62)),
        SceneWayPoint(at: 4.5, center: CGPoint(x: 0.72, y: 0.62)),
      ]
      let studio = try Studio([person(at: 0.3), person(8, at: 1.25, way: way)])
      studio.enable()
      studio.start(frames: 45)
      let alone = try studio.faces()
      #expect(alone.count == 1 && abs((alone.first?.midX ?? 0) - 0.5) < 0.1, "\(alone)")
      studio.advance(frames: 72)
      for _ in 0..<10 {
        studio.advance(frames: 9)
        let faces = try studio.faces()
        #expect(faces.count == 2, "\(faces)")
        #expect(faces.allSatisfy { CGRect(x: 0, y: 0, width: 1, height: 1).contains($0) })
      }
    }

    @Test func `a rectangle of interest holds the person, and all around it is black`() throws {
      let studio = try Studio([person(at: 0.3)])
      let device = studio.rig.device
      let rect = CGRect(x: 0.25, y: 0, width: 0.5, height: 1)
      #expect(device.isCenterStageRectOfInterestSupported)
      #expect(device.centerStageRectOfInterest == CGRect(x: 0, y: 0, width: 1, height: 1))
      try device.lockForConfiguration()
      #expect(ProgrammingMistake.collect { device.centerStageRectOfInterest = rect }.count == 1, "disabled")
      studio.enable()
      for wrong in [
        CGRect(x: 0.6, y: 0, width: 0.5, height: 1), CGRect(x: -0.1, y: 0, width: 0.5, height: 1), .zero,
      ] {
        #expect(ProgrammingMistake.collect { device.centerStageRectOfInterest = wrong }.count == 1)
      }
      device.centerStageRectOfInterest = rect
      device.unlockForConfiguration()
      #expect(ProgrammingMistake.collect { device.centerStageRectOfInterest = .zero }.count == 1, "no lock")
      #expect(device.centerStageRectOfInterest == rect)
      studio.start(frames: 60)
      let face = try #require(try studio.faces().first)
      #expect(rect.contains(face) && abs(face.midX - 0.5) < 0.08, "\(face)")
      let luma = try picture(of: studio)
      #expect(
        luma.allSatisfy { row in row[..<238].allSatisfy { $0 <= 16 } && row[722...].allSatisfy { $0 <= 16 } })
      #expect(luma.contains { row in row[242..<718].contains { $0 > 60 } })
    }

    private func picture(of studio: Studio) throws -> [[UInt8]] {
      let picture = try studio.picture()
      CVPixelBufferLockBaseAddress(picture, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(picture, 0))
      let stride = CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
      return (0..<CVPixelBufferGetHeight(picture)).map { row in
        (0..<CVPixelBufferGetWidth(picture)).map {
          base.load(fromByteOffset: row * stride + $0, as: UInt8.self)
        }
      }
    }

    @Test func `frames whose pixels it moves carry no intrinsics`() throws {
      let studio = try Studio([person(at: 0.3)])
      let connection = try #require(studio.output.connection(with: .video))
      connection.isCameraIntrinsicMatrixDeliveryEnabled = true
      func hasMatrix() throws -> Bool {
        CMGetAttachment(
          try #require(studio.sample), key: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix,
          attachmentModeOut: nil) != nil
      }
      studio.start(frames: 5)
      #expect(try hasMatrix())
      studio.enable()
      studio.advance(frames: 3)
      #expect(try !hasMatrix())
      studio.enable(false)
      studio.advance(frames: 3)
      #expect(try hasMatrix())
    }

    @Test func `streams are no faster, and zoom is no longer, than the format says for it`() throws {
      let studio = try Studio([person(at: 0.3)])
      let (device, format) = (studio.rig.device, studio.rig.device.activeFormat)
      #expect(format.isCenterStageSupported && format.videoFrameRateRangeForCenterStage?.maxFrameRate == 30)
      #expect(format.videoMinZoomFactorForCenterStage == 1 && format.videoMaxZoomFactorForCenterStage == 2)
      let most = ObservedValues(device, \.maxAvailableVideoZoomFactor)
      let active = ObservedValues(device, \.isCenterStageActive)
      try device.lockForConfiguration()
      device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
      device.videoZoomFactor = 3
      studio.enable()
      #expect(device.videoZoomFactor == 2 && device.maxAvailableVideoZoomFactor == 2)
      #expect(device.minAvailableVideoZoomFactor == 1)
      #expect(ProgrammingMistake.collect { device.videoZoomFactor = 2.5 }.count == 1)
      device.unlockForConfiguration()
      studio.start(frames: 6)
      #expect(studio.delegate.count.withLock { $0 } == 6)
      studio.enable(false)
      #expect(device.maxAvailableVideoZoomFactor == format.videoMaxZoomFactor)
      #expect(most.values == [2, format.videoMaxZoomFactor] && active.values == [true, false])
      studio.advance(frames: 6)
      let before = studio.delegate.count.withLock { $0 }
      studio.advance(frames: 6)
      #expect(studio.delegate.count.withLock { $0 } - before >= 11)
    }
  }
}

extension CGRect {
  fileprivate var middle: CGPoint { CGPoint(x: midX, y: midY) }
}
