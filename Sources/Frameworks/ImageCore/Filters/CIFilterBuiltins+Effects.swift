/// The inputs of `CIColorInvert`.
///
/// Apple: `CIColorInvert`.
public protocol CIColorInvert: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIColorInvert.inputImage`.
  var inputImage: CIImage? { get set }
}

/// The inputs of `CISepiaTone`.
///
/// Apple: `CISepiaTone`.
public protocol CISepiaTone: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CISepiaTone.inputImage`.
  var inputImage: CIImage? { get set }
  /// How strong it is; 0 is not at all: `inputIntensity`.
  ///
  /// Apple: `CISepiaTone.intensity`.
  var intensity: Float { get set }
}

/// The inputs of `CIColorMonochrome`.
///
/// Apple: `CIColorMonochrome`.
public protocol CIColorMonochrome: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIColorMonochrome.inputImage`.
  var inputImage: CIImage? { get set }
  /// The colour: `inputColor`.
  ///
  /// Apple: `CIColorMonochrome.color`.
  var color: CIColor { get set }
  /// How strong it is; 0 is not at all: `inputIntensity`.
  ///
  /// Apple: `CIColorMonochrome.intensity`.
  var intensity: Float { get set }
}

/// The inputs of `CIFalseColor`.
///
/// Apple: `CIFalseColor`.
public protocol CIFalseColor: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIFalseColor.inputImage`.
  var inputImage: CIImage? { get set }
  /// The first colour: `inputColor0`.
  ///
  /// Apple: `CIFalseColor.color0`.
  var color0: CIColor { get set }
  /// The second colour: `inputColor1`.
  ///
  /// Apple: `CIFalseColor.color1`.
  var color1: CIColor { get set }
}

/// The inputs of `CIColorPosterize`.
///
/// Apple: `CIColorPosterize`.
public protocol CIColorPosterize: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIColorPosterize.inputImage`.
  var inputImage: CIImage? { get set }
  /// How many levels each colour keeps: `inputLevels`.
  ///
  /// Apple: `CIColorPosterize.levels`.
  var levels: Float { get set }
}

/// The inputs of `CIMaximumComponent`.
///
/// Apple: `CIMaximumComponent`.
public protocol CIMaximumComponent: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIMaximumComponent.inputImage`.
  var inputImage: CIImage? { get set }
}

/// The inputs of `CIMinimumComponent`.
///
/// Apple: `CIMinimumComponent`.
public protocol CIMinimumComponent: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIMinimumComponent.inputImage`.
  var inputImage: CIImage? { get set }
}

/// The inputs of `CIMaskToAlpha`.
///
/// Apple: `CIMaskToAlpha`.
public protocol CIMaskToAlpha: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIMaskToAlpha.inputImage`.
  var inputImage: CIImage? { get set }
}

/// The inputs of `CIPhotoEffectMono`.
///
/// Apple: `CIPhotoEffect`.
public protocol CIPhotoEffect: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIPhotoEffect.inputImage`.
  var inputImage: CIImage? { get set }
}

extension CIFilter {
  /// `CIColorInvert` with its standard values.
  ///
  /// Apple: `CIFilter.colorInvert()`.
  public class func colorInvert() -> any CIFilter & CIColorInvert {
    ColorInvertFilter(.named("CIColorInvert"))
  }

  /// `CISepiaTone` with its standard values.
  ///
  /// Apple: `CIFilter.sepiaTone()`.
  public class func sepiaTone() -> any CIFilter & CISepiaTone { SepiaToneFilter(.named("CISepiaTone")) }

  /// `CIColorMonochrome` with its standard values.
  ///
  /// Apple: `CIFilter.colorMonochrome()`.
  public class func colorMonochrome() -> any CIFilter & CIColorMonochrome {
    ColorMonochromeFilter(.named("CIColorMonochrome"))
  }

  /// `CIFalseColor` with its standard values.
  ///
  /// Apple: `CIFilter.falseColor()`.
  public class func falseColor() -> any CIFilter & CIFalseColor { FalseColorFilter(.named("CIFalseColor")) }

  /// `CIColorPosterize` with its standard values.
  ///
  /// Apple: `CIFilter.colorPosterize()`.
  public class func colorPosterize() -> any CIFilter & CIColorPosterize {
    ColorPosterizeFilter(.named("CIColorPosterize"))
  }

  /// `CIMaximumComponent` with its standard values.
  ///
  /// Apple: `CIFilter.maximumComponent()`.
  public class func maximumComponent() -> any CIFilter & CIMaximumComponent {
    MaximumComponentFilter(.named("CIMaximumComponent"))
  }

  /// `CIMinimumComponent` with its standard values.
  ///
  /// Apple: `CIFilter.minimumComponent()`.
  public class func minimumComponent() -> any CIFilter & CIMinimumComponent {
    MinimumComponentFilter(.named("CIMinimumComponent"))
  }

  /// `CIMaskToAlpha` with its standard values.
  ///
  /// Apple: `CIFilter.maskToAlpha()`.
  public class func maskToAlpha() -> any CIFilter & CIMaskToAlpha {
    MaskToAlphaFilter(.named("CIMaskToAlpha"))
  }

  /// `CIPhotoEffectMono` with its standard values.
  ///
  /// Apple: `CIFilter.photoEffectMono()`.
  public class func photoEffectMono() -> any CIFilter & CIPhotoEffect {
    PhotoEffectFilter(.named("CIPhotoEffectMono"))
  }

  /// `CIPhotoEffectTonal` with its standard values.
  ///
  /// Apple: `CIFilter.photoEffectTonal()`.
  public class func photoEffectTonal() -> any CIFilter & CIPhotoEffect {
    PhotoEffectFilter(.named("CIPhotoEffectTonal"))
  }

  /// `CIPhotoEffectNoir` with its standard values.
  ///
  /// Apple: `CIFilter.photoEffectNoir()`.
  public class func photoEffectNoir() -> any CIFilter & CIPhotoEffect {
    PhotoEffectFilter(.named("CIPhotoEffectNoir"))
  }

  /// `CIPhotoEffectFade` with its standard values.
  ///
  /// Apple: `CIFilter.photoEffectFade()`.
  public class func photoEffectFade() -> any CIFilter & CIPhotoEffect {
    PhotoEffectFilter(.named("CIPhotoEffectFade"))
  }

  /// `CIPhotoEffectChrome` with its standard values.
  ///
  /// Apple: `CIFilter.photoEffectChrome()`.
  public class func photoEffectChrome() -> any CIFilter & CIPhotoEffect {
    PhotoEffectFilter(.named("CIPhotoEffectChrome"))
  }

  /// `CIPhotoEffectProcess` with its standard values.
  ///
  /// Apple: `CIFilter.photoEffectProcess()`.
  public class func photoEffectProcess() -> any CIFilter & CIPhotoEffect {
    PhotoEffectFilter(.named("CIPhotoEffectProcess"))
  }

  /// `CIPhotoEffectTransfer` with its standard values.
  ///
  /// Apple: `CIFilter.photoEffectTransfer()`.
  public class func photoEffectTransfer() -> any CIFilter & CIPhotoEffect {
    PhotoEffectFilter(.named("CIPhotoEffectTransfer"))
  }

  /// `CIPhotoEffectInstant` with its standard values.
  ///
  /// Apple: `CIFilter.photoEffectInstant()`.
  public class func photoEffectInstant() -> any CIFilter & CIPhotoEffect {
    PhotoEffectFilter(.named("CIPhotoEffectInstant"))
  }
}

final class ColorInvertFilter: CIFilter, CIColorInvert {}
final class SepiaToneFilter: CIFilter, CISepiaTone {}
final class ColorMonochromeFilter: CIFilter, CIColorMonochrome {}
final class FalseColorFilter: CIFilter, CIFalseColor {}
final class ColorPosterizeFilter: CIFilter, CIColorPosterize {}
final class MaximumComponentFilter: CIFilter, CIMaximumComponent {}
final class MinimumComponentFilter: CIFilter, CIMinimumComponent {}
final class MaskToAlphaFilter: CIFilter, CIMaskToAlpha {}
final class PhotoEffectFilter: CIFilter, CIPhotoEffect {}
