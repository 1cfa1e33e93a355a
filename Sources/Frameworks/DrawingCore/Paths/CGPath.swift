public import Foundation
public import GraphicsCore

/// A path of lines and curves; immutable, unless it is a ``CGMutablePath``.
///
/// Thread-safe as long as nothing changes a mutable one. Apple: `CGPath`.
// Safe because only CGMutablePath, which is one thread's, changes it.
open class CGPath: Hashable, @unchecked Sendable {
  var outline = PathOutline()

  init(_ outline: PathOutline) {
    self.outline = outline
  }

  /// A rectangle.
  public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    self.init(PathOutline { $0.addRect(rect, transform.identityIfNil) })
  }

  /// The ellipse that touches the sides of `rect`.
  public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    self.init(PathOutline { $0.addEllipse(rect, transform.identityIfNil) })
  }

  /// A rectangle with round corners.
  ///
  /// - Parameters:
  ///   - cornerWidth: The corners' radius along x, at most half of the width.
  ///   - cornerHeight: The corners' radius along y, at most half of the height.
  public convenience init(
    roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
    transform: UnsafePointer<CGAffineTransform>?
  ) {
    self.init(
      PathOutline { $0.addRoundedRect(rect, cornerWidth, cornerHeight, transform.identityIfNil) })
  }

  /// Whether there is nothing in the path.
  public var isEmpty: Bool { outline.steps.isEmpty }

  /// Where the next step begins; the origin in an empty path.
  public var currentPoint: CGPoint { outline.current ?? .zero }

  /// The smallest rectangle around all points, control points included; null for an empty path.
  public var boundingBox: CGRect { outline.controlBox }

  /// The smallest rectangle around the path itself; null for an empty path.
  public var boundingBoxOfPath: CGRect { outline.box }

  /// Whether filling the path paints `point`.
  ///
  /// - Parameters:
  ///   - rule: How overlapping parts count.
  ///   - transform: What the path is put through first.
  public func contains(
    _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
  ) -> Bool {
    outline.applying(transform).contains(point, rule)
  }

  /// The same path as another object.
  public func copy() -> CGPath? { CGPath(outline) }

  /// The path put through `transform`.
  public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
    CGPath(outline.applying(transform.identityIfNil))
  }

  /// The path as one that can be added to.
  public func mutableCopy() -> CGMutablePath? { mutableCopy(using: nil) }

  /// The path put through `transform`, as one that can be added to.
  public func mutableCopy(using transform: UnsafePointer<CGAffineTransform>?) -> CGMutablePath? {
    CGMutablePath(outline.applying(transform.identityIfNil))
  }

  /// Calls `block` with each step, in order; what it is lent is valid only in the call.
  public func applyWithBlock(_ block: (UnsafePointer<CGPathElement>) -> Void) {
    for step in outline.steps {
      // At least one point, so that there is memory to point at.
      var points = step.points + [.zero]
      points.withUnsafeMutableBufferPointer { points in
        guard let base = points.baseAddress else { return }
        var element = CGPathElement(type: step.type, points: base)
        block(&element)
      }
    }
  }

  /// Whether the steps are the same.
  public static func == (left: CGPath, right: CGPath) -> Bool { left.outline.steps == right.outline.steps }

  /// Feeds what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(outline.steps) }
}

extension Optional<UnsafePointer<CGAffineTransform>> {
  var identityIfNil: CGAffineTransform { self?.pointee ?? .identity }
}
