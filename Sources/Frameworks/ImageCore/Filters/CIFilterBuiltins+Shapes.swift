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
  /// `inputTransform`.
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
  /// `inputTransform`.
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
  /// `inputAngle`.
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
  /// `inputScale`.
  ///
  /// Apple: `CILanczosScaleTransform.scale`.
  var scale: Float { get set }
  /// `inputAspectRatio`.
  ///
  /// Apple: `CILanczosScaleTransform.aspectRatio`.
  var aspectRatio: Float { get set }
}

/// The inputs of `CIPerspectiveCorrection`.
///
/// Apple: `CIPerspectiveCorrection`.
public protocol CIPerspectiveCorrection: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIPerspectiveCorrection.inputImage`.
  var inputImage: CIImage? { get set }
  /// `inputTopLeft`.
  ///
  /// Apple: `CIPerspectiveCorrection.topLeft`.
  var topLeft: CGPoint { get set }
  /// `inputTopRight`.
  ///
  /// Apple: `CIPerspectiveCorrection.topRight`.
  var topRight: CGPoint { get set }
  /// `inputBottomRight`.
  ///
  /// Apple: `CIPerspectiveCorrection.bottomRight`.
  var bottomRight: CGPoint { get set }
  /// `inputBottomLeft`.
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
  /// `inputCenter`.
  ///
  /// Apple: `CITwirlDistortion.center`.
  var center: CGPoint { get set }
  /// `inputRadius`.
  ///
  /// Apple: `CITwirlDistortion.radius`.
  var radius: Float { get set }
  /// `inputAngle`.
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
  /// `inputCenter`.
  ///
  /// Apple: `CIBumpDistortion.center`.
  var center: CGPoint { get set }
  /// `inputRadius`.
  ///
  /// Apple: `CIBumpDistortion.radius`.
  var radius: Float { get set }
  /// `inputScale`.
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
  /// `inputCenter`.
  ///
  /// Apple: `CIPinchDistortion.center`.
  var center: CGPoint { get set }
  /// `inputRadius`.
  ///
  /// Apple: `CIPinchDistortion.radius`.
  var radius: Float { get set }
  /// `inputScale`.
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
  /// `inputCenter`.
  ///
  /// Apple: `CIPixellate.center`.
  var center: CGPoint { get set }
  /// `inputScale`.
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
  /// `inputCount`.
  ///
  /// Apple: `CIKaleidoscope.count`.
  var count: Int { get set }
  /// `inputCenter`.
  ///
  /// Apple: `CIKaleidoscope.center`.
  var center: CGPoint { get set }
  /// `inputAngle`.
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
final class PerspectiveCorrectionFilter: CIFilter, CIPerspectiveCorrection {}
final class TwirlDistortionFilter: CIFilter, CITwirlDistortion {}
final class BumpDistortionFilter: CIFilter, CIBumpDistortion {}
final class PinchDistortionFilter: CIFilter, CIPinchDistortion {}
final class PixellateFilter: CIFilter, CIPixellate {}
final class KaleidoscopeFilter: CIFilter, CIKaleidoscope {}
