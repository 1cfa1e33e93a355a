internal import CPangoCairo
public import Foundation
public import FoundationExtras
internal import GraphicsCore

extension CGContext {
  /// Begins a layer: what is drawn until ``endTransparencyLayer()`` is painted as one picture, with the alpha, the blend mode and
  /// the shadow of now.
  ///
  /// Inside the layer these are at first 1, normal and none.
  public func beginTransparencyLayer(auxiliaryInfo: CFDictionary?) {
    saved.append(.layer(state))
    cairo_push_group(cairo)
    state.alpha = 1
    state.blendMode = .normal
    state.shadow = nil
    state.masks = []
  }

  /// Begins a layer for what is drawn inside of a rectangle.
  public func beginTransparencyLayer(in rect: CGRect, auxiliaryInfo: CFDictionary?) {
    beginTransparencyLayer(auxiliaryInfo: auxiliaryInfo)
    clip(to: rect)
  }

  /// Ends the layer and paints it; without one, a programming mistake without effect.
  public func endTransparencyLayer() {
    guard case .layer(let outer)? = saved.last else {
      return ProgrammingMistake.report(
        rule:
          "endTransparencyLayer() needs a beginTransparencyLayer before it, and as many restoreGState() as saveGState() "
          + "in between.")
    }
    saved.removeLast()
    let picture = cairo_pop_group(cairo)
    defer { cairo_pattern_destroy(picture) }
    state = outer
    applyTransform()
    guard !state.isDegenerate else { return }
    paint(in: layout.order) { [self] in
      cairo_set_source(cairo, picture)
      cairo_paint_with_alpha(cairo, state.alpha)
    }
  }

  // MARK: Painting

  /// Paints with the blend mode, the shadow and the masks.
  ///
  /// - Parameters:
  ///   - order: The order of red and blue in what is painted; `nil` for either, as ``sourceOrder`` says while `draw` runs.
  ///   - draw: Sets sources and paints, with the operator that is set.
  func paint(in order: PixelOrder? = nil, _ draw: () -> Void) {
    let mode = state.blendMode
    // Hue and the like weigh red and blue differently, and take blue to be first.
    let targetOrder = mode.isSeparable ? layout.order : .bgra
    let target = targetOrder == layout.order ? nil : cairo_get_group_target(cairo).map { PixelGroup($0) }
    target?.swapRedAndBlue()
    sourceOrder = order ?? targetOrder
    defer {
      target?.swapRedAndBlue()
      sourceOrder = layout.order
    }
    guard state.shadow != nil || !state.masks.isEmpty || sourceOrder != targetOrder else {
      cairo_set_operator(cairo, mode.cairoOperator)
      return draw()
    }
    cairo_push_group(cairo)
    cairo_set_operator(cairo, CAIRO_OPERATOR_OVER)
    draw()
    guard let group = cairo_pop_group(cairo) else { return }
    defer { cairo_pattern_destroy(group) }
    var surface: OpaquePointer?
    cairo_pattern_get_surface(group, &surface)
    guard let drawn = surface.map({ PixelGroup($0) }) else { return }
    if sourceOrder != targetOrder { drawn.swapRedAndBlue() }
    sourceOrder = targetOrder
    for mask in state.masks { drawn.multiply(by: mask) }
    cairo_set_operator(cairo, mode.cairoOperator)
    if let shadow = state.shadow { paintShadow(shadow, of: drawn) }
    cairo_set_source(cairo, group)
    cairo_paint(cairo)
  }

  private func paintShadow(_ shadow: GraphicsState.Shadow, of group: PixelGroup) {
    let scale = sqrt(abs(base.a * base.d - base.b * base.c))
    let way = CGPoint(x: shadow.offset.width, y: shadow.offset.height)
      .applying(CGAffineTransform(a: base.a, b: base.b, c: base.c, d: base.d, tx: 0, ty: 0))
    guard let blurred = group.blurredAlpha(radius: shadow.blur * scale) else { return }
    cairo_save(cairo)
    cairo_identity_matrix(cairo)
    // What was drawn is as faint as the context's alpha already.
    setSource(shadow.color, alpha: 1)
    cairo_mask_surface(
      cairo, blurred.surface.pointer, blurred.origin.x + way.x, blurred.origin.y - way.y)
    cairo_restore(cairo)
  }

  /// Makes a colour, converted to the context's space, the source of what is painted next.
  ///
  /// - Parameter alpha: What its alpha is multiplied by; `nil` for the context's.
  func setSource(_ color: CGColor, alpha: CGFloat? = nil) {
    let (red, green, blue, own) = components(of: color)
    cairo_set_source_rgba(cairo, red, green, blue, own * (alpha ?? state.alpha))
  }

  /// A colour in the context's space and in the order of the present sources.
  func components(of color: CGColor) -> (Double, Double, Double, Double) {
    let space = colorSpace ?? .standardRGB
    let found = color.converted(to: space, intent: .defaultIntent, options: nil)?.components ?? [0, 0, 0, 0]
    // The library takes blue to be first.
    let red = sourceOrder == .bgra ? 0 : 2
    return (found[red], found[1], found[2 - red], found[3])
  }
}
