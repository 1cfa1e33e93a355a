public import ImageCore

extension CIImage {
  /// The depth map as a gray image, whose values are the map's: metres, or 1/metres.
  ///
  /// 1 is white, so scale the values to 0…1 before you show them, for example with `CIFilter.colorMatrix()`. Unknown values are 0.
  /// The map is not copied.
  ///
  /// - Parameter options: As of `init(cvPixelBuffer:options:)`.
  ///
  /// Apple: `CIImage.init(depthData:options:)`.
  public convenience init?(depthData: AVDepthData, options: [CIImageOption: Any]? = nil) {
    self.init(cvPixelBuffer: depthData.depthDataMap, options: options)
  }

  /// The depth map as a gray image; see ``init(depthData:options:)``.
  ///
  /// Apple: `CIImage.init(depthData:)`.
  public convenience init?(depthData: AVDepthData) {
    self.init(depthData: depthData, options: nil)
  }
}
