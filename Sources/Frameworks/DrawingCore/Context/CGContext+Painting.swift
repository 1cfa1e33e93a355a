internal import CPangoCairo
public import Foundation
internal import GraphicsCore

extension CGContext {
  // MARK: Painting the path, which is empty afterwards

  /// Paints the path.
  public func drawPath(using mode: CGPathDrawingMode) {
    let path = outline
    switch mode {
    case .fill, .fillStroke: fillPath(using: .winding)
    case .eoFill, .eoFillStroke: fillPath(using: .evenOdd)
    case .stroke: break
    }
    guard mode != .fill, mode != .eoFill else { return }
    outline = path
    strokePath()
  }

  /// Paints the inside of the path.
  public func fillPath(using rule: CGPathFillRule = .winding) {
    defer { beginPath() }
    guard !state.isDegenerate, !outline.steps.isEmpty else { return }
    paint { [self] in
      takePath(rule)
      setSource(state.fillColor)
      guard state.blendMode.reachesOutside else { return cairo_fill(cairo) }
      cairo_save(cairo)
      cairo_clip(cairo)
      cairo_paint(cairo)
      cairo_restore(cairo)
    }
  }

  /// Paints the line along the path.
  public func strokePath() {
    defer { beginPath() }
    guard !state.isDegenerate, !outline.steps.isEmpty else { return }
    paint { [self] in
      takePath(.winding)
      setSource(state.strokeColor)
      cairo_stroke(cairo)
    }
  }

  // MARK: Painting shapes; the path is empty afterwards

  /// Paints a rectangle.
  public func fill(_ rect: CGRect) { fill([rect]) }

  /// Paints rectangles.
  public func fill(_ rects: [CGRect]) {
    beginPath()
    addRects(rects)
    fillPath()
  }

  /// Paints the line around a rectangle.
  public func stroke(_ rect: CGRect) {
    beginPath()
    addRect(rect)
    strokePath()
  }

  /// Paints a line of a width around a rectangle.
  public func stroke(_ rect: CGRect, width: CGFloat) {
    let former = cairo_get_line_width(cairo)
    setLineWidth(width)
    stroke(rect)
    setLineWidth(former)
  }

  /// Paints the ellipse that touches the sides of `rect`.
  public func fillEllipse(in rect: CGRect) {
    beginPath()
    addEllipse(in: rect)
    fillPath()
  }

  /// Paints the line along the ellipse that touches the sides of `rect`.
  public func strokeEllipse(in rect: CGRect) {
    beginPath()
    addEllipse(in: rect)
    strokePath()
  }

  /// Paints a line from each point of even number to the next one.
  public func strokeLineSegments(between points: [CGPoint]) {
    beginPath()
    for index in stride(from: 1, to: points.count, by: 2) {
      move(to: points[index - 1])
      addLine(to: points[index])
    }
    strokePath()
  }

  /// Takes away what is in a rectangle: transparent where there is alpha, else black.
  public func clear(_ rect: CGRect) {
    beginPath()
    addRect(rect)
    defer { beginPath() }
    guard !state.isDegenerate, !outline.steps.isEmpty else { return }
    takePath(.winding)
    cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR)
    cairo_fill(cairo)
  }

  // MARK: Clipping

  /// Draws from now on only inside the path, too, which is empty afterwards.
  public func clip(using rule: CGPathFillRule = .winding) {
    defer { beginPath() }
    if state.isDegenerate { return }
    takePath(rule)
    cairo_clip(cairo)
  }

  /// Draws from now on only inside a rectangle, too.
  public func clip(to rect: CGRect) { clip(to: [rect]) }

  /// Draws from now on only inside of any of the rectangles, too.
  public func clip(to rects: [CGRect]) {
    beginPath()
    addRects(rects)
    clip()
  }

  /// Draws everywhere again.
  public func resetClip() {
    cairo_reset_clip(cairo)
    state.masks = []
  }

  /// The smallest rectangle of user space around what can be drawn to.
  public var boundingBoxOfClipPath: CGRect {
    if state.isDegenerate { return .null }
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    cairo_clip_extents(cairo, &left, &top, &right, &bottom)
    return CGRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  // MARK: The library's path

  /// Gives the library the path, in its own space.
  private func takePath(_ rule: CGPathFillRule) {
    cairo_set_fill_rule(
      cairo, rule == .winding ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD)
    cairo_new_path(cairo)
    cairo_identity_matrix(cairo)
    // The library's fixed-point numbers end at 2^23; what lies so far outside is not seen.
    let limit = 4_000_000.0
    func place(_ point: CGPoint) -> (x: Double, y: Double) {
      (min(limit, max(-limit, point.x)), min(limit, max(-limit, CGFloat(height) - point.y)))
    }
    var current = CGPoint.zero
    for step in outline.steps {
      switch step {
      case .move(let point): cairo_move_to(cairo, place(point).x, place(point).y)
      case .line(let point): cairo_line_to(cairo, place(point).x, place(point).y)
      case .quad(let control, let end):
        addCurve(place(current.towards(control, 2 / 3)), place(end.towards(control, 2 / 3)), place(end))
      case .curve(let first, let second, let end): addCurve(place(first), place(second), place(end))
      case .close: cairo_close_path(cairo)
      }
      current = step.points.last ?? current
    }
    applyTransform()
  }

  private func addCurve(
    _ first: (x: Double, y: Double), _ second: (x: Double, y: Double), _ end: (x: Double, y: Double)
  ) {
    cairo_curve_to(cairo, first.x, first.y, second.x, second.y, end.x, end.y)
  }

  /// Whether the line along the path covers a point of user space.
  func strokeContains(_ point: CGPoint) -> Bool {
    guard !state.isDegenerate, !outline.steps.isEmpty, point.x.isFinite, point.y.isFinite else {
      return false
    }
    takePath(.winding)
    defer { cairo_new_path(cairo) }
    return cairo_in_stroke(cairo, point.x, point.y) != 0
  }
}

extension CGPoint {
  /// The point at a share of the way to another one.
  fileprivate func towards(_ other: CGPoint, _ share: CGFloat) -> CGPoint {
    CGPoint(x: x + share * (other.x - x), y: y + share * (other.y - y))
  }
}
