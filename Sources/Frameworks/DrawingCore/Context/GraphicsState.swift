internal import CPangoCairo
internal import Foundation
internal import GraphicsCore

/// What a context draws with, as far as the library underneath does not keep it.
struct GraphicsState {
  struct Shadow {
    /// In the context's base space.
    var offset: CGSize
    var blur: CGFloat
    var color: CGColor
  }

  /// A picture whose luminance or alpha lets through what is drawn.
  struct Mask {
    let surface: CairoSurface
    /// From the mask's pixels to the library's device space.
    let place: CGAffineTransform
  }

  /// From user space to device space, y up.
  var ctm: CGAffineTransform
  var fillColor = CGColor.black
  var strokeColor = CGColor.black
  var alpha: CGFloat = 1
  var blendMode = CGBlendMode.normal
  var shadow: Shadow?
  var masks: [Mask] = []
  var interpolationQuality = CGInterpolationQuality.default

  /// Whether nothing can be drawn, for the transform takes everything to a line or nowhere.
  var isDegenerate: Bool {
    let area = ctm.a * ctm.d - ctm.b * ctm.c
    return !area.isFinite || abs(area) < 1e-12 || !ctm.tx.isFinite || !ctm.ty.isFinite
  }
}

/// A state to go back to.
enum SavedState {
  case state(GraphicsState)
  /// What a transparency layer is painted with when it ends.
  case layer(GraphicsState)
}

/// A picture of the library's, kept as long as this.
final class CairoSurface {
  let pointer: OpaquePointer
  /// The pixels, where the library does not keep them itself.
  private let memory: UnsafeMutableRawPointer?

  /// Takes over a surface, and memory to free after it.
  init?(_ pointer: OpaquePointer?, memory: UnsafeMutableRawPointer? = nil) {
    guard let pointer, cairo_surface_status(pointer) == CAIRO_STATUS_SUCCESS else {
      if let pointer { cairo_surface_destroy(pointer) }
      free(memory)
      return nil
    }
    self.pointer = pointer
    self.memory = memory
  }

  deinit {
    cairo_surface_destroy(pointer)
    free(memory)
  }
}

extension cairo_matrix_t {
  init(_ transform: CGAffineTransform) {
    self.init(
      xx: transform.a, yx: transform.b, xy: transform.c, yy: transform.d, x0: transform.tx, y0: transform.ty)
  }
}
