internal import CPangoCairo
internal import Foundation

/// What is known of a font that was found for a request.
struct FontFacts {
  private(set) var name: String
  private(set) var family: String
  private(set) var ascent: CGFloat
  private(set) var descent: CGFloat

  init(_ font: UIFont) {
    (name, family) = (font.request, font.request)
    (ascent, descent) = (font.pointSize, 0)
    let context = TextContext()
    let request = font.makeDescription()
    defer { cam_pango_font_description_free(request) }
    guard let found = cam_pango_context_load_font(context.pointer, request) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(found)) }
    if let description = cam_pango_font_describe(found) {
      defer { cam_pango_font_description_free(description) }
      family = cam_pango_font_description_get_family(description).map { String(cString: $0) } ?? family
      cam_pango_font_description_unset_fields(description, CAM_PANGO_FONT_MASK_SIZE)
      name = FontFamilies.text(of: description) ?? name
    }
    guard let metrics = cam_pango_font_get_metrics(found, nil) else { return }
    defer { cam_pango_font_metrics_unref(metrics) }
    ascent = CGFloat(cam_pango_font_metrics_get_ascent(metrics)) / CGFloat(CAM_PANGO_SCALE)
    descent = CGFloat(cam_pango_font_metrics_get_descent(metrics)) / CGFloat(CAM_PANGO_SCALE)
  }
}

/// The families of fonts that this machine has.
enum FontFamilies {
  /// Whether there is a family of this name, in whatever case; the names that stand for one, as `Sans` does, count too.
  static func contains(_ name: String) -> Bool {
    var families: UnsafeMutablePointer<OpaquePointer?>?
    var count: Int32 = 0
    cam_pango_font_map_list_families(cam_pango_cairo_font_map_get_default(), &families, &count)
    defer { g_free(families) }
    return (0..<Int(count)).contains(where: { index in
      guard let family = families?[index], let found = cam_pango_font_family_get_name(family) else {
        return false
      }
      return String(cString: found).caseInsensitiveCompare(name) == .orderedSame
    })
  }

  static func text(of description: OpaquePointer?) -> String? {
    guard let text = cam_pango_font_description_to_string(description) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }
}

/// What text is laid out with; one thread's.
final class TextContext {
  let pointer: OpaquePointer?

  init() {
    pointer = cam_pango_font_map_create_context(cam_pango_cairo_font_map_get_default())
    let options = cairo_font_options_create()
    defer { cairo_font_options_destroy(options) }
    // Letters stand where they stand at any size, and are gray, for pictures are turned and scaled.
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cam_pango_cairo_context_set_font_options(pointer, options)
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(pointer))
  }
}

extension UIFont {
  /// The font as Pango takes it; the caller frees it.
  func makeDescription() -> OpaquePointer? {
    let description = cam_pango_font_description_from_string(request)
    cam_pango_font_description_set_absolute_size(description, pointSize * Double(CAM_PANGO_SCALE))
    return description
  }
}
