import AVFoundation
import CaptureDevice
import CaptureStage
import CoreVideo
import Foundation
import FoundationExtras
import ImageIO
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Photos with mattes of parts of people")
  struct PartMattePhotos {
    typealias Matte = AVSemanticSegmentationMatte

    /// A camera that sees a person before a grey wall, or the wall alone.
    private final class Stage {
      let rig: CaptureRig
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()

      init(
        _ look: PersonLook? = PersonLook(skin: .fair, hair: .brown, hairStyle: .bob, clothes: .navy),
        sensorRotation: Int = 0, usualSensorRotation: Int? = nil, change: (inout Scene) -> Void = { _ in }
      ) throws {
        var scene = Scene(
          isStamped: false, isNoisy: false,
          background: SceneBackground(.color(red: 0.75, green: 0.75, blue: 0.75)))
        if let look {
          scene.layers = [SceneLayer(.person(ScenePerson(look, isIdle: false)), width: 0.8)]
        }
        change(&scene)
        rig = try CaptureRig(
          .camera(
            uniqueID: "part.mattes", sizes: [FrameSize(width: 640, height: 480)],
            sensorRotation: sensorRotation, usualSensorRotation: usualSensorRotation),
          scene: scene)
        rig.session.addOutput(output)
        output.enabledSemanticSegmentationMatteTypes = output.availableSemanticSegmentationMatteTypes
        rig.session.startRunning()
        rig.advance(frames: 3)
      }

      func settings(_ codec: AVVideoCodecType = .hevc) -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
        settings.enabledSemanticSegmentationMatteTypes = output.enabledSemanticSegmentationMatteTypes
        return settings
      }

      func take(_ settings: AVCapturePhotoSettings? = nil) throws -> AVCapturePhoto {
        let count = delegate.photos.withLock { $0.count }
        output.capturePhoto(with: settings ?? self.settings(), delegate: delegate)
        rig.advance(frames: 2)
        try #require(delegate.wait(for: count + 1))
        return try #require(delegate.photos.withLock { $0.last })
      }
    }

    /// The pixels of a matte, row by row.
    private func pixels(_ matte: Matte?) throws -> [UInt8] {
      let image = try #require(matte).mattingImage
      return (0..<image.height).flatMap { image.planes[0].row($0).prefix(image.width) }
    }

    /// Of the pixels of half a photo, how far each is from another photo's.
    private func difference(_ one: AVCapturePhoto, _ other: AVCapturePhoto) throws -> [Int] {
      let pictures = try [one, other].map { photo in
        let source = try #require(photo.pixelBuffer)
        return (0..<240).flatMap { y in
          (0..<320).map { x in
            (0..<4).map { Int(source.planes[0].row(2 * y + $0 / 2)[2 * x + $0 % 2]) }.reduce(0, +) / 4
          }
        }
      }
      return zip(pictures[0], pictures[1]).map { abs($0 - $1) }
    }

    private func uncompressed(_ stage: Stage) throws -> AVCapturePhoto {
      let settings = AVCapturePhotoSettings(format: [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      ])
      settings.enabledSemanticSegmentationMatteTypes = stage.output.enabledSemanticSegmentationMatteTypes
      return try stage.take(settings)
    }

    @Test func `can be had of skin and hair where a simulated camera sees people`() throws {
      let stage = try Stage()
      #expect(stage.output.availableSemanticSegmentationMatteTypes == [.skin, .hair])
      #expect(try Stage(nil).output.availableSemanticSegmentationMatteTypes.isEmpty)
      let photo = try stage.take()
      for type in [Matte.MatteType.skin, .hair] {
        let matte = try #require(photo.semanticSegmentationMatte(for: type))
        #expect(matte.matteType == type && matte.pixelFormatType == kCVPixelFormatType_OneComponent8)
        let size = photo.resolvedSettings.dimensionsForSemanticSegmentationMatte(ofType: type)
        #expect(size.width == 320 && size.height == 240)
        #expect(matte.mattingImage.width == 320 && matte.mattingImage.height == 240)
      }
      #expect(photo.semanticSegmentationMatte(for: .teeth) == nil)
      #expect(photo.resolvedSettings.dimensionsForSemanticSegmentationMatte(ofType: .teeth).width == 0)
    }

    @Test func `show where a photo changes when nothing but that part has another colour`() throws {
      let plain = PersonLook(skin: .fair, hair: .black, hairStyle: .bob, clothes: .navy)
      var blond = plain
      blond.hair = .blond
      var dark = plain
      dark.skin = .dark
      let photo = try uncompressed(Stage(plain))
      for (type, other) in [(Matte.MatteType.hair, blond), (.skin, dark)] {
        let matte = try pixels(photo.semanticSegmentationMatte(for: type))
        let change = try difference(photo, uncompressed(Stage(other)))
        let changed = change.indices.filter { change[$0] > 20 }
        let shown = matte.indices.filter { matte[$0] >= 128 }
        try #require(changed.count > 500 && shown.count > 500)
        // Brows have the hair's colour, and the deepest shade hardly any.
        let inside = changed.count { matte[$0] >= 64 }
        #expect(
          inside * 100 > changed.count * 97, "\(type.rawValue): \(inside) of \(changed.count) are in it")
        let seen = shown.count { change[$0] > 4 }
        #expect(seen * 100 > shown.count * 97, "\(type.rawValue): \(seen) of \(shown.count) change")
      }
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `are in the file unless embedding is off`(codec: AVVideoCodecType) throws {
      func stored(_ photo: AVCapturePhoto, _ kind: CFString) throws -> Matte? {
        let file = try #require(photo.fileDataRepresentation())
        let source = try #require(CGImageSourceCreateWithData(file as CFData, nil))
        return try CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kind).map {
          try Matte(fromImageSourceAuxiliaryDataType: kind, dictionaryRepresentation: $0)
        }
      }
      let stage = try Stage()
      let photo = try stage.take(stage.settings(codec))
      for (type, kind) in [
        (Matte.MatteType.skin, kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte),
        (.hair, kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte),
      ] {
        let own = try pixels(photo.semanticSegmentationMatte(for: type))
        let read = try pixels(stored(photo, kind))
        let bound = codec == .hevc ? 0 : 3
        #expect(zip(own, read).allSatisfy { abs(Int($0) - Int($1)) <= bound })
      }
      let settings = stage.settings(codec)
      settings.embedsSemanticSegmentationMattesInPhoto = false
      let bare = try stage.take(settings)
      #expect(bare.semanticSegmentationMatte(for: .hair) != nil)
      #expect(try stored(bare, kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte) == nil)
    }

    @Test func `go the photo's way: enlarged, cut, and turned as its pixels are`() throws {
      let stage = try Stage(sensorRotation: 180, usualSensorRotation: 0)
      stage.output.isCameraSensorOrientationCompensationEnabled = false
      let connection = try #require(stage.output.connection(with: .video))
      let whole = try pixels(stage.take().semanticSegmentationMatte(for: .skin))
      stage.output.isCameraSensorOrientationCompensationEnabled = true
      let turned = try pixels(stage.take().semanticSegmentationMatte(for: .skin))
      #expect(turned == whole.reversed())
      stage.output.isCameraSensorOrientationCompensationEnabled = false
      connection.videoScaleAndCropFactor = 2
      let settings = stage.settings()
      settings.cropAspectRatio = 1
      let matte = try #require(try stage.take(settings).semanticSegmentationMatte(for: .skin))
      #expect(matte.mattingImage.width == 240 && matte.mattingImage.height == 240)
      // A place of the enlarged square, and the same in the whole view.
      let square = try pixels(matte)
      let differing = (0..<240 * 240).count { index in
        let (x, y) = (index % 240, index / 240)
        let before = whole[(60 + y / 2) * 320 + 100 + x / 2]
        return abs(Int(square[index]) - Int(before)) > 96
      }
      #expect(differing < 240 * 240 / 100, "\(differing) places differ")
    }

    @Test func `are absent where a photo shows none of it`() throws {
      let stage = try Stage(PersonLook(hairStyle: .bald))
      let photo = try stage.take()
      #expect(photo.semanticSegmentationMatte(for: .skin) != nil)
      #expect(photo.semanticSegmentationMatte(for: .hair) == nil)
    }

    @Test func `must be enabled by the output, which takes those that are available`() throws {
      let stage = try Stage()
      let refusals = ProgrammingMistake.collect {
        stage.output.enabledSemanticSegmentationMatteTypes = [.skin, .glasses]
      }
      #expect(refusals.count == 1)
      #expect(stage.output.enabledSemanticSegmentationMatteTypes == [.skin, .hair])
      stage.output.enabledSemanticSegmentationMatteTypes = [.skin]
      let settings = stage.settings()
      settings.enabledSemanticSegmentationMatteTypes = [.hair]
      let wrong = ProgrammingMistake.collect {
        stage.output.capturePhoto(with: settings, delegate: stage.delegate)
      }
      #expect(wrong.first?.rule.contains("enabledSemanticSegmentationMatteTypes") == true)
    }
  }
}
