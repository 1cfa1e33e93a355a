public import Foundation

/// The inputs of `CIGaussianBlur`.
///
/// Apple: `CIGaussianBlur`.
public protocol CIGaussianBlur: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIGaussianBlur.inputImage`.
  var inputImage: CIImage? { get set }
  /// The standard deviation of Gauss's curve, in pixels: `inputRadius`.
  ///
  /// Apple: `CIGaussianBlur.radius`.
  var radius: Float { get set }
}

/// The inputs of `CIBoxBlur`.
///
/// Apple: `CIBoxBlur`.
public protocol CIBoxBlur: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIBoxBlur.inputImage`.
  var inputImage: CIImage? { get set }
  /// How far it reaches, in pixels: `inputRadius`.
  ///
  /// Apple: `CIBoxBlur.radius`.
  var radius: Float { get set }
}

/// The inputs of `CIBloom`.
///
/// Apple: `CIBloom`.
public protocol CIBloom: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIBloom.inputImage`.
  var inputImage: CIImage? { get set }
  /// How far it reaches, in pixels: `inputRadius`.
  ///
  /// Apple: `CIBloom.radius`.
  var radius: Float { get set }
  /// How strong it is; 0 is not at all: `inputIntensity`.
  ///
  /// Apple: `CIBloom.intensity`.
  var intensity: Float { get set }
}

/// The inputs of `CIUnsharpMask`.
///
/// Apple: `CIUnsharpMask`.
public protocol CIUnsharpMask: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIUnsharpMask.inputImage`.
  var inputImage: CIImage? { get set }
  /// How far it reaches, in pixels: `inputRadius`.
  ///
  /// Apple: `CIUnsharpMask.radius`.
  var radius: Float { get set }
  /// How strong it is; 0 is not at all: `inputIntensity`.
  ///
  /// Apple: `CIUnsharpMask.intensity`.
  var intensity: Float { get set }
}

/// The inputs of `CIEdges`.
///
/// Apple: `CIEdges`.
public protocol CIEdges: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIEdges.inputImage`.
  var inputImage: CIImage? { get set }
  /// How strong it is; 0 is not at all: `inputIntensity`.
  ///
  /// Apple: `CIEdges.intensity`.
  var intensity: Float { get set }
}

/// The inputs of `CIVignette`.
///
/// Apple: `CIVignette`.
public protocol CIVignette: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIVignette.inputImage`.
  var inputImage: CIImage? { get set }
  /// How far the middle stays bright, 0 to 2, in parts of the picture: `inputRadius`.
  ///
  /// Apple: `CIVignette.radius`.
  var radius: Float { get set }
  /// How dark the corners become, -1 to 1; 0 changes nothing: `inputIntensity`.
  ///
  /// Apple: `CIVignette.intensity`.
  var intensity: Float { get set }
}

/// The inputs of `CIVignetteEffect`.
///
/// Apple: `CIVignetteEffect`.
public protocol CIVignetteEffect: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIVignetteEffect.inputImage`.
  var inputImage: CIImage? { get set }
  /// Its middle, in pixels from the origin of the image's space: `inputCenter`.
  ///
  /// Apple: `CIVignetteEffect.center`.
  var center: CGPoint { get set }
  /// How far it reaches, in pixels: `inputRadius`.
  ///
  /// Apple: `CIVignetteEffect.radius`.
  var radius: Float { get set }
  /// How dark the outside becomes, -1 to 1; 0 changes nothing: `inputIntensity`.
  ///
  /// Apple: `CIVignetteEffect.intensity`.
  var intensity: Float { get set }
  /// How soon it fades, 0 to 1: `inputFalloff`.
  ///
  /// Apple: `CIVignetteEffect.falloff`.
  var falloff: Float { get set }
}

/// The inputs of `CIAreaAverage`.
///
/// Apple: `CIAreaAverage`.
public protocol CIAreaAverage: CIAreaReductionFilter {}

extension CIFilter {
  /// `CIGaussianBlur` with its standard values.
  ///
  /// Apple: `CIFilter.gaussianBlur()`.
  public class func gaussianBlur() -> any CIFilter & CIGaussianBlur {
    GaussianBlurFilter(.named("CIGaussianBlur"))
  }

  /// `CIBoxBlur` with its standard values.
  ///
  /// Apple: `CIFilter.boxBlur()`.
  public class func boxBlur() -> any CIFilter & CIBoxBlur { BoxBlurFilter(.named("CIBoxBlur")) }

  /// `CIBloom` with its standard values.
  ///
  /// Apple: `CIFilter.bloom()`.
  public class func bloom() -> any CIFilter & CIBloom { BloomFilter(.named("CIBloom")) }

  /// `CIUnsharpMask` with its standard values.
  ///
  /// Apple: `CIFilter.unsharpMask()`.
  public class func unsharpMask() -> any CIFilter & CIUnsharpMask {
    UnsharpMaskFilter(.named("CIUnsharpMask"))
  }

  /// `CIEdges` with its standard values.
  ///
  /// Apple: `CIFilter.edges()`.
  public class func edges() -> any CIFilter & CIEdges { EdgesFilter(.named("CIEdges")) }

  /// `CIVignette` with its standard values.
  ///
  /// Apple: `CIFilter.vignette()`.
  public class func vignette() -> any CIFilter & CIVignette { VignetteFilter(.named("CIVignette")) }

  /// `CIVignetteEffect` with its standard values.
  ///
  /// Apple: `CIFilter.vignetteEffect()`.
  public class func vignetteEffect() -> any CIFilter & CIVignetteEffect {
    VignetteEffectFilter(.named("CIVignetteEffect"))
  }

  /// `CIAreaAverage` with its standard values.
  ///
  /// Apple: `CIFilter.areaAverage()`.
  public class func areaAverage() -> any CIFilter & CIAreaAverage {
    AreaAverageFilter(.named("CIAreaAverage"))
  }
}

final class GaussianBlurFilter: CIFilter, CIGaussianBlur {}
final class BoxBlurFilter: CIFilter, CIBoxBlur {}
final class BloomFilter: CIFilter, CIBloom {}
final class UnsharpMaskFilter: CIFilter, CIUnsharpMask {}
final class EdgesFilter: CIFilter, CIEdges {}
final class VignetteFilter: CIFilter, CIVignette {}
final class VignetteEffectFilter: CIFilter, CIVignetteEffect {}
final class AreaAverageFilter: CIFilter, CIAreaAverage {}
