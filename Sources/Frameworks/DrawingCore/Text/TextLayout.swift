internal import CPangoCairo
package import Foundation
internal import GraphicsCore

/// A text that has been broken into lines; one thread's.
///
/// Pango does it: any script, from right to left too, letters from other fonts where the font lacks them.
package final class TextLayout {
  private let context = TextContext()
  private let layout: OpaquePointer?
  private let style: NSParagraphStyle
  private let width: CGFloat?
  private let strokes: [LetterAttributes.Stroke]
  private let shadow: NSShadow?

  /// Lays out a text.
  ///
  /// - Parameter width: The room for a line, in points; `nil` for as much as the text needs.
  package init(_ text: NSAttributedString, width: CGFloat?) {
    layout = cam_pango_layout_new(context.pointer)
    let string = text.string
    let first = string.isEmpty ? [:] : text.attributes(at: 0, effectiveRange: nil)
    style = first[.paragraphStyle] as? NSParagraphStyle ?? .default
    shadow = first[.shadow] as? NSShadow
    self.width = width
    let attributes = LetterAttributes(text)
    strokes = attributes.strokes
    let plain = UIFont.systemFont(ofSize: 12).makeDescription()
    cam_pango_layout_set_font_description(layout, plain)
    cam_pango_font_description_free(plain)
    string.withCString { cam_pango_layout_set_text(layout, $0, Int32(string.utf8.count)) }
    cam_pango_layout_set_attributes(layout, attributes.list)
    shapeParagraph()
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(layout))
  }

  private func shapeParagraph() {
    if let width {
      cam_pango_layout_set_width(layout, max(0, width.pangoUnits))
    }
    switch style.alignment {
    case .left, .natural, .justified: cam_pango_layout_set_alignment(layout, CAM_PANGO_ALIGN_LEFT)
    case .center: cam_pango_layout_set_alignment(layout, CAM_PANGO_ALIGN_CENTER)
    case .right: cam_pango_layout_set_alignment(layout, CAM_PANGO_ALIGN_RIGHT)
    }
    cam_pango_layout_set_auto_dir(layout, style.alignment == .natural ? 1 : 0)
    cam_pango_layout_set_justify(layout, style.alignment == .justified ? 1 : 0)
    switch style.lineBreakMode {
    case .byWordWrapping: cam_pango_layout_set_wrap(layout, CAM_PANGO_WRAP_WORD_CHAR)
    case .byCharWrapping: cam_pango_layout_set_wrap(layout, CAM_PANGO_WRAP_CHAR)
    case .byClipping: cam_pango_layout_set_width(layout, -1)
    case .byTruncatingHead: cam_pango_layout_set_ellipsize(layout, CAM_PANGO_ELLIPSIZE_START)
    case .byTruncatingTail: cam_pango_layout_set_ellipsize(layout, CAM_PANGO_ELLIPSIZE_END)
    case .byTruncatingMiddle: cam_pango_layout_set_ellipsize(layout, CAM_PANGO_ELLIPSIZE_MIDDLE)
    }
    cam_pango_layout_set_spacing(layout, style.lineSpacing.pangoUnits)
    cam_pango_layout_set_indent(layout, max(0, style.firstLineHeadIndent.pangoUnits))
  }

  /// How much room the text takes, in points.
  package var size: CGSize {
    var logical = CamPangoRectangle()
    cam_pango_layout_get_extents(layout, nil, &logical)
    return CGSize(
      width: CGFloat(logical.width) / CGFloat(CAM_PANGO_SCALE),
      height: CGFloat(logical.height) / CGFloat(CAM_PANGO_SCALE))
  }

  /// How far below the text's upper edge its first line stands, in points.
  package var baseline: CGFloat { CGFloat(cam_pango_layout_get_baseline(layout)) / CGFloat(CAM_PANGO_SCALE) }

  /// The height of those of its lines that fit into a height, the first one always.
  package func height(ofLinesWithin limit: CGFloat) -> CGFloat {
    guard let lines = cam_pango_layout_get_iter(layout) else { return 0 }
    defer { cam_pango_layout_iter_free(lines) }
    var height: CGFloat = 0
    repeat {
      var (top, bottom) = (Int32(0), Int32(0))
      cam_pango_layout_iter_get_line_yrange(lines, &top, &bottom)
      let end = CGFloat(bottom) / CGFloat(CAM_PANGO_SCALE)
      if height > 0, end > limit + 0.5 { break }
      height = end
    } while cam_pango_layout_iter_next_line(lines) != 0
    return height
  }

  /// Draws the text, the upper left corner of its room at `origin`, in a context whose y axis points down.
  package func draw(in context: CGContext, at origin: CGPoint) {
    guard !context.state.isDegenerate, origin.x.isFinite, origin.y.isFinite else { return }
    context.saveGState()
    if let shadow, let color = [NSAttributedString.Key: Any].color(shadow.shadowColor) {
      context.setShadow(offset: shadow.shadowOffset, blur: shadow.shadowBlurRadius, color: color)
    }
    // Pango knows nothing of the context's alpha.
    let isFaint = context.state.alpha < 1
    if isFaint { context.beginTransparencyLayer(auxiliaryInfo: nil) }
    drawLetters(in: context, at: origin)
    if isFaint { context.endTransparencyLayer() }
    context.restoreGState()
  }

  private func drawLetters(in context: CGContext, at origin: CGPoint) {
    let cairo = context.cairo
    cairo_save(cairo)
    defer { cairo_restore(cairo) }
    // What is painted as one picture need not be as large as the context; a shadow may lie anywhere.
    if context.state.shadow == nil { clip(cairo, around: origin) }
    context.paint(in: .bgra) {
      cairo_save(cairo)
      cairo_new_path(cairo)
      cairo_translate(cairo, origin.x + indentOfClippedLines, origin.y)
      cairo_move_to(cairo, 0, 0)
      cam_pango_cairo_update_layout(cairo, layout)
      context.setSource(.black)
      cam_pango_cairo_show_layout(cairo, layout)
      for stroke in strokes { draw(stroke, in: context) }
      cairo_restore(cairo)
    }
  }

  /// Draws only where letters can be, whose swashes and lines reach beyond their room.
  private func clip(_ cairo: OpaquePointer, around origin: CGPoint) {
    var (ink, logical) = (CamPangoRectangle(), CamPangoRectangle())
    cam_pango_layout_get_extents(layout, &ink, &logical)
    let scale = Double(CAM_PANGO_SCALE)
    let (left, top) = (Double(min(ink.x, logical.x)) / scale, Double(min(ink.y, logical.y)) / scale)
    let right = Double(max(ink.x + ink.width, logical.x + logical.width)) / scale
    let bottom = Double(max(ink.y + ink.height, logical.y + logical.height)) / scale
    let margin = 4 + (strokes.map { Double($0.width) }.max() ?? 0)
    cairo_new_path(cairo)
    cairo_rectangle(
      cairo, origin.x + indentOfClippedLines + left - margin, origin.y + top - margin,
      right - left + 2 * margin, bottom - top + 2 * margin)
    cairo_clip(cairo)
  }

  /// How far lines that may go on beyond the edge are moved to the right: Pango aligns them only among themselves.
  private var indentOfClippedLines: CGFloat {
    guard style.lineBreakMode == .byClipping, let width else { return 0 }
    switch style.alignment {
    case .left, .natural, .justified: return 0
    case .center: return (width - size.width) / 2
    case .right: return width - size.width
    }
  }

  /// Draws the line around the letters of some bytes of the text.
  private func draw(_ stroke: LetterAttributes.Stroke, in context: CGContext) {
    guard let runs = cam_pango_layout_get_iter(layout) else { return }
    defer { cam_pango_layout_iter_free(runs) }
    let cairo = context.cairo
    cairo_new_path(cairo)
    repeat {
      guard let run = cam_pango_layout_iter_get_run_readonly(runs)?.pointee, let item = run.item?.pointee,
        stroke.bytes.contains(Int(item.offset))
      else { continue }
      var place = CamPangoRectangle()
      cam_pango_layout_iter_get_run_extents(runs, nil, &place)
      let baseline = cam_pango_layout_iter_get_baseline(runs)
      cairo_move_to(
        cairo, Double(place.x) / Double(CAM_PANGO_SCALE), Double(baseline) / Double(CAM_PANGO_SCALE))
      cam_pango_cairo_glyph_string_path(cairo, item.analysis.font, run.glyphs)
    } while cam_pango_layout_iter_next_run(runs) != 0
    context.setSource(stroke.color)
    cairo_set_line_width(cairo, stroke.width)
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    cairo_set_dash(cairo, nil, 0, 0)
    cairo_stroke(cairo)
  }
}
