public import Foundation
internal import FoundationExtras
internal import GraphicsCore

extension NSAttributedString.Key {
  /// The letters' font, a ``UIFont``; the system's of 12 points unless set.
  public static let font = NSAttributedString.Key(rawValue: "NSFont")
  /// The letters' colour, a ``UIColor`` or a `CGColor`; black unless set.
  public static let foregroundColor = NSAttributedString.Key(rawValue: "NSColor")
  /// The colour behind the letters, a ``UIColor`` or a `CGColor`; none unless set.
  public static let backgroundColor = NSAttributedString.Key(rawValue: "NSBackgroundColor")
  /// The paragraph's shape, an ``NSParagraphStyle``.
  public static let paragraphStyle = NSAttributedString.Key(rawValue: "NSParagraphStyle")
  /// Room between letters, in points.
  public static let kern = NSAttributedString.Key(rawValue: "NSKern")
  /// Lines under the letters, an ``NSUnderlineStyle``'s number.
  public static let underlineStyle = NSAttributedString.Key(rawValue: "NSUnderline")
  /// A line through the letters, an ``NSUnderlineStyle``'s number.
  public static let strikethroughStyle = NSAttributedString.Key(rawValue: "NSStrikethrough")
  /// The colour of the line around the letters, a ``UIColor`` or a `CGColor`; the letters' own unless set.
  public static let strokeColor = NSAttributedString.Key(rawValue: "NSStrokeColor")
  /// The width of the line around the letters, in percent of the font's size: above 0 for the line alone, below 0 for letters
  /// with a line.
  public static let strokeWidth = NSAttributedString.Key(rawValue: "NSStrokeWidth")
  /// How far the letters are raised, in points.
  public static let baselineOffset = NSAttributedString.Key(rawValue: "NSBaselineOffset")
  /// The shadow of the letters, an ``NSShadow``: a text's first character says it for all of the text.
  public static let shadow = NSAttributedString.Key(rawValue: "NSShadow")
}

/// Lines under or through letters.
///
/// Apple: `NSUnderlineStyle`.
public struct NSUnderlineStyle: OptionSet, Sendable {
  /// The bits, as Apple numbers them.
  public let rawValue: Int

  /// The style with these bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// One line.
  public static let single = NSUnderlineStyle(rawValue: 1)
  /// Two lines; through letters, one.
  public static let double = NSUnderlineStyle(rawValue: 9)
}

/// The shadow of letters.
///
/// Apple: `NSShadow`.
open class NSShadow: NSObject {
  /// How far it lies to the right and below, in points; none at first.
  open var shadowOffset = CGSize.zero
  /// How far its edge is spread, in points; sharp at first.
  open var shadowBlurRadius: CGFloat = 0
  /// Its colour, a ``UIColor`` or a `CGColor`; black of a third's opacity at first.
  open var shadowColor: Any? = UIColor(white: 0, alpha: 1 / 3)

  /// A shadow right behind the letters.
  public override init() {
    super.init()
  }
}

extension [NSAttributedString.Key: Any] {
  /// The colour under a key, given in either way.
  func color(_ key: NSAttributedString.Key) -> CGColor? { Self.color(self[key]) }

  static func color(_ value: Any?) -> CGColor? {
    (value as? UIColor)?.cgColor ?? value as? CGColor
  }

  /// The number under a key, of whatever type.
  func number(_ key: NSAttributedString.Key) -> CGFloat? {
    LooseNumber.double(self[key]).map { CGFloat($0) }
  }
}
