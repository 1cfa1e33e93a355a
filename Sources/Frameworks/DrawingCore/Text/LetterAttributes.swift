internal import CPangoCairo
internal import Foundation
internal import GraphicsCore

/// The attributes of a text's letters as Pango takes them, by bytes of UTF-8.
final class LetterAttributes {
  struct Stroke {
    let bytes: Range<Int>
    let color: CGColor
    let width: CGFloat
  }

  let list = cam_pango_attr_list_new()
  private(set) var strokes: [Stroke] = []

  init(_ text: NSAttributedString) {
    // An attribute may begin inside of a letter of two UTF-16 units, but Pango takes whole ones.
    var offsets: [Int] = []
    var end = 0
    for scalar in text.string.unicodeScalars {
      offsets += [Int](repeating: end, count: UTF16.width(scalar))
      end += UTF8.width(scalar)
    }
    offsets.append(end)
    text.enumerateAttributes(in: NSRange(location: 0, length: text.length), options: []) {
      attributes, range, _ in
      add(attributes, offsets[range.location]..<offsets[range.location + range.length])
    }
  }

  deinit {
    cam_pango_attr_list_unref(list)
  }

  private func add(_ attributes: [NSAttributedString.Key: Any], _ bytes: Range<Int>) {
    let font = attributes[.font] as? UIFont ?? .systemFont(ofSize: 12)
    let description = font.makeDescription()
    defer { cam_pango_font_description_free(description) }
    insert(cam_pango_attr_font_desc_new(description), bytes)
    let color = attributes.color(.foregroundColor) ?? .black
    let stroke = attributes.number(.strokeWidth).flatMap { $0.isFinite ? $0 : nil } ?? 0
    if stroke != 0 {
      strokes.append(
        Stroke(
          bytes: bytes, color: attributes.color(.strokeColor) ?? color,
          width: abs(stroke) / 100 * font.pointSize))
    }
    let (numbers, alpha) = Self.numbers(color)
    insert(cam_pango_attr_foreground_new(numbers.x, numbers.y, numbers.z), bytes)
    // A line alone leaves the letters themselves out.
    insert(cam_pango_attr_foreground_alpha_new(stroke > 0 ? 1 : max(1, alpha)), bytes)
    if let background = attributes.color(.backgroundColor) {
      let (numbers, alpha) = Self.numbers(background)
      insert(cam_pango_attr_background_new(numbers.x, numbers.y, numbers.z), bytes)
      insert(cam_pango_attr_background_alpha_new(max(1, alpha)), bytes)
    }
    if let kern = attributes.number(.kern) {
      insert(cam_pango_attr_letter_spacing_new(kern.pangoUnits), bytes)
    }
    if let raise = attributes.number(.baselineOffset) {
      insert(cam_pango_attr_rise_new(raise.pangoUnits), bytes)
    }
    if let underline = attributes.number(.underlineStyle), underline != 0 {
      let isDouble = NSUnderlineStyle(rawValue: Int(exactly: underline) ?? 1).contains(.double)
      insert(
        cam_pango_attr_underline_new(isDouble ? CAM_PANGO_UNDERLINE_DOUBLE : CAM_PANGO_UNDERLINE_SINGLE),
        bytes)
    }
    if let line = attributes.number(.strikethroughStyle), line != 0 {
      insert(cam_pango_attr_strikethrough_new(1), bytes)
    }
  }

  private func insert(_ attribute: UnsafeMutablePointer<CamPangoAttribute>?, _ bytes: Range<Int>) {
    attribute?.pointee.start_index = guint(bytes.lowerBound)
    attribute?.pointee.end_index = guint(bytes.upperBound)
    cam_pango_attr_list_insert(list, attribute)
  }

  /// A colour in sRGB, in sixteen bits.
  private static func numbers(_ color: CGColor) -> (SIMD3<UInt16>, alpha: UInt16) {
    let values =
      color.converted(to: .standardRGB, intent: .defaultIntent, options: nil)?.components ?? [0, 0, 0, 1]
    let numbers = values.map { UInt16((min(1, max(0, $0)) * 65535).rounded()) }
    return (SIMD3(numbers[0], numbers[1], numbers[2]), numbers[3])
  }
}

extension CGFloat {
  /// Points as Pango counts them; 0 for what is no number, and not more than it can count.
  var pangoUnits: Int32 {
    isNaN ? 0 : Int32(Swift.max(-1_000_000, Swift.min(self, 1_000_000)) * CGFloat(CAM_PANGO_SCALE))
  }
}
