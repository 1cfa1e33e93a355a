public import Foundation

/// The inputs of `CITextImageGenerator`.
///
/// Apple: `CITextImageGenerator`.
public protocol CITextImageGenerator: CIFilterProtocol {
  /// The text, in any script: `inputText`.
  ///
  /// Apple: `CITextImageGenerator.text`.
  var text: String { get set }
  /// The font's name, as `UIFont` takes it; one that this machine lacks gives the system's font: `inputFontName`.
  ///
  /// Apple: `CITextImageGenerator.fontName`.
  var fontName: String { get set }
  /// The font's size, in points: `inputFontSize`.
  ///
  /// Apple: `CITextImageGenerator.fontSize`.
  var fontSize: Float { get set }
  /// How many pixels make a point: `inputScaleFactor`.
  ///
  /// Apple: `CITextImageGenerator.scaleFactor`.
  var scaleFactor: Float { get set }
  /// The room on all sides of the text, in points: `inputPadding`.
  ///
  /// Apple: `CITextImageGenerator.padding`.
  var padding: Float { get set }
}

/// The inputs of `CIAttributedTextImageGenerator`.
///
/// Apple: `CIAttributedTextImageGenerator`.
public protocol CIAttributedTextImageGenerator: CIFilterProtocol {
  /// The text with its fonts and colours: `inputText`.
  ///
  /// Apple: `CIAttributedTextImageGenerator.text`.
  var text: NSAttributedString { get set }
  /// How many pixels make a point: `inputScaleFactor`.
  ///
  /// Apple: `CIAttributedTextImageGenerator.scaleFactor`.
  var scaleFactor: Float { get set }
  /// The room on all sides of the text, in points: `inputPadding`.
  ///
  /// Apple: `CIAttributedTextImageGenerator.padding`.
  var padding: Float { get set }
}

extension CIFilter {
  /// `CITextImageGenerator` with its standard values; it draws in white, on nothing.
  ///
  /// Apple: `CIFilter.textImageGenerator()`; the colour is our choice, its page names none.
  public class func textImageGenerator() -> any CIFilter & CITextImageGenerator {
    TextImageGeneratorFilter(.named("CITextImageGenerator"))
  }

  /// `CIAttributedTextImageGenerator` with its standard values.
  ///
  /// Apple: `CIFilter.attributedTextImageGenerator()`.
  public class func attributedTextImageGenerator() -> any CIFilter & CIAttributedTextImageGenerator {
    AttributedTextImageGeneratorFilter(.named("CIAttributedTextImageGenerator"))
  }
}

final class TextImageGeneratorFilter: CIFilter, CITextImageGenerator {
  // Here, for filters of raw pictures have a property of that name that is no input.
  var scaleFactor: Float {
    get { (value(forKey: "inputScaleFactor") as? NSNumber)?.floatValue ?? 0 }
    set { setValue(newValue, forKey: "inputScaleFactor") }
  }

  var text: String {
    get { value(forKey: "inputText") as? String ?? "" }
    set { setValue(newValue, forKey: "inputText") }
  }
}

final class AttributedTextImageGeneratorFilter: CIFilter, CIAttributedTextImageGenerator {
  // Here, for filters of raw pictures have a property of that name that is no input.
  var scaleFactor: Float {
    get { (value(forKey: "inputScaleFactor") as? NSNumber)?.floatValue ?? 0 }
    set { setValue(newValue, forKey: "inputScaleFactor") }
  }

  var text: NSAttributedString {
    get { value(forKey: "inputText") as? NSAttributedString ?? NSAttributedString(string: "") }
    set { setValue(newValue, forKey: "inputText") }
  }
}
