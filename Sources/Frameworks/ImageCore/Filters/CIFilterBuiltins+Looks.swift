public import Foundation

/// The inputs of `CIHighlightShadowAdjust`.
///
/// Apple: `CIHighlightShadowAdjust`.
public protocol CIHighlightShadowAdjust: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIHighlightShadowAdjust.inputImage`.
  var inputImage: CIImage? { get set }
  /// How far around a pixel its surroundings reach, in pixels; 0 looks at nothing but the pixel: `inputRadius`.
  ///
  /// Apple: `CIHighlightShadowAdjust.radius`.
  var radius: Float { get set }
  /// How much lighter shadows become, -1 to 1; 0 changes nothing: `inputShadowAmount`.
  ///
  /// Apple: `CIHighlightShadowAdjust.shadowAmount`.
  var shadowAmount: Float { get set }
  /// How light highlights stay, 0 to 1; 1 changes nothing: `inputHighlightAmount`.
  ///
  /// Apple: `CIHighlightShadowAdjust.highlightAmount`.
  var highlightAmount: Float { get set }
}

/// The inputs of `CIThermal`.
///
/// Apple: `CIThermal`.
public protocol CIThermal: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIThermal.inputImage`.
  var inputImage: CIImage? { get set }
}

/// The inputs of `CIXRay`.
///
/// Apple: `CIXRay`.
public protocol CIXRay: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIXRay.inputImage`.
  var inputImage: CIImage? { get set }
}

/// The inputs of `CIComicEffect`.
///
/// Apple: `CIComicEffect`.
public protocol CIComicEffect: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIComicEffect.inputImage`.
  var inputImage: CIImage? { get set }
}

/// The inputs of `CIGlassDistortion`.
///
/// Apple: `CIGlassDistortion`.
public protocol CIGlassDistortion: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIGlassDistortion.inputImage`.
  var inputImage: CIImage? { get set }
  /// The relief of the glass: the brighter, the higher; it repeats without end: `inputTexture`.
  ///
  /// Apple: `CIGlassDistortion.textureImage`.
  var textureImage: CIImage? { get set }
  /// Where the middle of the relief lies, in pixels: `inputCenter`.
  ///
  /// Apple: `CIGlassDistortion.center`.
  var center: CGPoint { get set }
  /// How strongly the relief bends; 0 is not at all: `inputScale`.
  ///
  /// Apple: `CIGlassDistortion.scale`.
  var scale: Float { get set }
}

/// The inputs that filters have which make few pixels of a part of an image.
///
/// Apple: `CIAreaReductionFilter`.
public protocol CIAreaReductionFilter: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIAreaReductionFilter.inputImage`.
  var inputImage: CIImage? { get set }
  /// The part of the image, in pixels: `inputExtent`.
  ///
  /// Apple: `CIAreaReductionFilter.extent`.
  var extent: CGRect { get set }
}

/// The inputs of `CIAreaHistogram`.
///
/// Apple: `CIAreaHistogram`.
public protocol CIAreaHistogram: CIAreaReductionFilter {
  /// What the shares of each colour add up to: `inputScale`.
  ///
  /// Apple: `CIAreaHistogram.scale`.
  var scale: Float { get set }
  /// How many steps brightness has, 1 to 2048: the width of the output: `inputCount`.
  ///
  /// Apple: `CIAreaHistogram.count`.
  var count: Int { get set }
}

extension CIFilter {
  /// `CIHighlightShadowAdjust` with its standard values.
  ///
  /// The surroundings' edges stay where they are, so that nothing glows beside them.
  /// Apple: `CIFilter.highlightShadowAdjust()`.
  public class func highlightShadowAdjust() -> any CIFilter & CIHighlightShadowAdjust {
    HighlightShadowAdjustFilter(.named("CIHighlightShadowAdjust"))
  }

  /// `CIThermal` with its standard values: from blue for the dark by red to yellow for the bright.
  ///
  /// Apple: `CIFilter.thermal()`.
  public class func thermal() -> any CIFilter & CIThermal { ThermalFilter(.named("CIThermal")) }

  /// `CIXRay` with its standard values: a negative in the blue of sheets on a light box.
  ///
  /// Apple: `CIFilter.xRay()`.
  public class func xRay() -> any CIFilter & CIXRay { XRayFilter(.named("CIXRay")) }

  /// `CIComicEffect` with its standard values: outlines, and colours of few levels with dots between them.
  ///
  /// Apple: `CIFilter.comicEffect()`.
  public class func comicEffect() -> any CIFilter & CIComicEffect {
    ComicEffectFilter(.named("CIComicEffect"))
  }

  /// `CIGlassDistortion` with its standard values.
  ///
  /// Apple: `CIFilter.glassDistortion()`.
  public class func glassDistortion() -> any CIFilter & CIGlassDistortion {
    GlassDistortionFilter(.named("CIGlassDistortion"))
  }

  /// `CIAreaHistogram` with its standard values: a row of pixels, each the share of the image in one step of brightness.
  ///
  /// Working numbers are counted, times alpha; render with the color space `nil` to read the shares as they are. Cost: one pass over
  /// the part of the image for each 256 steps.
  ///
  /// - Note: Unlike Core Image, alpha is not counted: it is 1 in all of the row.
  ///
  /// Apple: `CIFilter.areaHistogram()`.
  public class func areaHistogram() -> any CIFilter & CIAreaHistogram {
    AreaHistogramFilter(.named("CIAreaHistogram"))
  }
}

final class HighlightShadowAdjustFilter: CIFilter, CIHighlightShadowAdjust {}
final class ThermalFilter: CIFilter, CIThermal {}
final class XRayFilter: CIFilter, CIXRay {}
final class ComicEffectFilter: CIFilter, CIComicEffect {}
final class GlassDistortionFilter: CIFilter, CIGlassDistortion {}
final class AreaHistogramFilter: CIFilter, CIAreaHistogram {}
