public import Foundation

/// The inputs of `CIColorControls`.
///
/// Apple: `CIColorControls`.
public protocol CIColorControls: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIColorControls.inputImage`.
  var inputImage: CIImage? { get set }
  /// A factor; 0 is gray, 1 changes nothing: `inputSaturation`.
  ///
  /// Apple: `CIColorControls.saturation`.
  var saturation: Float { get set }
  /// What is added, -1 to 1: `inputBrightness`.
  ///
  /// Apple: `CIColorControls.brightness`.
  var brightness: Float { get set }
  /// A factor; 1 changes nothing: `inputContrast`.
  ///
  /// Apple: `CIColorControls.contrast`.
  var contrast: Float { get set }
}

/// The inputs of `CIExposureAdjust`.
///
/// Apple: `CIExposureAdjust`.
public protocol CIExposureAdjust: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIExposureAdjust.inputImage`.
  var inputImage: CIImage? { get set }
  /// Stops; 1 doubles the light: `inputEV`.
  ///
  /// Apple: `CIExposureAdjust.ev`.
  var ev: Float { get set }
}

/// The inputs of `CIGammaAdjust`.
///
/// Apple: `CIGammaAdjust`.
public protocol CIGammaAdjust: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIGammaAdjust.inputImage`.
  var inputImage: CIImage? { get set }
  /// The exponent; 1 changes nothing: `inputPower`.
  ///
  /// Apple: `CIGammaAdjust.power`.
  var power: Float { get set }
}

/// The inputs of `CIHueAdjust`.
///
/// Apple: `CIHueAdjust`.
public protocol CIHueAdjust: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIHueAdjust.inputImage`.
  var inputImage: CIImage? { get set }
  /// In radians: `inputAngle`.
  ///
  /// Apple: `CIHueAdjust.angle`.
  var angle: Float { get set }
}

/// The inputs of `CIVibrance`.
///
/// Apple: `CIVibrance`.
public protocol CIVibrance: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIVibrance.inputImage`.
  var inputImage: CIImage? { get set }
  /// How much, -1 to 1; 0 changes nothing: `inputAmount`.
  ///
  /// Apple: `CIVibrance.amount`.
  var amount: Float { get set }
}

/// The inputs of `CIColorMatrix`.
///
/// Apple: `CIColorMatrix`.
public protocol CIColorMatrix: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIColorMatrix.inputImage`.
  var inputImage: CIImage? { get set }
  /// What red is made of: factors of red, green, blue and alpha: `inputRVector`.
  ///
  /// Apple: `CIColorMatrix.rVector`.
  var rVector: CIVector { get set }
  /// What green is made of: factors of red, green, blue and alpha: `inputGVector`.
  ///
  /// Apple: `CIColorMatrix.gVector`.
  var gVector: CIVector { get set }
  /// What blue is made of: factors of red, green, blue and alpha: `inputBVector`.
  ///
  /// Apple: `CIColorMatrix.bVector`.
  var bVector: CIVector { get set }
  /// What alpha is made of: factors of red, green, blue and alpha: `inputAVector`.
  ///
  /// Apple: `CIColorMatrix.aVector`.
  var aVector: CIVector { get set }
  /// What is added to red, green, blue and alpha: `inputBiasVector`.
  ///
  /// Apple: `CIColorMatrix.biasVector`.
  var biasVector: CIVector { get set }
}

/// The inputs of `CIColorClamp`.
///
/// Apple: `CIColorClamp`.
public protocol CIColorClamp: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIColorClamp.inputImage`.
  var inputImage: CIImage? { get set }
  /// The least red, green, blue and alpha, 0 to 1: `inputMinComponents`.
  ///
  /// Apple: `CIColorClamp.minComponents`.
  var minComponents: CIVector { get set }
  /// The greatest red, green, blue and alpha, 0 to 1: `inputMaxComponents`.
  ///
  /// Apple: `CIColorClamp.maxComponents`.
  var maxComponents: CIVector { get set }
}

/// The inputs of `CIWhitePointAdjust`.
///
/// Apple: `CIWhitePointAdjust`.
public protocol CIWhitePointAdjust: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIWhitePointAdjust.inputImage`.
  var inputImage: CIImage? { get set }
  /// The colour: `inputColor`.
  ///
  /// Apple: `CIWhitePointAdjust.color`.
  var color: CIColor { get set }
}

/// The inputs of `CITemperatureAndTint`.
///
/// Apple: `CITemperatureAndTint`.
public protocol CITemperatureAndTint: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CITemperatureAndTint.inputImage`.
  var inputImage: CIImage? { get set }
  /// The white that it was: kelvin and tint: `inputNeutral`.
  ///
  /// Apple: `CITemperatureAndTint.neutral`.
  var neutral: CIVector { get set }
  /// The white that it becomes: kelvin and tint: `inputTargetNeutral`.
  ///
  /// Apple: `CITemperatureAndTint.targetNeutral`.
  var targetNeutral: CIVector { get set }
}

/// The inputs of `CIToneCurve`.
///
/// Apple: `CIToneCurve`.
public protocol CIToneCurve: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIToneCurve.inputImage`.
  var inputImage: CIImage? { get set }
  /// A place, in pixels of a gradient and from 0 to 1 of a curve: `inputPoint0`.
  ///
  /// Apple: `CIToneCurve.point0`.
  var point0: CGPoint { get set }
  /// A place, in pixels of a gradient and from 0 to 1 of a curve: `inputPoint1`.
  ///
  /// Apple: `CIToneCurve.point1`.
  var point1: CGPoint { get set }
  /// A point of the curve, from 0 to 1: `inputPoint2`.
  ///
  /// Apple: `CIToneCurve.point2`.
  var point2: CGPoint { get set }
  /// A point of the curve, from 0 to 1: `inputPoint3`.
  ///
  /// Apple: `CIToneCurve.point3`.
  var point3: CGPoint { get set }
  /// A point of the curve, from 0 to 1: `inputPoint4`.
  ///
  /// Apple: `CIToneCurve.point4`.
  var point4: CGPoint { get set }
}

extension CIFilter {
  /// `CIColorControls` with its standard values.
  ///
  /// Apple: `CIFilter.colorControls()`.
  public class func colorControls() -> any CIFilter & CIColorControls {
    ColorControlsFilter(.named("CIColorControls"))
  }

  /// `CIExposureAdjust` with its standard values.
  ///
  /// Apple: `CIFilter.exposureAdjust()`.
  public class func exposureAdjust() -> any CIFilter & CIExposureAdjust {
    ExposureAdjustFilter(.named("CIExposureAdjust"))
  }

  /// `CIGammaAdjust` with its standard values.
  ///
  /// Apple: `CIFilter.gammaAdjust()`.
  public class func gammaAdjust() -> any CIFilter & CIGammaAdjust {
    GammaAdjustFilter(.named("CIGammaAdjust"))
  }

  /// `CIHueAdjust` with its standard values.
  ///
  /// Apple: `CIFilter.hueAdjust()`.
  public class func hueAdjust() -> any CIFilter & CIHueAdjust { HueAdjustFilter(.named("CIHueAdjust")) }

  /// `CIVibrance` with its standard values.
  ///
  /// Apple: `CIFilter.vibrance()`.
  public class func vibrance() -> any CIFilter & CIVibrance { VibranceFilter(.named("CIVibrance")) }

  /// `CIColorMatrix` with its standard values.
  ///
  /// Apple: `CIFilter.colorMatrix()`.
  public class func colorMatrix() -> any CIFilter & CIColorMatrix {
    ColorMatrixFilter(.named("CIColorMatrix"))
  }

  /// `CIColorClamp` with its standard values.
  ///
  /// Apple: `CIFilter.colorClamp()`.
  public class func colorClamp() -> any CIFilter & CIColorClamp { ColorClampFilter(.named("CIColorClamp")) }

  /// `CIWhitePointAdjust` with its standard values.
  ///
  /// Apple: `CIFilter.whitePointAdjust()`.
  public class func whitePointAdjust() -> any CIFilter & CIWhitePointAdjust {
    WhitePointAdjustFilter(.named("CIWhitePointAdjust"))
  }

  /// `CITemperatureAndTint` with its standard values.
  ///
  /// Apple: `CIFilter.temperatureAndTint()`.
  public class func temperatureAndTint() -> any CIFilter & CITemperatureAndTint {
    TemperatureAndTintFilter(.named("CITemperatureAndTint"))
  }

  /// `CIToneCurve` with its standard values.
  ///
  /// Apple: `CIFilter.toneCurve()`.
  public class func toneCurve() -> any CIFilter & CIToneCurve { ToneCurveFilter(.named("CIToneCurve")) }
}

final class ColorControlsFilter: CIFilter, CIColorControls {}
final class ExposureAdjustFilter: CIFilter, CIExposureAdjust {}
final class GammaAdjustFilter: CIFilter, CIGammaAdjust {}
final class HueAdjustFilter: CIFilter, CIHueAdjust {}
final class VibranceFilter: CIFilter, CIVibrance {}
final class ColorMatrixFilter: CIFilter, CIColorMatrix {}
final class ColorClampFilter: CIFilter, CIColorClamp {}
final class WhitePointAdjustFilter: CIFilter, CIWhitePointAdjust {}
final class TemperatureAndTintFilter: CIFilter, CITemperatureAndTint {}
final class ToneCurveFilter: CIFilter, CIToneCurve {}
