internal import CoreVideo
internal import Foundation
internal import ImageIO
internal import PhotoProcessing

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
