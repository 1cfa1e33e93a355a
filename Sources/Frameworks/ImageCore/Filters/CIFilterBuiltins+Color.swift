public import Foundation

/// The inputs of `CIColorControls`.
///
/// Apple: `CIColorControls`.
public protocol CIColorControls: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIColorControls.inputImage`.
  var inputImage: CIImage? { get set }
  /// `inputSaturation`.
  ///
  /// Apple: `CIColorControls.saturation`.
  var saturation: Float { get set }
  /// `inputBrightness`.
  ///
  /// Apple: `CIColorControls.brightness`.
  var brightness: Float { get set }
  /// `inputContrast`.
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
  /// `inputEV`.
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
  /// `inputPower`.
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
  /// `inputAngle`.
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
  /// `inputAmount`.
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
  /// `inputRVector`.
  ///
  /// Apple: `CIColorMatrix.rVector`.
  var rVector: CIVector { get set }
  /// `inputGVector`.
  ///
  /// Apple: `CIColorMatrix.gVector`.
  var gVector: CIVector { get set }
  /// `inputBVector`.
  ///
  /// Apple: `CIColorMatrix.bVector`.
  var bVector: CIVector { get set }
  /// `inputAVector`.
  ///
  /// Apple: `CIColorMatrix.aVector`.
  var aVector: CIVector { get set }
  /// `inputBiasVector`.
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
  /// `inputMinComponents`.
  ///
  /// Apple: `CIColorClamp.minComponents`.
  var minComponents: CIVector { get set }
  /// `inputMaxComponents`.
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
  /// `inputColor`.
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
  /// `inputNeutral`.
  ///
  /// Apple: `CITemperatureAndTint.neutral`.
  var neutral: CIVector { get set }
  /// `inputTargetNeutral`.
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
  /// `inputPoint0`.
  ///
  /// Apple: `CIToneCurve.point0`.
  var point0: CGPoint { get set }
  /// `inputPoint1`.
  ///
  /// Apple: `CIToneCurve.point1`.
  var point1: CGPoint { get set }
  /// `inputPoint2`.
  ///
  /// Apple: `CIToneCurve.point2`.
  var point2: CGPoint { get set }
  /// `inputPoint3`.
  ///
  /// Apple: `CIToneCurve.point3`.
  var point3: CGPoint { get set }
  /// `inputPoint4`.
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
