/// The inputs of `CISourceOverCompositing`.
///
/// Apple: `CICompositeOperation`.
public protocol CICompositeOperation: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CICompositeOperation.inputImage`.
  var inputImage: CIImage? { get set }
  /// The image below.
  ///
  /// Apple: `CICompositeOperation.backgroundImage`.
  var backgroundImage: CIImage? { get set }
}

/// The inputs of `CIBlendWithMask`.
///
/// Apple: `CIBlendWithMask`.
public protocol CIBlendWithMask: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIBlendWithMask.inputImage`.
  var inputImage: CIImage? { get set }
  /// The image below.
  ///
  /// Apple: `CIBlendWithMask.backgroundImage`.
  var backgroundImage: CIImage? { get set }
  /// The image that says how much of the first is seen.
  ///
  /// Apple: `CIBlendWithMask.maskImage`.
  var maskImage: CIImage? { get set }
}

/// The inputs of `CIDissolveTransition`.
///
/// Apple: `CIDissolveTransition`.
public protocol CIDissolveTransition: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIDissolveTransition.inputImage`.
  var inputImage: CIImage? { get set }
  /// The image at the end.
  ///
  /// Apple: `CIDissolveTransition.targetImage`.
  var targetImage: CIImage? { get set }
  /// How far the transition is, 0 to 1: `inputTime`.
  ///
  /// Apple: `CIDissolveTransition.time`.
  var time: Float { get set }
}

extension CIFilter {
  /// `CISourceOverCompositing` with its standard values.
  ///
  /// Apple: `CIFilter.sourceOverCompositing()`.
  public class func sourceOverCompositing() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CISourceOverCompositing"))
  }

  /// `CISourceInCompositing` with its standard values.
  ///
  /// Apple: `CIFilter.sourceInCompositing()`.
  public class func sourceInCompositing() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CISourceInCompositing"))
  }

  /// `CISourceOutCompositing` with its standard values.
  ///
  /// Apple: `CIFilter.sourceOutCompositing()`.
  public class func sourceOutCompositing() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CISourceOutCompositing"))
  }

  /// `CISourceAtopCompositing` with its standard values.
  ///
  /// Apple: `CIFilter.sourceAtopCompositing()`.
  public class func sourceAtopCompositing() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CISourceAtopCompositing"))
  }

  /// `CIAdditionCompositing` with its standard values.
  ///
  /// Apple: `CIFilter.additionCompositing()`.
  public class func additionCompositing() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIAdditionCompositing"))
  }

  /// `CIMultiplyCompositing` with its standard values.
  ///
  /// Apple: `CIFilter.multiplyCompositing()`.
  public class func multiplyCompositing() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIMultiplyCompositing"))
  }

  /// `CIMaximumCompositing` with its standard values.
  ///
  /// Apple: `CIFilter.maximumCompositing()`.
  public class func maximumCompositing() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIMaximumCompositing"))
  }

  /// `CIMinimumCompositing` with its standard values.
  ///
  /// Apple: `CIFilter.minimumCompositing()`.
  public class func minimumCompositing() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIMinimumCompositing"))
  }

  /// `CIMultiplyBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.multiplyBlendMode()`.
  public class func multiplyBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIMultiplyBlendMode"))
  }

  /// `CIScreenBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.screenBlendMode()`.
  public class func screenBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIScreenBlendMode"))
  }

  /// `CIOverlayBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.overlayBlendMode()`.
  public class func overlayBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIOverlayBlendMode"))
  }

  /// `CIHardLightBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.hardLightBlendMode()`.
  public class func hardLightBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIHardLightBlendMode"))
  }

  /// `CISoftLightBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.softLightBlendMode()`.
  public class func softLightBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CISoftLightBlendMode"))
  }

  /// `CIDarkenBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.darkenBlendMode()`.
  public class func darkenBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIDarkenBlendMode"))
  }

  /// `CILightenBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.lightenBlendMode()`.
  public class func lightenBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CILightenBlendMode"))
  }

  /// `CIDifferenceBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.differenceBlendMode()`.
  public class func differenceBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIDifferenceBlendMode"))
  }

  /// `CIExclusionBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.exclusionBlendMode()`.
  public class func exclusionBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIExclusionBlendMode"))
  }

  /// `CIColorDodgeBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.colorDodgeBlendMode()`.
  public class func colorDodgeBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIColorDodgeBlendMode"))
  }

  /// `CIColorBurnBlendMode` with its standard values.
  ///
  /// Apple: `CIFilter.colorBurnBlendMode()`.
  public class func colorBurnBlendMode() -> any CIFilter & CICompositeOperation {
    CompositeOperationFilter(.named("CIColorBurnBlendMode"))
  }

  /// `CIBlendWithMask` with its standard values.
  ///
  /// Apple: `CIFilter.blendWithMask()`.
  public class func blendWithMask() -> any CIFilter & CIBlendWithMask {
    BlendWithMaskFilter(.named("CIBlendWithMask"))
  }

  /// `CIBlendWithAlphaMask` with its standard values.
  ///
  /// Apple: `CIFilter.blendWithAlphaMask()`.
  public class func blendWithAlphaMask() -> any CIFilter & CIBlendWithMask {
    BlendWithMaskFilter(.named("CIBlendWithAlphaMask"))
  }

  /// `CIDissolveTransition` with its standard values.
  ///
  /// Apple: `CIFilter.dissolveTransition()`.
  public class func dissolveTransition() -> any CIFilter & CIDissolveTransition {
    DissolveTransitionFilter(.named("CIDissolveTransition"))
  }
}

final class CompositeOperationFilter: CIFilter, CICompositeOperation {}
final class BlendWithMaskFilter: CIFilter, CIBlendWithMask {}
final class DissolveTransitionFilter: CIFilter, CIDissolveTransition {}
