public import Foundation

/// The inputs of `CICheckerboardGenerator`.
///
/// Apple: `CICheckerboardGenerator`.
public protocol CICheckerboardGenerator: CIFilterProtocol {
  /// Its middle, in pixels from the origin of the image's space: `inputCenter`.
  ///
  /// Apple: `CICheckerboardGenerator.center`.
  var center: CGPoint { get set }
  /// The first colour: `inputColor0`.
  ///
  /// Apple: `CICheckerboardGenerator.color0`.
  var color0: CIColor { get set }
  /// The second colour: `inputColor1`.
  ///
  /// Apple: `CICheckerboardGenerator.color1`.
  var color1: CIColor { get set }
  /// How wide one field is, in pixels: `inputWidth`.
  ///
  /// Apple: `CICheckerboardGenerator.width`.
  var width: Float { get set }
  /// How sharp the borders are, 0 to 1: `inputSharpness`.
  ///
  /// Apple: `CICheckerboardGenerator.sharpness`.
  var sharpness: Float { get set }
}

/// The inputs of `CIStripesGenerator`.
///
/// Apple: `CIStripesGenerator`.
public protocol CIStripesGenerator: CIFilterProtocol {
  /// Its middle, in pixels from the origin of the image's space: `inputCenter`.
  ///
  /// Apple: `CIStripesGenerator.center`.
  var center: CGPoint { get set }
  /// The first colour: `inputColor0`.
  ///
  /// Apple: `CIStripesGenerator.color0`.
  var color0: CIColor { get set }
  /// The second colour: `inputColor1`.
  ///
  /// Apple: `CIStripesGenerator.color1`.
  var color1: CIColor { get set }
  /// How wide one field is, in pixels: `inputWidth`.
  ///
  /// Apple: `CIStripesGenerator.width`.
  var width: Float { get set }
  /// How sharp the borders are, 0 to 1: `inputSharpness`.
  ///
  /// Apple: `CIStripesGenerator.sharpness`.
  var sharpness: Float { get set }
}

/// The inputs of `CILinearGradient`.
///
/// Apple: `CILinearGradient`.
public protocol CILinearGradient: CIFilterProtocol {
  /// A place, in pixels of a gradient and from 0 to 1 of a curve: `inputPoint0`.
  ///
  /// Apple: `CILinearGradient.point0`.
  var point0: CGPoint { get set }
  /// A place, in pixels of a gradient and from 0 to 1 of a curve: `inputPoint1`.
  ///
  /// Apple: `CILinearGradient.point1`.
  var point1: CGPoint { get set }
  /// The first colour: `inputColor0`.
  ///
  /// Apple: `CILinearGradient.color0`.
  var color0: CIColor { get set }
  /// The second colour: `inputColor1`.
  ///
  /// Apple: `CILinearGradient.color1`.
  var color1: CIColor { get set }
}

/// The inputs of `CIRadialGradient`.
///
/// Apple: `CIRadialGradient`.
public protocol CIRadialGradient: CIFilterProtocol {
  /// Its middle, in pixels from the origin of the image's space: `inputCenter`.
  ///
  /// Apple: `CIRadialGradient.center`.
  var center: CGPoint { get set }
  /// Where the first colour ends, in pixels from the middle: `inputRadius0`.
  ///
  /// Apple: `CIRadialGradient.radius0`.
  var radius0: Float { get set }
  /// Where the second colour begins, in pixels from the middle: `inputRadius1`.
  ///
  /// Apple: `CIRadialGradient.radius1`.
  var radius1: Float { get set }
  /// The first colour: `inputColor0`.
  ///
  /// Apple: `CIRadialGradient.color0`.
  var color0: CIColor { get set }
  /// The second colour: `inputColor1`.
  ///
  /// Apple: `CIRadialGradient.color1`.
  var color1: CIColor { get set }
}

/// The inputs of `CIRandomGenerator`.
///
/// Apple: `CIRandomGenerator`.
public protocol CIRandomGenerator: CIFilterProtocol {
}

/// The inputs of `CIQRCodeGenerator`.
///
/// Apple: `CIQRCodeGenerator`.
public protocol CIQRCodeGenerator: CIFilterProtocol {
  /// What the code says.
  ///
  /// Apple: `CIQRCodeGenerator.message`.
  var message: Data { get set }
  /// How much damage the code bears: "L", "M", "Q" or "H": `inputCorrectionLevel`.
  ///
  /// Apple: `CIQRCodeGenerator.correctionLevel`.
  var correctionLevel: String { get set }
}

/// The inputs of `CICode128BarcodeGenerator`.
///
/// Apple: `CICode128BarcodeGenerator`.
public protocol CICode128BarcodeGenerator: CIFilterProtocol {
  /// What the code says.
  ///
  /// Apple: `CICode128BarcodeGenerator.message`.
  var message: Data { get set }
  /// The empty margin, in modules: `inputQuietSpace`.
  ///
  /// Apple: `CICode128BarcodeGenerator.quietSpace`.
  var quietSpace: Float { get set }
  /// The height of the bars, in modules: `inputBarcodeHeight`.
  ///
  /// Apple: `CICode128BarcodeGenerator.barcodeHeight`.
  var barcodeHeight: Float { get set }
}

/// The inputs of `CIPDF417BarcodeGenerator`.
///
/// Apple: `CIPDF417BarcodeGenerator`.
public protocol CIPDF417BarcodeGenerator: CIFilterProtocol {
  /// What the code says.
  ///
  /// Apple: `CIPDF417BarcodeGenerator.message`.
  var message: Data { get set }
  /// How much damage the code bears, 0 to 8; below 0 is chosen by the length: `inputCorrectionLevel`.
  ///
  /// Apple: `CIPDF417BarcodeGenerator.correctionLevel`.
  var correctionLevel: Float { get set }
}

extension CIFilter {
  /// `CICheckerboardGenerator` with its standard values.
  ///
  /// Apple: `CIFilter.checkerboardGenerator()`.
  public class func checkerboardGenerator() -> any CIFilter & CICheckerboardGenerator {
    CheckerboardGeneratorFilter(.named("CICheckerboardGenerator"))
  }

  /// `CIStripesGenerator` with its standard values.
  ///
  /// Apple: `CIFilter.stripesGenerator()`.
  public class func stripesGenerator() -> any CIFilter & CIStripesGenerator {
    StripesGeneratorFilter(.named("CIStripesGenerator"))
  }

  /// `CILinearGradient` with its standard values.
  ///
  /// Apple: `CIFilter.linearGradient()`.
  public class func linearGradient() -> any CIFilter & CILinearGradient {
    LinearGradientFilter(.named("CILinearGradient"))
  }

  /// `CIRadialGradient` with its standard values.
  ///
  /// Apple: `CIFilter.radialGradient()`.
  public class func radialGradient() -> any CIFilter & CIRadialGradient {
    RadialGradientFilter(.named("CIRadialGradient"))
  }

  /// `CIRandomGenerator` with its standard values.
  ///
  /// Apple: `CIFilter.randomGenerator()`.
  public class func randomGenerator() -> any CIFilter & CIRandomGenerator {
    RandomGeneratorFilter(.named("CIRandomGenerator"))
  }

  /// `CIQRCodeGenerator` with its standard values.
  ///
  /// Apple: `CIFilter.qrCodeGenerator()`.
  public class func qrCodeGenerator() -> any CIFilter & CIQRCodeGenerator {
    QRCodeGeneratorFilter(.named("CIQRCodeGenerator"))
  }

  /// `CICode128BarcodeGenerator` with its standard values.
  ///
  /// Apple: `CIFilter.code128BarcodeGenerator()`.
  public class func code128BarcodeGenerator() -> any CIFilter & CICode128BarcodeGenerator {
    Code128BarcodeGeneratorFilter(.named("CICode128BarcodeGenerator"))
  }

  /// `CIPDF417BarcodeGenerator` with its standard values.
  ///
  /// Apple: `CIFilter.pdf417BarcodeGenerator()`.
  public class func pdf417BarcodeGenerator() -> any CIFilter & CIPDF417BarcodeGenerator {
    PDF417BarcodeGeneratorFilter(.named("CIPDF417BarcodeGenerator"))
  }
}

final class CheckerboardGeneratorFilter: CIFilter, CICheckerboardGenerator {}
final class StripesGeneratorFilter: CIFilter, CIStripesGenerator {}
final class LinearGradientFilter: CIFilter, CILinearGradient {}
final class RadialGradientFilter: CIFilter, CIRadialGradient {}
final class RandomGeneratorFilter: CIFilter, CIRandomGenerator {}
final class QRCodeGeneratorFilter: CIFilter, CIQRCodeGenerator {
  // A letter here, and a number in the other generators.
  var correctionLevel: String {
    get { value(forKey: "inputCorrectionLevel") as? String ?? "" }
    set { setValue(newValue, forKey: "inputCorrectionLevel") }
  }
}
final class Code128BarcodeGeneratorFilter: CIFilter, CICode128BarcodeGenerator {}
final class PDF417BarcodeGeneratorFilter: CIFilter, CIPDF417BarcodeGenerator {
  var correctionLevel: Float {
    get { (value(forKey: "inputCorrectionLevel") as? NSNumber)?.floatValue ?? 0 }
    set { setValue(newValue, forKey: "inputCorrectionLevel") }
  }
}
