public import Foundation
public import GraphicsCore

/// The inputs of `CIAffineTile`.
///
/// Apple: `CIAffineTile`.
public protocol CIAffineTile: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIAffineTile.inputImage`.
  var inputImage: CIImage? { get set }
  /// Where the image goes, in pixels: `inputTransform`.
  ///
  /// Apple: `CIAffineTile.transform`.
  var transform: CGAffineTransform { get set }
}

/// The inputs of `CIAffineClamp`.
///
/// Apple: `CIAffineClamp`.
public protocol CIAffineClamp: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIAffineClamp.inputImage`.
  var inputImage: CIImage? { get set }
  /// Where the image goes, in pixels: `inputTransform`.
  ///
  /// Apple: `CIAffineClamp.transform`.
  var transform: CGAffineTransform { get set }
}

/// The inputs of `CIStraightenFilter`.
///
/// Apple: `CIStraighten`.
public protocol CIStraighten: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIStraighten.inputImage`.
  var inputImage: CIImage? { get set }
  /// In radians: `inputAngle`.
  ///
  /// Apple: `CIStraighten.angle`.
  var angle: Float { get set }
}

/// The inputs of `CILanczosScaleTransform`.
///
/// Apple: `CILanczosScaleTransform`.
public protocol CILanczosScaleTransform: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CILanczosScaleTransform.inputImage`.
  var inputImage: CIImage? { get set }
  /// How many times larger: `inputScale`.
  ///
  /// Apple: `CILanczosScaleTransform.scale`.
  var scale: Float { get set }
  /// A further factor of the width: `inputAspectRatio`.
  ///
  /// Apple: `CILanczosScaleTransform.aspectRatio`.
  var aspectRatio: Float { get set }
}

/// The inputs of `CIBicubicScaleTransform`.
///
/// Apple: `CIBicubicScaleTransform`.
public protocol CIBicubicScaleTransform: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIBicubicScaleTransform.inputImage`.
  var inputImage: CIImage? { get set }
  /// How many times larger: `inputScale`.
  ///
  /// Apple: `CIBicubicScaleTransform.scale`.
  var scale: Float { get set }
  /// A further factor of the width: `inputAspectRatio`.
  ///
  /// Apple: `CIBicubicScaleTransform.aspectRatio`.
  var aspectRatio: Float { get set }
  /// How much the curve blurs, from 0 to 1: `inputB`.
  ///
  /// Apple: `CIBicubicScaleTransform.parameterB`.
  var parameterB: Float { get set }
  /// How much the curve sharpens, from 0 to 1: `inputC`.
  ///
  /// Apple: `CIBicubicScaleTransform.parameterC`.
  var parameterC: Float { get set }
}

/// The inputs of `CIPerspectiveCorrection`.
///
/// Apple: `CIPerspectiveCorrection`.
public protocol CIPerspectiveCorrection: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIPerspectiveCorrection.inputImage`.
  var inputImage: CIImage? { get set }
  /// The corner, in pixels: `inputTopLeft`.
  ///
  /// Apple: `CIPerspectiveCorrection.topLeft`.
  var topLeft: CGPoint { get set }
  /// The corner, in pixels: `inputTopRight`.
  ///
  /// Apple: `CIPerspectiveCorrection.topRight`.
  var topRight: CGPoint { get set }
  /// The corner, in pixels: `inputBottomRight`.
  ///
  /// Apple: `CIPerspectiveCorrection.bottomRight`.
  var bottomRight: CGPoint { get set }
  /// The corner, in pixels: `inputBottomLeft`.
  ///
  /// Apple: `CIPerspectiveCorrection.bottomLeft`.
  var bottomLeft: CGPoint { get set }
}

/// The inputs of `CITwirlDistortion`.
///
/// Apple: `CITwirlDistortion`.
public protocol CITwirlDistortion: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CITwirlDistortion.inputImage`.
  var inputImage: CIImage? { get set }
  /// Its middle, in pixels from the origin of the image's space: `inputCenter`.
  ///
  /// Apple: `CITwirlDistortion.center`.
  var center: CGPoint { get set }
  /// How far it reaches, in pixels: `inputRadius`.
  ///
  /// Apple: `CITwirlDistortion.radius`.
  var radius: Float { get set }
  /// In radians: `inputAngle`.
  ///
  /// Apple: `CITwirlDistortion.angle`.
  var angle: Float { get set }
}

/// The inputs of `CIBumpDistortion`.
///
/// Apple: `CIBumpDistortion`.
public protocol CIBumpDistortion: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIBumpDistortion.inputImage`.
  var inputImage: CIImage? { get set }
  /// Its middle, in pixels from the origin of the image's space: `inputCenter`.
  ///
  /// Apple: `CIBumpDistortion.center`.
  var center: CGPoint { get set }
  /// How far it reaches, in pixels: `inputRadius`.
  ///
  /// Apple: `CIBumpDistortion.radius`.
  var radius: Float { get set }
  /// How high the bump is, -1 to 1; 0 changes nothing: `inputScale`.
  ///
  /// Apple: `CIBumpDistortion.scale`.
  var scale: Float { get set }
}

/// The inputs of `CIPinchDistortion`.
///
/// Apple: `CIPinchDistortion`.
public protocol CIPinchDistortion: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIPinchDistortion.inputImage`.
  var inputImage: CIImage? { get set }
  /// Its middle, in pixels from the origin of the image's space: `inputCenter`.
  ///
  /// Apple: `CIPinchDistortion.center`.
  var center: CGPoint { get set }
  /// How far it reaches, in pixels: `inputRadius`.
  ///
  /// Apple: `CIPinchDistortion.radius`.
  var radius: Float { get set }
  /// How strong the pinch is, 0 to 2; 0 changes nothing: `inputScale`.
  ///
  /// Apple: `CIPinchDistortion.scale`.
  var scale: Float { get set }
}

/// The inputs of `CIPixellate`.
///
/// Apple: `CIPixellate`.
public protocol CIPixellate: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIPixellate.inputImage`.
  var inputImage: CIImage? { get set }
  /// Its middle, in pixels from the origin of the image's space: `inputCenter`.
  ///
  /// Apple: `CIPixellate.center`.
  var center: CGPoint { get set }
  /// The side of a cell, in pixels: `inputScale`.
  ///
  /// Apple: `CIPixellate.scale`.
  var scale: Float { get set }
}

/// The inputs of `CIKaleidoscope`.
///
/// Apple: `CIKaleidoscope`.
public protocol CIKaleidoscope: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIKaleidoscope.inputImage`.
  var inputImage: CIImage? { get set }
  /// How many mirrors: `inputCount`.
  ///
  /// Apple: `CIKaleidoscope.count`.
  var count: Int { get set }
  /// Its middle, in pixels from the origin of the image's space: `inputCenter`.
  ///
  /// Apple: `CIKaleidoscope.center`.
  var center: CGPoint { get set }
  /// In radians: `inputAngle`.
  ///
  /// Apple: `CIKaleidoscope.angle`.
  var angle: Float { get set }
}

extension CIFilter {
  /// `CIAffineTile` with its standard values.
  ///
  /// Apple: `CIFilter.affineTile()`.
  public class func affineTile() -> any CIFilter & CIAffineTile { AffineTileFilter(.named("CIAffineTile")) }

  /// `CIAffineClamp` with its standard values.
  ///
  /// Apple: `CIFilter.affineClamp()`.
  public class func affineClamp() -> any CIFilter & CIAffineClamp {
    AffineClampFilter(.named("CIAffineClamp"))
  }

  /// `CIStraightenFilter` with its standard values.
  ///
  /// Apple: `CIFilter.straighten()`.
  public class func straighten() -> any CIFilter & CIStraighten {
    StraightenFilter(.named("CIStraightenFilter"))
  }

  /// `CILanczosScaleTransform` with its standard values.
  ///
  /// Apple: `CIFilter.lanczosScaleTransform()`.
  public class func lanczosScaleTransform() -> any CIFilter & CILanczosScaleTransform {
    LanczosScaleTransformFilter(.named("CILanczosScaleTransform"))
  }

  /// `CIBicubicScaleTransform` with its standard values.
  ///
  /// Apple: `CIFilter.bicubicScaleTransform()`.
  public class func bicubicScaleTransform() -> any CIFilter & CIBicubicScaleTransform {
    BicubicScaleTransformFilter(.named("CIBicubicScaleTransform"))
  }

  /// `CIPerspectiveCorrection` with its standard values.
  ///
  /// Apple: `CIFilter.perspectiveCorrection()`.
  public class func perspectiveCorrection() -> any CIFilter & CIPerspectiveCorrection {
    PerspectiveCorrectionFilter(.named("CIPerspectiveCorrection"))
  }

  /// `CITwirlDistortion` with its standard values.
  ///
  /// Apple: `CIFilter.twirlDistortion()`.
  public class func twirlDistortion() -> any CIFilter & CITwirlDistortion {
    TwirlDistortionFilter(.named("CITwirlDistortion"))
  }

  /// `CIBumpDistortion` with its standard values.
  ///
  /// Apple: `CIFilter.bumpDistortion()`.
  public class func bumpDistortion() -> any CIFilter & CIBumpDistortion {
    BumpDistortionFilter(.named("CIBumpDistortion"))
  }

  /// `CIPinchDistortion` with its standard values.
  ///
  /// Apple: `CIFilter.pinchDistortion()`.
  public class func pinchDistortion() -> any CIFilter & CIPinchDistortion {
    PinchDistortionFilter(.named("CIPinchDistortion"))
  }

  /// `CIPixellate` with its standard values.
  ///
  /// Apple: `CIFilter.pixellate()`.
  public class func pixellate() -> any CIFilter & CIPixellate { PixellateFilter(.named("CIPixellate")) }

  /// `CIKaleidoscope` with its standard values.
  ///
  /// Apple: `CIFilter.kaleidoscope()`.
  public class func kaleidoscope() -> any CIFilter & CIKaleidoscope {
    KaleidoscopeFilter(.named("CIKaleidoscope"))
  }
}

final class AffineTileFilter: CIFilter, CIAffineTile {}
final class AffineClampFilter: CIFilter, CIAffineClamp {}
final class StraightenFilter: CIFilter, CIStraighten {}
final class LanczosScaleTransformFilter: CIFilter, CILanczosScaleTransform {}
final class BicubicScaleTransformFilter: CIFilter, CIBicubicScaleTransform {}
final class PerspectiveCorrectionFilter: CIFilter, CIPerspectiveCorrection {}
final class TwirlDistortionFilter: CIFilter, CITwirlDistortion {}
final class BumpDistortionFilter: CIFilter, CIBumpDistortion {}
final class PinchDistortionFilter: CIFilter, CIPinchDistortion {}
final class PixellateFilter: CIFilter, CIPixellate {}
final class KaleidoscopeFilter: CIFilter, CIKaleidoscope {}
