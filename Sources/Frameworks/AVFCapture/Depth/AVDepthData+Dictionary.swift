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
    func malformed(_ reason: String) -> AVError {
      AVError(
        .unknown,
        because:
          "The dictionary holds no depth map: \(reason); make one as CGImageSourceCopyAuxiliaryDataInfoAtIndex does."
      )
    }
    guard let data = dictionary[kCGImageAuxiliaryDataInfoData] as? Data else {
      throw malformed("there are no data")
    }
    guard let description = dictionary[kCGImageAuxiliaryDataInfoDataDescription] as? [AnyHashable: Any],
      let width = LooseNumber.integer(description[kCGImagePropertyWidth]), (1...32768).contains(width),
      let height = LooseNumber.integer(description[kCGImagePropertyHeight]), (1...32768).contains(height),
      let type = LooseNumber.code(description[kCGImagePropertyPixelFormat]), let format = DepthFormat(type)
    else { throw malformed("the data's description names no size and pixel format of distances") }
    let row = width * (format.isHalf ? 2 : 4)
    let bytesPerRow = LooseNumber.integer(description[kCGImagePropertyBytesPerRow]) ?? row
    guard (row...1 << 20).contains(bytesPerRow), data.count >= bytesPerRow * (height - 1) + row else {
      throw malformed("there are fewer data than the description says")
    }
    guard let map = DepthMap.buffer(width: width, height: height, type) else {
      throw AVError(.outOfMemory, because: "There is no memory for the depth map.")
    }
    for (index, plane) in (0..<height).map({ ($0, map.planes[0]) }) {
      let start = data.startIndex + index * bytesPerRow
      plane.row(index).copyBytes(from: data[start..<start + row])
    }
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
      CVPixelBufferLockBaseAddress(depthDataMap, .readOnly) == kCVReturnSuccess
    else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(depthDataMap, .readOnly) }
    let (width, height) = (depthDataMap.width, depthDataMap.height)
    let row = width * (format.isHalf ? 2 : 4)
    guard let plane = depthDataMap.planes.first else { return nil }
    var data = Data(capacity: row * height)
    for index in 0..<height { data.append(contentsOf: plane.row(index).prefix(row)) }
    let metadata = DepthMetadata()
    metadata.set("Quality", depthDataQuality == .high ? "high" : "low")
    metadata.set("Accuracy", depthDataAccuracy == .absolute ? "absolute" : "relative")
    metadata.set("Filtered", isDepthDataFiltered ? "True" : "False")
    cameraCalibrationData?.write(to: metadata)
    let type =
      format.quantity == .depth ? kCGImageAuxiliaryDataTypeDepth : kCGImageAuxiliaryDataTypeDisparity
    outAuxDataType?.pointee = NSString(string: type)
    let description: [String: Any] = [
      kCGImagePropertyWidth: NSNumber(value: width), kCGImagePropertyHeight: NSNumber(value: height),
      kCGImagePropertyBytesPerRow: NSNumber(value: row),
      kCGImagePropertyPixelFormat: NSNumber(value: depthDataType),
    ]
    return [
      kCGImageAuxiliaryDataInfoData: data, kCGImageAuxiliaryDataInfoDataDescription: description,
      kCGImageAuxiliaryDataInfoMetadata: metadata.image,
    ]
  }
}
