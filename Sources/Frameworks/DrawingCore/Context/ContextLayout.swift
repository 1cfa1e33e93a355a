internal import CPangoCairo
internal import GraphicsCore

/// The layout of a context's pixels, among those that can be drawn into where they lie.
enum ContextLayout {
  /// Blue, green, red, alpha in memory, multiplied by alpha; the library's own.
  case bgra
  /// Red first. Drawn with red and blue exchanged in all sources.
  case rgba
  /// As ``bgra``, with a byte that means nothing.
  case bgrx
  /// As ``rgba``, with a byte that means nothing.
  case rgbx
  /// Alpha only.
  case alpha

  /// - Returns: `nil` for every other layout.
  init?(_ bitmapInfo: CGBitmapInfo, bitsPerComponent: Int, space: CGColorSpace?) {
    guard bitsPerComponent == 8, !bitmapInfo.contains(.floatComponents),
      let alpha = CGImageAlphaInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.alphaInfoMask.rawValue),
      let order = CGImageByteOrderInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.byteOrderMask.rawValue)
    else { return nil }
    let isNamedOrder = order == .orderDefault || order == .order32Big
    switch (alpha, space?.model) {
    case (.premultipliedLast, .rgb?) where isNamedOrder: self = .rgba
    case (.noneSkipLast, .rgb?) where isNamedOrder: self = .rgbx
    case (.premultipliedFirst, .rgb?) where order == .order32Little: self = .bgra
    case (.noneSkipFirst, .rgb?) where order == .order32Little: self = .bgrx
    case (.alphaOnly, nil), (.alphaOnly, .monochrome?): self = .alpha
    default: return nil
    }
  }

  var bytesPerPixel: Int { self == .alpha ? 1 : 4 }

  /// The order of red and blue; the library's own where there is no colour.
  var order: PixelOrder { self == .rgba || self == .rgbx ? .rgba : .bgra }

  var cairoFormat: cairo_format_t {
    switch self {
    case .bgra, .rgba: CAIRO_FORMAT_ARGB32
    case .bgrx, .rgbx: CAIRO_FORMAT_RGB24
    case .alpha: CAIRO_FORMAT_A8
    }
  }
}
