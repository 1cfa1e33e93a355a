public import DrawingCore
public import Foundation
public import FoundationExtras
public import GraphicsCore

/// How a text layer's text is aligned.
///
/// Apple: `CATextLayerAlignmentMode`.
public struct CATextLayerAlignmentMode: RawRepresentable, Hashable, Sendable {
  /// Apple's name of the constant.
  public let rawValue: String

  /// The mode of Apple's name `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Where the script begins its lines.
  public static let natural = CATextLayerAlignmentMode(rawValue: "natural")
  /// At the left edge.
  public static let left = CATextLayerAlignmentMode(rawValue: "left")
  /// At the right edge.
  public static let right = CATextLayerAlignmentMode(rawValue: "right")
  /// In the middle.
  public static let center = CATextLayerAlignmentMode(rawValue: "center")
  /// From edge to edge.
  public static let justified = CATextLayerAlignmentMode(rawValue: "justified")
}

/// How a text layer's text is cut off where it does not fit.
///
/// Apple: `CATextLayerTruncationMode`.
public struct CATextLayerTruncationMode: RawRepresentable, Hashable, Sendable {
  /// Apple's name of the constant.
  public let rawValue: String

  /// The mode of Apple's name `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// It goes on beyond the edge.
  public static let none = CATextLayerTruncationMode(rawValue: "none")
  /// Its beginning becomes an ellipsis.
  public static let start = CATextLayerTruncationMode(rawValue: "start")
  /// Its end becomes an ellipsis.
  public static let end = CATextLayerTruncationMode(rawValue: "end")
  /// Its middle becomes an ellipsis.
  public static let middle = CATextLayerTruncationMode(rawValue: "middle")
}

/// A layer that shows text, from its upper left corner down.
///
/// Set `contentsScale` to the screen's for sharp letters; what draws the layer into a bitmap draws letters at that bitmap's size.
/// Apple: `CATextLayer`.
open class CATextLayer: CALayer {
  /// The text: a `String`, or an `NSAttributedString`, whose own fonts and colours then count; anything else shows nothing.
  open var string: Any? { didSet { setNeedsDisplay() } }
  /// The font of a plain string: a `UIFont`, or a font's name; the system's unless set.
  ///
  /// Its size is ``fontSize``.
  open var font: CFTypeRef? { didSet { setNeedsDisplay() } }
  /// The size of a plain string's letters, in points; 36 unless set.
  open var fontSize: CGFloat = 36 { didSet { setNeedsDisplay() } }
  /// The colour of a plain string; white unless set.
  open var foregroundColor: CGColor? = CGColor.white { didSet { setNeedsDisplay() } }
  /// Whether lines that are too long go on below.
  open var isWrapped = false { didSet { setNeedsDisplay() } }
  /// How a plain string's lines are aligned.
  open var alignmentMode = CATextLayerAlignmentMode.natural { didSet { setNeedsDisplay() } }
  /// How a line that is too long is cut off, where it is not wrapped.
  open var truncationMode = CATextLayerTruncationMode.none { didSet { setNeedsDisplay() } }

  /// A layer without text.
  public override init() {
    super.init()
  }

  /// A layer with the geometry, the appearance and the text of `layer`.
  public override init(layer: Any) {
    super.init(layer: layer)
    guard let layer = layer as? CATextLayer else { return }
    string = layer.string
    font = layer.font
    fontSize = layer.fontSize
    foregroundColor = layer.foregroundColor
    isWrapped = layer.isWrapped
    alignmentMode = layer.alignmentMode
    truncationMode = layer.truncationMode
  }

  override func shownCopy() -> CALayer { CATextLayer(layer: self) }

  /// The rectangle; a new size breaks the text anew.
  open override var bounds: CGRect {
    didSet { if bounds.size != oldValue.size { setNeedsDisplay() } }
  }

  /// The pixels of a point; others need sharper letters.
  open override var contentsScale: CGFloat {
    didSet { if contentsScale != oldValue { setNeedsDisplay() } }
  }

  /// Draws the text.
  open override func draw(in ctx: CGContext) {
    guard let text = attributedText, text.length > 0 else { return }
    let breaks = isWrapped || truncationMode != .none || alignmentMode != .natural
    TextLayout(text, width: breaks ? bounds.width : nil).draw(in: ctx, at: bounds.origin)
  }

  package override func drawContents(in context: CGContext) {
    context.saveGState()
    context.clip(to: bounds)
    draw(in: context)
    context.restoreGState()
  }

  private var attributedText: NSAttributedString? {
    let style = NSMutableParagraphStyle()
    switch alignmentMode {
    case .left: style.alignment = .left
    case .right: style.alignment = .right
    case .center: style.alignment = .center
    case .justified: style.alignment = .justified
    default: style.alignment = .natural
    }
    switch truncationMode {
    case .start where !isWrapped: style.lineBreakMode = .byTruncatingHead
    case .end where !isWrapped: style.lineBreakMode = .byTruncatingTail
    case .middle where !isWrapped: style.lineBreakMode = .byTruncatingMiddle
    default: style.lineBreakMode = isWrapped ? .byWordWrapping : .byClipping
    }
    if let text = string as? NSAttributedString {
      let shaped = NSMutableAttributedString(attributedString: text)
      if text.length > 0, text.attribute(.paragraphStyle, at: 0, effectiveRange: nil) == nil {
        shaped.addAttribute(.paragraphStyle, value: style, range: NSRange(location: 0, length: text.length))
      }
      return shaped
    }
    guard let text = string as? String ?? (string as? NSString).map({ $0.substring(from: 0) }) else {
      return nil
    }
    let named = (font as? String).flatMap { UIFont(name: $0, size: fontSize) }
    return NSAttributedString(
      string: text,
      attributes: [
        .font: named ?? (font as? UIFont)?.withSize(fontSize) ?? .systemFont(ofSize: fontSize),
        .foregroundColor: foregroundColor ?? .black, .paragraphStyle: style,
      ])
  }
}
