internal import AVFCore
internal import CoreVideo
internal import DepthMaps
public import Foundation
public import FoundationExtras
internal import ImageIO

extension AVDepthData {
  /// A map of what a picture file holds beside its picture.
  ///
  /// What the metadata do not say is not claimed: without them the map is unfiltered, relative, and of an unknown camera.
  ///
  /// - Parameter imageSourceAuxDataInfoDictionary: What `CGImageSourceCopyAuxiliaryDataInfoAtIndex` returns for depth or disparity, or
  ///   made like that.
  /// - Throws: ``AVError`` with `unknown` for pixels that are no distances, or do not fit their description; Apple names no code.
  ///
  /// Apple: `AVDepthData.init(fromDictionaryRepresentation:)`.
  public convenience init(
    fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]
  ) throws {
    let dictionary = imageSourceAuxDataInfoDictionary
    let pixels = try AuxiliaryPixels(
      dictionary, noun: "depth map", kind: "pixel format of distances",
      bytes: { DepthFormat($0).map { $0.isHalf ? 2 : 4 } })
    guard let map = DepthMap.buffer(width: pixels.width, height: pixels.height, pixels.format) else {
      throw AVError(.outOfMemory, because: "There is no memory for the depth map.")
    }
    pixels.copy(to: map)
    let metadata = (dictionary[kCGImageAuxiliaryDataInfoMetadata] as? CGImageMetadata).flatMap {
      DepthMetadata($0)
    }
    let isFiltered = metadata?.text("Filtered")?.lowercased() == "true"
    // Of a filtered map the files say how much of it was measured, and no more than that.
    let share: Double? =
      switch metadata?.text("Quality") {
      case "high": 1
      case "low": 0
      default: nil
      }
    self.init(
      map: map, isFiltered: isFiltered,
      accuracy: metadata?.text("Accuracy") == "absolute" ? .absolute : .relative, measuredShare: share,
      calibration: metadata.flatMap { AVCameraCalibrationData($0) })
  }

  /// What a picture file can hold of the map, for `CGImageDestinationAddAuxiliaryDataInfo`.
  ///
  /// The pixels are copied as they are; a file stores them in steps, and fills holes. The camera is said in the metadata.
  ///
  /// - Parameter outAuxDataType: Gets `kCGImageAuxiliaryDataTypeDepth` or `…Disparity`.
  /// - Returns: `nil` when the map's memory cannot be had any more.
  /// - Note: Unlike AVFoundation, the keys are `String`, so that the result is a `CFDictionary`; where `[AnyHashable: Any]` is expected it
  ///   becomes one unasked.
  ///
  /// Apple: `AVDepthData.dictionaryRepresentation(forAuxiliaryDataType:)`.
  public func dictionaryRepresentation(
    forAuxiliaryDataType outAuxDataType: AutoreleasingUnsafeMutablePointer<NSString?>?
  ) -> [String: Any]? {
    guard let format = DepthFormat(depthDataType),
      let pixels = AuxiliaryPixels.dictionary(of: depthDataMap, bytesPerPixel: format.isHalf ? 2 : 4)
    else { return nil }
    let metadata = DepthMetadata()
    metadata.set("Quality", depthDataQuality == .high ? "high" : "low")
    metadata.set("Accuracy", depthDataAccuracy == .absolute ? "absolute" : "relative")
    metadata.set("Filtered", isDepthDataFiltered ? "True" : "False")
    cameraCalibrationData?.write(to: metadata)
    let type =
      format.quantity == .depth ? kCGImageAuxiliaryDataTypeDepth : kCGImageAuxiliaryDataTypeDisparity
    outAuxDataType?.pointee = NSString(string: type)
    return pixels.merging([kCGImageAuxiliaryDataInfoMetadata: metadata.image]) { own, _ in own }
  }
}
