public import Foundation
public import GraphicsCore

/// A path with the line it is drawn with; one thread's at a time.
///
/// Apple: `UIBezierPath`.
open class UIBezierPath: NSObject {
  private var mutablePath = CGMutablePath()

  /// The width of the line; 1 at first.
  open var lineWidth: CGFloat = 1
  /// The ends of lines; cut off at first.
  open var lineCapStyle = CGLineCap.butt
  /// The corners of lines; pointed at first.
  open var lineJoinStyle = CGLineJoin.miter
  /// How many line widths a corner may stick out before it is cut off.
  open var miterLimit: CGFloat = 10
  /// Whether overlapping parts are filled by the even-odd rule.
  open var usesEvenOddFillRule = false
  private var dash: (phase: CGFloat, lengths: [CGFloat]) = (0, [])

  /// An empty path.
  public override init() {
    super.init()
  }

  /// A rectangle.
  public convenience init(rect: CGRect) {
    self.init(cgPath: CGPath(rect: rect, transform: nil))
  }

  /// The ellipse that touches the sides of `rect`.
  public convenience init(ovalIn rect: CGRect) {
    self.init(cgPath: CGPath(ellipseIn: rect, transform: nil))
  }

  /// A rectangle with round corners.
  public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
    self.init(
      cgPath: CGPath(roundedRect: rect, cornerWidth: cornerRadius, cornerHeight: cornerRadius, transform: nil)
    )
  }

  /// A part of a circle.
  ///
  /// - Parameter clockwise: Whether it goes clockwise where the y axis points down: the angle rises.
  public convenience init(
    arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
  ) {
    self.init()
    addArc(
      withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
  }

  /// The path of `cgPath`.
  public convenience init(cgPath: CGPath) {
    self.init()
    self.cgPath = cgPath
  }

  /// The path as Core Graphics takes it: a copy.
  open var cgPath: CGPath {
    get { CGPath(mutablePath.outline) }
    set { mutablePath = CGMutablePath(newValue.outline) }
  }

  /// Whether there is nothing in the path.
  open var isEmpty: Bool { mutablePath.isEmpty }

  /// The smallest rectangle around the path; null for an empty path.
  open var bounds: CGRect { mutablePath.boundingBoxOfPath }

  /// Where the next step begins.
  open var currentPoint: CGPoint { mutablePath.currentPoint }

  /// Begins a part of the path at `point`.
  open func move(to point: CGPoint) { mutablePath.move(to: point) }

  /// Adds a straight line.
  open func addLine(to point: CGPoint) { mutablePath.addLine(to: point) }

  /// Adds a cubic curve.
  open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
    mutablePath.addCurve(to: endPoint, control1: controlPoint1, control2: controlPoint2)
  }

  /// Adds a quadratic curve.
  open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) {
    mutablePath.addQuadCurve(to: endPoint, control: controlPoint)
  }

  /// Adds a part of a circle.
  ///
  /// - Parameter clockwise: Whether it goes clockwise where the y axis points down: the angle rises.
  open func addArc(
    withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
  ) {
    mutablePath.addArc(
      center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: !clockwise)
  }

  /// Closes the part with a line back to its beginning.
  open func close() { mutablePath.closeSubpath() }

  /// Empties the path.
  open func removeAllPoints() { mutablePath = CGMutablePath() }

  /// Adds all of another path.
  open func append(_ bezierPath: UIBezierPath) { mutablePath.addPath(bezierPath.cgPath) }

  /// Puts the path through `transform`.
  open func apply(_ transform: CGAffineTransform) {
    mutablePath = CGMutablePath(mutablePath.outline.applying(transform))
  }

  /// Whether filling the path paints `point`.
  open func contains(_ point: CGPoint) -> Bool {
    mutablePath.contains(point, using: usesEvenOddFillRule ? .evenOdd : .winding)
  }

  /// Breaks the line into dashes.
  ///
  /// - Parameters:
  ///   - pattern: `count` painted and unpainted lengths in turn; `nil` for a whole line.
  ///   - phase: Where in the pattern the line begins.
  open func setLineDash(_ pattern: UnsafePointer<CGFloat>?, count: Int, phase: CGFloat) {
    dash = (phase, pattern.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? [])
  }

  /// Paints the inside in the current context.
  open func fill() { fill(with: .normal, alpha: 1) }

  /// Paints the inside in the current context, blended.
  open func fill(with blendMode: CGBlendMode, alpha: CGFloat) {
    draw(blendMode, alpha) { $0.fillPath(using: usesEvenOddFillRule ? .evenOdd : .winding) }
  }

  /// Paints the line in the current context.
  open func stroke() { stroke(with: .normal, alpha: 1) }

  /// Paints the line in the current context, blended.
  open func stroke(with blendMode: CGBlendMode, alpha: CGFloat) {
    draw(blendMode, alpha) { context in
      context.setLineWidth(lineWidth)
      context.setLineCap(lineCapStyle)
      context.setLineJoin(lineJoinStyle)
      context.setMiterLimit(miterLimit)
      context.setLineDash(phase: dash.phase, lengths: dash.lengths)
      context.strokePath()
    }
  }

  /// Draws in the current context from now on only inside the path, too.
  open func addClip() {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    context.beginPath()
    context.addPath(mutablePath)
    context.clip(using: usesEvenOddFillRule ? .evenOdd : .winding)
  }

  private func draw(_ blendMode: CGBlendMode, _ alpha: CGFloat, _ paint: (CGContext) -> Void) {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    context.saveGState()
    // Plain drawing keeps the mode and the alpha that the context has.
    if blendMode != .normal { context.setBlendMode(blendMode) }
    if alpha != 1 { context.setAlpha(alpha) }
    context.beginPath()
    context.addPath(mutablePath)
    paint(context)
    context.restoreGState()
  }
}
