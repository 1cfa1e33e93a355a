internal import CPangoCairo
public import Foundation
public import GraphicsCore
internal import PixelTransforms

extension CGContext {
  /// Paints a picture over a rectangle, its upper side where y is greatest.
  ///
  /// A picture that is larger than its place is shrunk by means over all of its pixels.
  ///
  /// - Parameter byTiling: Whether the rectangle is the first of tiles that fill all that is not clipped.
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
    let rect = rect.standardized
    guard !state.isDegenerate, rect.isDrawable,
      let limit = pixelSize(of: rect)
    else { return }
    paint { [self] in
      let isExact = state.interpolationQuality == .none
      guard
        let pixels = ImagePixels(
          image, order: sourceOrder, space: colorSpace, limit: isExact ? nil : limit)
      else { return }
      cairo_save(cairo)
      let place = CGAffineTransform(
        a: rect.width / CGFloat(pixels.width), b: 0, c: 0, d: -rect.height / CGFloat(pixels.height),
        tx: rect.minX, ty: rect.maxY)
      var matrix = cairo_matrix_t(place.concatenating(cairoTransform))
      cairo_set_matrix(cairo, &matrix)
      if !byTiling {
        cairo_new_path(cairo)
        cairo_rectangle(cairo, 0, 0, Double(pixels.width), Double(pixels.height))
        cairo_clip(cairo)
      }
      cairo_set_source_surface(cairo, pixels.surface.pointer, 0, 0)
      // Pixels at the edge go on beyond it, or the edge would be half transparent.
      cairo_pattern_set_extend(cairo_get_source(cairo), byTiling ? CAIRO_EXTEND_REPEAT : CAIRO_EXTEND_PAD)
      cairo_pattern_set_filter(cairo_get_source(cairo), filter)
      cairo_paint_with_alpha(cairo, state.alpha)
      cairo_restore(cairo)
    }
  }

  /// Draws from now on only where a picture lies and lets it through, too: as much as its alpha says.
  ///
  /// - Parameter mask: A picture with alpha; one without lets through as much as it is light.
  public func clip(to rect: CGRect, mask: CGImage) {
    let rect = rect.standardized
    guard !state.isDegenerate, rect.isDrawable, let surface = mask.maskSurface else { return clip(to: rect) }
    clip(to: rect)
    let place = CGAffineTransform(
      a: rect.width / CGFloat(mask.width), b: 0, c: 0, d: -rect.height / CGFloat(mask.height), tx: rect.minX,
      ty: rect.maxY)
    state.masks.append(GraphicsState.Mask(surface: surface, place: place.concatenating(cairoTransform)))
  }

  /// How many pixels a rectangle covers along its sides; `nil` where that is beyond sense.
  private func pixelSize(of rect: CGRect) -> PixelSize? {
    let (width, height) = (
      rect.width * hypot(state.ctm.a, state.ctm.b), rect.height * hypot(state.ctm.c, state.ctm.d)
    )
    guard width < 1e6, height < 1e6 else { return nil }
    return PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
  }

  private var filter: cairo_filter_t {
    switch state.interpolationQuality {
    case .none: CAIRO_FILTER_NEAREST
    case .low: CAIRO_FILTER_BILINEAR
    case .default, .medium: CAIRO_FILTER_GOOD
    case .high: CAIRO_FILTER_BEST
    }
  }
}

extension CGRect {
  /// Whether there is something to draw in it.
  var isDrawable: Bool {
    !isNull && !isInfinite && origin.x.isFinite && origin.y.isFinite && width.isFinite && height.isFinite
      && width > 0 && height > 0
  }
}

extension CGImage {
  /// What a picture lets through as a mask.
  fileprivate var maskSurface: CairoSurface? {
    let stride = (width + 3) / 4 * 4
    guard let memory = malloc(stride * height)?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let pixels = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4 * width * height)
    defer { pixels.deallocate() }
    if let base = pixels.baseAddress {
      copyPixels8(into: base, bytesPerRow: 4 * width, order: .rgba, alpha: .premultiplied)
    }
    let usesAlpha = layout.alphaOffset != nil
    for y in 0..<height {
      for x in 0..<width {
        let pixel = 4 * (y * width + x)
        // Luma by BT.709, in 1/256.
        let light =
          (54 * Int(pixels[pixel]) + 183 * Int(pixels[pixel + 1]) + 19 * Int(pixels[pixel + 2])) / 256
        memory[y * stride + x] = usesAlpha ? pixels[pixel + 3] : UInt8(light)
      }
    }
    return CairoSurface(
      cairo_image_surface_create_for_data(
        memory, CAIRO_FORMAT_A8, Int32(width), Int32(height), Int32(stride)),
      memory: memory)
  }
}
