internal import CPangoCairo
public import Foundation
internal import FoundationExtras
public import GraphicsCore

extension CGContext {
  // MARK: Saving

  /// Keeps everything but the path, for ``restoreGState()``.
  public func saveGState() {
    saved.append(.state(state))
    cairo_save(cairo)
  }

  /// Goes back to what was saved last; without such, a programming mistake without effect.
  public func restoreGState() {
    guard case .state(let last)? = saved.last else {
      return ProgrammingMistake.report(
        rule: "restoreGState() needs a saveGState() before it, in the same transparency layer.")
    }
    saved.removeLast()
    state = last
    cairo_restore(cairo)
  }

  // MARK: Coordinates

  /// The transform from user space to device space.
  public var ctm: CGAffineTransform { state.ctm }

  /// The transform from user space to pixels, y up.
  public var userSpaceToDeviceSpaceTransform: CGAffineTransform { state.ctm }

  /// Puts `transform` before the present one.
  public func concatenate(_ transform: CGAffineTransform) {
    state.ctm = transform.concatenating(state.ctm)
    applyTransform()
  }

  /// Moves the origin.
  public func translateBy(x: CGFloat, y: CGFloat) {
    concatenate(CGAffineTransform(translationX: x, y: y))
  }

  /// Stretches the axes.
  ///
  /// Nothing is drawn after a stretch to nothing.
  public func scaleBy(x: CGFloat, y: CGFloat) {
    concatenate(CGAffineTransform(scaleX: x, y: y))
  }

  /// Turns the axes, from x towards y, in radians.
  public func rotate(by angle: CGFloat) {
    concatenate(CGAffineTransform(rotationAngle: angle))
  }

  /// A point of user space in pixels, y up.
  public func convertToDeviceSpace(_ point: CGPoint) -> CGPoint { point.applying(state.ctm) }

  /// A point in pixels, y up, in user space.
  public func convertToUserSpace(_ point: CGPoint) -> CGPoint {
    state.isDegenerate ? point : point.applying(state.ctm.inverted())
  }

  // MARK: Lines

  /// The width of lines, in user space; 1 at first.
  public func setLineWidth(_ width: CGFloat) {
    guard width.isFinite, width >= 0 else { return }
    cairo_set_line_width(cairo, width)
  }

  /// The ends of lines; cut off at first.
  public func setLineCap(_ cap: CGLineCap) {
    switch cap {
    case .butt: cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT)
    case .round: cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
    case .square: cairo_set_line_cap(cairo, CAIRO_LINE_CAP_SQUARE)
    }
  }

  /// The corners of lines; pointed at first.
  public func setLineJoin(_ join: CGLineJoin) {
    switch join {
    case .miter: cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER)
    case .round: cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    case .bevel: cairo_set_line_join(cairo, CAIRO_LINE_JOIN_BEVEL)
    }
  }

  /// How many line widths a corner may stick out before it is cut off; 10 at first.
  public func setMiterLimit(_ limit: CGFloat) {
    if limit.isFinite, limit >= 1 { cairo_set_miter_limit(cairo, limit) }
  }

  /// Breaks lines into dashes.
  ///
  /// - Parameters:
  ///   - phase: Where in the pattern a line begins.
  ///   - lengths: Painted and unpainted lengths in turn; none for whole lines.
  public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
    // The library refuses for good what is negative, or nothing in total.
    guard phase.isFinite, lengths.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return }
    let lengths = lengths.contains { $0 > 0 } ? lengths : []
    cairo_set_dash(cairo, lengths.map { Double($0) }, Int32(lengths.count), phase)
  }

  // MARK: Colours and blending

  /// The colour of fills; black at first.
  public func setFillColor(_ color: CGColor) { state.fillColor = color }

  /// The colour of lines; black at first.
  public func setStrokeColor(_ color: CGColor) { state.strokeColor = color }

  /// The colour of fills, in sRGB.
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.fillColor = CGColor(srgbRed: red, green: green, blue: blue, alpha: alpha)
  }

  /// The colour of lines, in sRGB.
  public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.strokeColor = CGColor(srgbRed: red, green: green, blue: blue, alpha: alpha)
  }

  /// A gray for fills.
  public func setFillColor(gray: CGFloat, alpha: CGFloat) {
    state.fillColor = CGColor(gray: gray, alpha: alpha)
  }

  /// A gray for lines.
  public func setStrokeColor(gray: CGFloat, alpha: CGFloat) {
    state.strokeColor = CGColor(gray: gray, alpha: alpha)
  }

  /// What every alpha is multiplied by, 0…1; 1 at first.
  public func setAlpha(_ alpha: CGFloat) {
    if !alpha.isNaN { state.alpha = min(1, max(0, alpha)) }
  }

  /// How what is painted is mixed with what is there.
  public func setBlendMode(_ mode: CGBlendMode) { state.blendMode = mode }

  /// Gives everything that is painted a shadow.
  ///
  /// - Parameters:
  ///   - offset: In the context's first coordinates, whatever its transform is now.
  ///   - blur: How far the edge is spread; 0 for a sharp one.
  ///   - color: `nil` for no shadow.
  public func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {
    guard offset.width.isFinite, offset.height.isFinite, blur.isFinite else { return }
    state.shadow = color.flatMap { color in
      color.alpha > 0 ? GraphicsState.Shadow(offset: offset, blur: max(0, blur), color: color) : nil
    }
  }

  /// Gives everything that is painted a black shadow of a third's opacity.
  public func setShadow(offset: CGSize, blur: CGFloat) {
    setShadow(offset: offset, blur: blur, color: CGColor(gray: 0, alpha: 1 / 3))
  }

  /// Gives everything that is painted a shadow, whose offset and blur are measured in user space as it is now.
  package func setShadow(offsetInUserSpace offset: CGSize, blurInUserSpace blur: CGFloat, color: CGColor?) {
    guard !state.isDegenerate else { return }
    let way = state.ctm.concatenating(base.inverted())
    let moved = CGSize(
      width: offset.width * way.a + offset.height * way.c,
      height: offset.width * way.b + offset.height * way.d)
    setShadow(offset: moved, blur: blur * sqrt(abs(way.a * way.d - way.b * way.c)), color: color)
  }

  /// Whether edges are smooth; so at first.
  public func setShouldAntialias(_ shouldAntialias: Bool) {
    cairo_set_antialias(cairo, shouldAntialias ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE)
  }

  /// How pictures are scaled.
  public var interpolationQuality: CGInterpolationQuality {
    get { state.interpolationQuality }
    set { state.interpolationQuality = newValue }
  }

  // MARK: The library's state

  /// From user space to the library's pixels, whose y axis points down.
  var cairoTransform: CGAffineTransform {
    state.ctm.concatenating(CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(height)))
  }

  /// Gives the library the transform.
  func applyTransform() {
    // One matrix without an inverse would end the library's drawing for good.
    guard !state.isDegenerate else { return }
    var matrix = cairo_matrix_t(cairoTransform)
    cairo_set_matrix(cairo, &matrix)
  }
}

/// How well pictures are scaled.
///
/// Apple: `CGInterpolationQuality`.
public enum CGInterpolationQuality: Int32, Sendable {
  /// As the context thinks best: smooth.
  case `default` = 0
  /// The nearest pixel.
  case none = 1
  /// Smooth, quickly.
  case low = 2
  /// Smooth.
  case medium = 4
  /// As well as possible.
  case high = 3
}
