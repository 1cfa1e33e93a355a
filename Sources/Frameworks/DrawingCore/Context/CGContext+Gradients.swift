internal import CPangoCairo
public import Foundation

extension CGContext {
  /// Paints everything that is not clipped with colours that change along a line.
  public func drawLinearGradient(
    _ gradient: CGGradient, start startPoint: CGPoint, end endPoint: CGPoint,
    options: CGGradientDrawingOptions
  ) {
    guard [startPoint.x, startPoint.y, endPoint.x, endPoint.y].allSatisfy(\.isFinite) else { return }
    draw(
      gradient, cairo_pattern_create_linear(startPoint.x, startPoint.y, endPoint.x, endPoint.y), options)
  }

  /// Paints everything that is not clipped with colours that change from one circle to another.
  public func drawRadialGradient(
    _ gradient: CGGradient, startCenter: CGPoint, startRadius: CGFloat, endCenter: CGPoint,
    endRadius: CGFloat,
    options: CGGradientDrawingOptions
  ) {
    let numbers = [startCenter.x, startCenter.y, endCenter.x, endCenter.y, startRadius, endRadius]
    guard numbers.allSatisfy(\.isFinite), startRadius >= 0, endRadius >= 0 else { return }
    draw(
      gradient,
      cairo_pattern_create_radial(
        startCenter.x, startCenter.y, startRadius, endCenter.x, endCenter.y, endRadius), options)
  }

  private func draw(_ gradient: CGGradient, _ pattern: OpaquePointer?, _ options: CGGradientDrawingOptions) {
    defer { cairo_pattern_destroy(pattern) }
    guard !state.isDegenerate else { return }
    paint { [self] in
      var stops = gradient.stops.sorted { $0.location < $1.location }.map { stop in
        (place: min(1, max(0, stop.location)), color: components(of: stop.color), alpha: state.alpha)
      }
      guard let first = stops.first, let last = stops.last else { return }
      stops = [(0, first.color, first.alpha)] + stops + [(1, last.color, last.alpha)]
      // A side that is not to be painted goes on with a colour that is not seen.
      if !options.contains(.drawsBeforeStartLocation) { stops.insert((0, first.color, 0), at: 0) }
      if !options.contains(.drawsAfterEndLocation) { stops.append((1, last.color, 0)) }
      for stop in stops {
        let (red, green, blue, alpha) = stop.color
        cairo_pattern_add_color_stop_rgba(pattern, stop.place, red, green, blue, alpha * stop.alpha)
      }
      cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
      cairo_set_source(cairo, pattern)
      cairo_paint(cairo)
    }
  }
}
