import AVFoundation
import CaptureDevice
import CaptureStage
import CoreVideo
import Foundation
import FoundationExtras
import ImageIO
import Linux
import PeopleFinding
import Portraits
import SimulatedDevices
import Testing

private let hasSegmentation = ModelFolder.current.obstacle(to: .segmentation) == nil

extension DeviceSuites {
  @Suite(
    "Photos with a matte of people",
    .enabled(if: hasSegmentation, "there are no models here; run scripts/setup --models"))
  struct MattePhotos {
    /// A session with a camera that measures depth, with the astronaut in view or without people.
    private final class Stage {
      let rig: CaptureRig
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()

      init(isAlone: Bool = false) throws {
        let size = FrameSize(width: 640, height: 480)
        var scene = Scene(
          isStamped: false, isNoisy: false,
          background: SceneBackground(.color(red: 0.75, green: 0.75, blue: 0.75)))
        if !isAlone {
          scene.layers = [
            SceneLayer(
              .picture(try ScenePicture(Portrait.astronaut.picture())), center: CGPoint(x: 0.5, y: 0.5),
              width: 0.75)
          ]
        }
        rig = try CaptureRig(
          .camera(uniqueID: "matte.photos", sizes: [size], sensorRotation: 0, depthSizes: [size]),
          scene: scene)
        rig.session.addOutput(output)
        output.isDepthDataDeliveryEnabled = true
        output.isPortraitEffectsMatteDeliveryEnabled = true
        rig.session.startRunning()
        rig.advance(frames: 40)
      }

      func settings(_ codec: AVVideoCodecType = .hevc) -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
        settings.isDepthDataDeliveryEnabled = true
        settings.isPortraitEffectsMatteDeliveryEnabled = true
        return settings
      }

      func take(_ settings: AVCapturePhotoSettings) throws -> AVCapturePhoto {
        let count = delegate.photos.withLock { $0.count }
        output.capturePhoto(with: settings, delegate: delegate)
        rig.advance(frames: 2)
        try #require(delegate.wait(for: count + 1))
        return try #require(delegate.photos.withLock { $0.last })
      }
    }

    @Test func `can be had in formats that measure depth`() throws {
      let stage = try Stage()
      #expect(stage.output.isPortraitEffectsMatteDeliverySupported)
      #expect(stage.rig.device.activeFormat.isPortraitEffectsMatteStillImageDeliverySupported)
      let plain = try CaptureRig(
        .camera(uniqueID: "matte.plain", sizes: [FrameSize(width: 640, height: 480)]))
      #expect(!plain.device.activeFormat.isPortraitEffectsMatteStillImageDeliverySupported)
    }

    private func storedMatte(_ file: Data?) throws -> AVPortraitEffectsMatte? {
      let bytes = try #require(file)
      let source = try #require(CGImageSourceCreateWithData(bytes as CFData, nil))
      return try CGImageSourceCopyAuxiliaryDataInfoAtIndex(
        source, 0, kCGImageAuxiliaryDataTypePortraitEffectsMatte
      ).map { try AVPortraitEffectsMatte(fromDictionaryRepresentation: $0) }
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `show where the person is, and have it in the file beside the depth`(codec: AVVideoCodecType) throws
    {
      let stage = try Stage()
      let photo = try stage.take(stage.settings(codec))
      let matte = try #require(photo.portraitEffectsMatte)
      #expect(matte.pixelFormatType == kCVPixelFormatType_OneComponent8)
      let size = photo.resolvedSettings.portraitEffectsMatteDimensions
      let image = matte.mattingImage
      #expect(image.width == 320 && image.height == 240 && size.width == 320 && size.height == 240)
      // The photograph is 480 pixels of 640 wide, and in the middle.
      let face = Portrait.astronaut.face
      let (x, y) = ((80 + face.midX / 512 * 480) / 2, face.midY / 512 * 480 / 2)
      #expect(image.planes[0].row(Int(y))[Int(x)] > 200)
      #expect(image.planes[0].row(4)[4] < 50 && image.planes[0].row(4)[315] < 50)
      let stored = try #require(try storedMatte(photo.fileDataRepresentation())).mattingImage
      #expect(stored.width == 320 && stored.height == 240)
      for row in 0..<240 {
        let pairs = zip(stored.planes[0].row(row).prefix(320), image.planes[0].row(row).prefix(320))
        #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= (codec == .hevc ? 0 : 3) }, "row \(row)")
      }
      let file = try #require(photo.fileDataRepresentation())
      let source = try #require(CGImageSourceCreateWithData(file, nil))
      #expect(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeDisparity) != nil)
      #expect(photo.cgImageRepresentation()?.width == 640)
    }

    @Test func `are absent without people, and absent from the file where embedding is off`() throws {
      let empty = try { try $0.take($0.settings()) }(Stage(isAlone: true))
      #expect(empty.portraitEffectsMatte == nil && empty.depthData != nil)
      let stage = try Stage()
      let settings = stage.settings()
      settings.embedsPortraitEffectsMatteInPhoto = false
      let photo = try stage.take(settings)
      #expect(photo.portraitEffectsMatte != nil)
      #expect(try storedMatte(photo.fileDataRepresentation()) == nil)
      #expect(photo.semanticSegmentationMatte(for: .hair) == nil)
    }

    @Test func `need depth, and an output that has them enabled`() throws {
      let stage = try Stage()
      let settings = stage.settings()
      settings.isDepthDataDeliveryEnabled = false
      let mistakes = ProgrammingMistake.collect {
        stage.output.capturePhoto(with: settings, delegate: stage.delegate)
      }
      #expect(mistakes.first?.rule.contains("isDepthDataDeliveryEnabled, too") == true)
      #expect(stage.output.availableSemanticSegmentationMatteTypes.isEmpty)
      let refusals = ProgrammingMistake.collect {
        stage.output.enabledSemanticSegmentationMatteTypes = [.skin]
      }
      #expect(refusals.count == 1 && stage.output.enabledSemanticSegmentationMatteTypes.isEmpty)
      let others = stage.settings()
      others.enabledSemanticSegmentationMatteTypes = [.hair]
      let wrong = ProgrammingMistake.collect {
        stage.output.capturePhoto(with: others, delegate: stage.delegate)
      }
      #expect(wrong.first?.rule.contains("enabledSemanticSegmentationMatteTypes") == true)
      // With the camera goes the support, and with that the client's choice.
      stage.rig.session.removeInput(stage.rig.input)
      #expect(!stage.output.isPortraitEffectsMatteDeliverySupported)
      stage.rig.session.addInput(stage.rig.input)
      #expect(stage.output.isPortraitEffectsMatteDeliverySupported)
      #expect(!stage.output.isPortraitEffectsMatteDeliveryEnabled)
    }

    private final class Customizer: AVCapturePhotoFileDataRepresentationCustomizer {
      let matte: AVPortraitEffectsMatte?
      let skin: AVSemanticSegmentationMatte?

      init(_ matte: AVPortraitEffectsMatte?, skin: AVSemanticSegmentationMatte? = nil) {
        (self.matte, self.skin) = (matte, skin)
      }

      func replacementPortraitEffectsMatte(for photo: AVCapturePhoto) -> AVPortraitEffectsMatte? { matte }

      func replacementSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
      ) -> AVSemanticSegmentationMatte? { semanticSegmentationMatteType == .skin ? skin : nil }
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `give a customizer the choice of what the file holds`(codec: AVVideoCodecType) throws {
      let photo = try { try $0.take($0.settings(codec)) }(Stage())
      let own = try #require(photo.portraitEffectsMatte)
      let kept = try storedMatte(photo.fileDataRepresentation(with: Customizer(own)))
      #expect(kept?.mattingImage.width == 320)
      #expect(try storedMatte(photo.fileDataRepresentation(with: Customizer(nil))) == nil)
      let pixels = try MatteTests.pixels(4, 3)
      let other = try own.replacingPortraitEffectsMatte(with: pixels)
      let skin = try MatteTests.skin(pixels)
      let file = try #require(photo.fileDataRepresentation(with: Customizer(other, skin: skin)))
      #expect(try storedMatte(file)?.mattingImage.width == 4)
      let source = try #require(CGImageSourceCreateWithData(file, nil))
      let kind = kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte
      let info = try #require(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kind))
      let read = try AVSemanticSegmentationMatte(
        fromImageSourceAuxiliaryDataType: kind, dictionaryRepresentation: info)
      #expect(read.matteType == .skin && read.mattingImage.width == 4)
    }
  }
}

@Suite("AVPortraitEffectsMatte and AVSemanticSegmentationMatte")
struct MatteTests {
  /// Rows of 1, 2, 3 … from the upper left corner on.
  static func pixels(_ width: Int, _ height: Int) throws -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_OneComponent8, width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { buffer.planes[0].row(y)[x] = UInt8(y * width + x + 1) }
    }
    return buffer
  }

  static func skin(_ pixels: CVPixelBuffer) throws -> AVSemanticSegmentationMatte {
    let matte = try portrait(pixels)
    let info = try #require(matte.dictionaryRepresentation(forAuxiliaryDataType: nil))
    return try AVSemanticSegmentationMatte(
      fromImageSourceAuxiliaryDataType: kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte,
      dictionaryRepresentation: info)
  }

  private static func portrait(_ pixels: CVPixelBuffer) throws -> AVPortraitEffectsMatte {
    let data = Data((0..<pixels.height).flatMap { pixels.planes[0].row($0).prefix(pixels.width) })
    return try AVPortraitEffectsMatte(fromDictionaryRepresentation: [
      kCGImageAuxiliaryDataInfoData: data,
      kCGImageAuxiliaryDataInfoDataDescription: [
        "Width": pixels.width, "Height": pixels.height, "BytesPerRow": pixels.width,
        "PixelFormat": Int(kCVPixelFormatType_OneComponent8),
      ] as [String: Any],
    ])
  }

  private func rows(_ buffer: CVPixelBuffer) -> [[UInt8]] {
    (0..<buffer.height).map { Array(buffer.planes[0].row($0).prefix(buffer.width)) }
  }

  @Test func `a matte turns as a viewer turns the picture`() throws {
    let matte = try Self.portrait(Self.pixels(3, 2))
    let expected: [CGImagePropertyOrientation: [[UInt8]]] = [
      .up: [[1, 2, 3], [4, 5, 6]], .upMirrored: [[3, 2, 1], [6, 5, 4]], .down: [[6, 5, 4], [3, 2, 1]],
      .downMirrored: [[4, 5, 6], [1, 2, 3]], .leftMirrored: [[1, 4], [2, 5], [3, 6]],
      .right: [[4, 1], [5, 2], [6, 3]], .rightMirrored: [[6, 3], [5, 2], [4, 1]],
      .left: [[3, 6], [2, 5], [1, 4]],
    ]
    for (orientation, wanted) in expected {
      #expect(rows(matte.applyingExifOrientation(orientation).mattingImage) == wanted, "\(orientation)")
      let skin = try Self.skin(Self.pixels(3, 2)).applyingExifOrientation(orientation)
      #expect(rows(skin.mattingImage) == wanted && skin.matteType == .skin)
    }
  }

  @Test func `what goes into a dictionary comes back, under its own kind`() throws {
    let pixels = try Self.pixels(5, 3)
    var kind: NSString?
    let found = try Self.portrait(pixels).dictionaryRepresentation(forAuxiliaryDataType: &kind)
    let info = try #require(found)
    #expect(kind.map { "\($0)" } == kCGImageAuxiliaryDataTypePortraitEffectsMatte)
    #expect(try rows(AVPortraitEffectsMatte(fromDictionaryRepresentation: info).mattingImage) == rows(pixels))
    let skin = try Self.skin(pixels)
    let parts = skin.dictionaryRepresentation(forAuxiliaryDataType: &kind)
    #expect(parts?.count == 2)
    #expect(kind.map { "\($0)" } == kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte)
    #expect(skin.pixelFormatType == kCVPixelFormatType_OneComponent8)
    #expect(
      try rows(skin.replacingSemanticSegmentationMatte(with: Self.pixels(2, 2)).mattingImage).count == 2)
    typealias Kind = AVSemanticSegmentationMatte.MatteType
    let others: [(Kind, CFString)] = [
      (.hair, kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte),
      (.teeth, kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte),
      (.glasses, kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte),
    ]
    for (type, kind) in others {
      let matte = try AVSemanticSegmentationMatte(
        fromImageSourceAuxiliaryDataType: kind, dictionaryRepresentation: info)
      #expect(matte.matteType == type && Kind(rawValue: type.rawValue) == type)
    }
  }

  @Test func `what is no matte is an error`() throws {
    let good = try #require(
      Self.portrait(Self.pixels(5, 3)).dictionaryRepresentation(forAuxiliaryDataType: nil))
    for change: (inout [AnyHashable: Any]) -> Void in [
      { $0[kCGImageAuxiliaryDataInfoData] = nil }, { $0[kCGImageAuxiliaryDataInfoData] = Data(count: 14) },
      { $0[kCGImageAuxiliaryDataInfoDataDescription] = nil },
      { $0[kCGImageAuxiliaryDataInfoDataDescription] = ["Width": 5, "Height": 3] as [String: Any] },
    ] {
      var bad = good as [AnyHashable: Any]
      change(&bad)
      #expect(throws: AVError.self) { try AVPortraitEffectsMatte(fromDictionaryRepresentation: bad) }
    }
    #expect(throws: AVError.self) {
      try AVSemanticSegmentationMatte(
        fromImageSourceAuxiliaryDataType: kCGImageAuxiliaryDataTypeDepth, dictionaryRepresentation: good)
    }
    let wrong = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 2, height: 2)
    #expect(throws: AVError.self) {
      try Self.portrait(Self.pixels(5, 3)).replacingPortraitEffectsMatte(with: wrong)
    }
  }
}
