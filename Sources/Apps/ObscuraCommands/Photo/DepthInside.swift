internal import AVFoundation
internal import Foundation
internal import FoundationExtras
internal import ImageIO

/// The depth map inside a picture file.
enum DepthInside {
  /// Its size; `nil` where the file has none.
  static func size(in file: Data) -> PhotoAnswer.Size? {
    guard let source = CGImageSourceCreateWithData(file as CFData, nil),
      let info = CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeDisparity)
        ?? CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeDepth),
      let description = info[kCGImageAuxiliaryDataInfoDataDescription] as? CFDictionary,
      let width = LooseNumber.integer(description["Width"]),
      let height = LooseNumber.integer(description["Height"])
    else { return nil }
    return PhotoAnswer.Size(width: width, height: height)
  }
}
