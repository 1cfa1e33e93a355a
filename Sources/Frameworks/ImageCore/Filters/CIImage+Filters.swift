internal import Foundation
internal import GraphicsCore

extension CIImage {
  /// The output of a filter of that name whose `inputImage` is this image; an image without pixels where there is none.
  ///
  /// - Parameter params: The filter's other inputs.
  ///
  /// Apple: `CIImage.applyingFilter(_:parameters:)`.
  public func applyingFilter(_ filterName: String, parameters params: [String: Any]) -> CIImage {
    guard let filter = CIFilter(name: filterName, parameters: params) else { return CIImage() }
    filter.setValue(self, forKey: kCIInputImageKey)
    return filter.outputImage ?? CIImage()
  }

  /// The output of a filter of that name whose `inputImage` is this image, its other inputs as they are unless set.
  ///
  /// Apple: `CIImage.applyingFilter(_:)`.
  public func applyingFilter(_ filterName: String) -> CIImage {
    applyingFilter(filterName, parameters: [:])
  }

  /// The image, blurred by Gauss's curve; its edges go over into nothing, for which the extent grows.
  ///
  /// - Parameter sigma: The curve's standard deviation, in pixels; an image blurred by 0 or less is itself, and 500 the most.
  ///
  /// Apple: `CIImage.applyingGaussianBlur(sigma:)`.
  public func applyingGaussianBlur(sigma: Double) -> CIImage {
    guard sigma > 0, !extent.isNull else { return self }
    let sigma = min(sigma, 500)
    let blur: any PictureWork =
      sigma < WideBlurWork.narrowest ? BlurWork(recipe, sigma: sigma) : WideBlurWork(recipe, sigma: sigma)
    return changed(.work(blur, extent: extent.grown(by: (3 * sigma).rounded(.up))))
  }
}
