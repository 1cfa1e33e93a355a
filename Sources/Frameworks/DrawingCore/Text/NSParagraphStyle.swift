public import Foundation

/// The place of lines of text between the left and the right edge.
///
/// Apple: `NSTextAlignment`.
public enum NSTextAlignment: Int, Sendable {
  /// At the left edge.
  case left = 0
  /// In the middle.
  case center = 1
  /// At the right edge.
  case right = 2
  /// From edge to edge, but for a paragraph's last line.
  case justified = 3
  /// Where the script begins its lines.
  case natural = 4
}

/// The treatment of a line that is too long.
///
/// Apple: `NSLineBreakMode`.
public enum NSLineBreakMode: Int, Sendable {
  /// It goes on in the next line, between words.
  case byWordWrapping = 0
  /// It goes on in the next line, anywhere.
  case byCharWrapping = 1
  /// It goes on beyond the edge.
  case byClipping = 2
  /// Its beginning becomes an ellipsis.
  case byTruncatingHead = 3
  /// Its end becomes an ellipsis.
  case byTruncatingTail = 4
  /// Its middle becomes an ellipsis.
  case byTruncatingMiddle = 5
}

/// The shape of a paragraph: a text's first character says it for all of the text.
///
/// Apple: `NSParagraphStyle`.
open class NSParagraphStyle: NSObject, NSCopying, NSMutableCopying {
  fileprivate var values = Values()

  fileprivate struct Values: Hashable {
    var alignment = NSTextAlignment.natural
    var lineBreakMode = NSLineBreakMode.byWordWrapping
    var lineSpacing: CGFloat = 0
    var firstLineHeadIndent: CGFloat = 0
  }

  /// Lines at the side where the script begins, broken between words.
  public class var `default`: NSParagraphStyle { NSParagraphStyle() }

  /// Where lines stand.
  open var alignment: NSTextAlignment { values.alignment }
  /// What becomes of a line that is too long.
  open var lineBreakMode: NSLineBreakMode { values.lineBreakMode }
  /// The room between lines, beyond what the font asks for, in points.
  open var lineSpacing: CGFloat { values.lineSpacing }
  /// How far the first line is moved to the right, in points.
  open var firstLineHeadIndent: CGFloat { values.firstLineHeadIndent }

  /// The default style.
  public override init() {
    super.init()
  }

  /// The style itself, as one that does not change.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSParagraphStyle()
    copy.values = values
    return copy
  }

  /// The style as one that can be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    let copy = NSMutableParagraphStyle()
    copy.values = values
    return copy
  }

  /// Whether `object` is the same style.
  open override func isEqual(_ object: Any?) -> Bool { (object as? NSParagraphStyle)?.values == values }

  /// Follows ``isEqual(_:)``.
  open override var hash: Int { values.hashValue }
}

/// A paragraph's shape that can be changed.
///
/// Apple: `NSMutableParagraphStyle`.
open class NSMutableParagraphStyle: NSParagraphStyle {
  /// Where lines stand.
  open override var alignment: NSTextAlignment {
    get { values.alignment }
    set { values.alignment = newValue }
  }
  /// What becomes of a line that is too long.
  open override var lineBreakMode: NSLineBreakMode {
    get { values.lineBreakMode }
    set { values.lineBreakMode = newValue }
  }
  /// The room between lines, beyond what the font asks for, in points.
  open override var lineSpacing: CGFloat {
    get { values.lineSpacing }
    set { values.lineSpacing = newValue }
  }
  /// How far the first line is moved to the right, in points.
  open override var firstLineHeadIndent: CGFloat {
    get { values.firstLineHeadIndent }
    set { values.firstLineHeadIndent = newValue }
  }
}
