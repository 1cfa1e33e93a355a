public import Foundation

/// How text is measured and drawn.
///
/// Apple: `NSStringDrawingOptions`.
public struct NSStringDrawingOptions: OptionSet, Sendable {
  /// The bits, as Apple numbers them.
  public let rawValue: Int

  /// The options with these bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// In lines below each other, from the rectangle's upper left corner; without it, one line that stands on the origin.
  public static let usesLineFragmentOrigin = NSStringDrawingOptions(rawValue: 1)
  /// With the room that the font asks for between lines, as always here.
  public static let usesFontLeading = NSStringDrawingOptions(rawValue: 2)
}

/// The measures of a text, known once it was drawn or measured.
///
/// Apple: `NSStringDrawingContext`.
open class NSStringDrawingContext: NSObject {
  /// The room that the text took.
  open fileprivate(set) var totalBounds = CGRect.zero

  /// Nothing drawn yet.
  public override init() {
    super.init()
  }
}

extension NSAttributedString {
  /// How much room the text takes in one line for each paragraph, in points.
  public func size() -> CGSize { TextLayout(self, width: nil).size }

  /// Draws the text in the thread's current context, its upper left corner at `point`.
  ///
  /// Apple: `NSAttributedString.draw(at:)`.
  public func draw(at point: CGPoint) {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    TextLayout(self, width: nil).draw(in: context, at: point)
  }

  /// Draws those lines of the text that fit into `rect`, the first one always, broken at its right edge.
  ///
  /// Apple: `NSAttributedString.draw(in:)`.
  public func draw(in rect: CGRect) {
    draw(with: rect, options: .usesLineFragmentOrigin, context: nil)
  }

  /// Draws the text in the thread's current context.
  ///
  /// Apple: `NSAttributedString.draw(with:options:context:)`.
  public func draw(with rect: CGRect, options: NSStringDrawingOptions = [], context: NSStringDrawingContext?)
  {
    guard let target = UIGraphicsGetCurrentContext(), rect.origin.x.isFinite, rect.origin.y.isFinite else {
      return
    }
    guard options.contains(.usesLineFragmentOrigin) else {
      let layout = TextLayout(self, width: nil)
      layout.draw(in: target, at: CGPoint(x: rect.minX, y: rect.minY - layout.baseline))
      context?.totalBounds = CGRect(origin: rect.origin, size: layout.size)
      return
    }
    let layout = TextLayout(self, width: rect.width)
    let height = layout.height(ofLinesWithin: rect.height)
    target.saveGState()
    if height < layout.size.height {
      // Shadows and swashes reach beyond the sides.
      target.clip(
        to: CGRect(
          x: rect.minX - 10_000, y: rect.minY - 10_000, width: rect.width + 20_000, height: height + 10_000))
    }
    layout.draw(in: target, at: rect.origin)
    target.restoreGState()
    context?.totalBounds = CGRect(
      x: rect.minX, y: rect.minY, width: layout.size.width, height: min(height, layout.size.height))
  }

  /// The room that the text takes within a size, in points; its width is that of the longest line.
  ///
  /// Apple: `NSAttributedString.boundingRect(with:options:context:)`.
  public func boundingRect(
    with size: CGSize, options: NSStringDrawingOptions = [], context: NSStringDrawingContext?
  ) -> CGRect {
    guard options.contains(.usesLineFragmentOrigin) else {
      let layout = TextLayout(self, width: nil)
      return CGRect(x: 0, y: -layout.baseline, width: layout.size.width, height: layout.size.height)
    }
    let layout = TextLayout(self, width: size.width > 0 && size.width < 1e6 ? size.width : nil)
    let height = size.height > 0 ? layout.height(ofLinesWithin: size.height) : layout.size.height
    let rect = CGRect(x: 0, y: 0, width: layout.size.width, height: height)
    context?.totalBounds = rect
    return rect
  }
}

extension StringProtocol {
  /// How much room the text takes in one line for each paragraph, in points.
  ///
  /// Apple: `NSString.size(withAttributes:)`.
  public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
    NSAttributedString(string: String(self), attributes: attrs).size()
  }

  /// Draws the text in the thread's current context, its upper left corner at `point`.
  ///
  /// Apple: `NSString.draw(at:withAttributes:)`.
  public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
    NSAttributedString(string: String(self), attributes: attrs).draw(at: point)
  }

  /// Draws those lines of the text that fit into `rect`, the first one always, broken at its right edge.
  ///
  /// Apple: `NSString.draw(in:withAttributes:)`.
  public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
    NSAttributedString(string: String(self), attributes: attrs).draw(in: rect)
  }

  /// Draws the text in the thread's current context.
  ///
  /// Apple: `NSString.draw(with:options:attributes:context:)`.
  public func draw(
    with rect: CGRect, options: NSStringDrawingOptions = [], attributes: [NSAttributedString.Key: Any]? = nil,
    context: NSStringDrawingContext?
  ) {
    NSAttributedString(string: String(self), attributes: attributes)
      .draw(with: rect, options: options, context: context)
  }

  /// The room that the text takes within a size, in points.
  ///
  /// Apple: `NSString.boundingRect(with:options:attributes:context:)`.
  public func boundingRect(
    with size: CGSize, options: NSStringDrawingOptions = [], attributes: [NSAttributedString.Key: Any]? = nil,
    context: NSStringDrawingContext?
  ) -> CGRect {
    NSAttributedString(string: String(self), attributes: attributes)
      .boundingRect(with: size, options: options, context: context)
  }
}

extension NSString {
  /// How much room the text takes in one line for each paragraph, in points.
  public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
    substring(from: 0).size(withAttributes: attrs)
  }

  /// Draws the text in the thread's current context, its upper left corner at `point`.
  public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
    substring(from: 0).draw(at: point, withAttributes: attrs)
  }

  /// Draws those lines of the text that fit into `rect`, the first one always, broken at its right edge.
  public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
    substring(from: 0).draw(in: rect, withAttributes: attrs)
  }
}
