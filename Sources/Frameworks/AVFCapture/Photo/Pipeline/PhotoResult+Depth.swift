internal import CaptureDevice
internal import CameraFrames
internal import CoreVideo
internal import Foundation
internal import ImageIO
internal import PhotoProcessing
internal import PixelTransforms

extension PhotoResult {
  /// Adds depth to the photo, and to its file where that is wanted and can be.
  ///
  /// A photo is none the worse for depth that its file could not take.
  mutating func add(_ depth: AVDepthData, isEmbedded: Bool) {
    depthData = depth
    guard isEmbedded, let file else { return }
    do {
      self.file = try depth.embedded(in: file)
      isDepthEmbedded = true
    } catch {
      Log.note("A photo's file holds no depth: \(error)")
    }
  }
}

extension PhotoResult {
  /// Adds the matte of the people to the photo, and to its file where that is wanted and can be.
  mutating func add(_ matte: AVPortraitEffectsMatte, isEmbedded: Bool) {
    portraitMatte = matte
    guard isEmbedded, let file else { return }
    do {
      self.file = try matte.embedded(in: file)
      isMatteEmbedded = true
    } catch {
      Log.note("A photo's file holds no matte: \(error)")
    }
  }
}

extension PhotoResult {
  /// Adds mattes of parts of the people to the photo, and to its file where that is wanted and can be: all or none.
  mutating func add(_ mattes: [AVSemanticSegmentationMatte], isEmbedded: Bool) {
    partMattes = mattes
    guard isEmbedded, !mattes.isEmpty, let file else { return }
    do {
      self.file = try mattes.reduce(file) { try $1.embedded(in: $0) }
      arePartMattesEmbedded = true
    } catch {
      Log.note("A photo's file holds no mattes: \(error)")
    }
  }
}

extension AVPortraitEffectsMatte {
  /// A picture file with this matte beside its picture, in the place of any other.
  func embedded(in file: Data) throws -> Data {
    let kind = kCGImageAuxiliaryDataTypePortraitEffectsMatte
    guard let info = dictionaryRepresentation(forAuxiliaryDataType: nil) else { return file }
    return try AuxiliaryFile.replaceMatte(kind, in: file, with: info)
  }
}

extension AVSemanticSegmentationMatte {
  /// A picture file with this matte beside its picture, in the place of any other of its kind.
  func embedded(in file: Data) throws -> Data {
    guard let kind = MatteType.kinds[matteType],
      let info = dictionaryRepresentation(forAuxiliaryDataType: nil)
    else { return file }
    return try AuxiliaryFile.replaceMatte(kind, in: file, with: info)
  }
}

extension AVCameraCalibrationData {
  /// The camera of a photo's picture, as the photo shows it; `nil` where nothing is known of its lens.
  ///
  /// - Parameter size: The still, before it is cut.
  static func of(_ request: PhotoProcessingRequest, _ size: FrameSize) -> AVCameraCalibrationData? {
    guard let controls = request.frame?.controls else { return nil }
    let (lens, enlargement) = request.camera.lenses.lens(for: controls)
    let shown = request.shape?.size(in: size) ?? size
    return lens.map { lens in
      AVCameraCalibrationData(
        lens: lens, enlargement: enlargement * max(request.enlargement, 1),
        isCorrected: controls.isDistortionCorrected, size: size
      ).middle(PixelSize(width: shown.width, height: shown.height))
        .turned(by: request.turn.rawValue, isMirrored: false)
    }
  }
}

extension AVDepthData {
  /// A picture file with this depth beside its picture, in the place of any other.
  func embedded(in file: Data) throws -> Data {
    // Pictures have disparity: its steps are fine where things are near.
    let disparity =
      depthDataType == kCVPixelFormatType_DepthFloat16
      ? converting(toDepthDataType: kCVPixelFormatType_DisparityFloat16)
      : depthDataType == kCVPixelFormatType_DepthFloat32
        ? converting(toDepthDataType: kCVPixelFormatType_DisparityFloat32) : self
    var type: NSString?
    guard let info = disparity.dictionaryRepresentation(forAuxiliaryDataType: &type), let type else {
      return file
    }
    return try AuxiliaryFile.replaceDepth(in: file, with: (String(describing: type), info))
  }
}
