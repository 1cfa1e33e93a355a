internal import DrawingCore
internal import Foundation
internal import GraphicsCore

extension FilterDefinition {
  /// Filters that draw text: its lines, as wide as they are, on nothing.
  static let textFilters: [FilterDefinition] = [
    FilterDefinition(
      "CITextImageGenerator", kCICategoryGenerator,
      [
        FilterInput(key: "inputText", kind: .text("")),
        FilterInput(key: "inputFontName", kind: .text("HelveticaNeue")),
        .number("inputFontSize", 12, 9...128, limits: 0...2000),
        .number("inputScaleFactor", 1, 1...4, limits: 0...100),
        .number("inputPadding", 0, 0...200, limits: 0...2000),
      ]
    ) { values in
      let size = CGFloat(values.number("inputFontSize"))
      let font = UIFont(name: values.text("inputFontName"), size: size) ?? .systemFont(ofSize: size)
      return CIImage(
        drawing: NSAttributedString(
          string: values.text("inputText"), attributes: [.font: font, .foregroundColor: UIColor.white]),
        scale: values.number("inputScaleFactor"), padding: values.number("inputPadding"))
    },
    FilterDefinition(
      "CIAttributedTextImageGenerator", kCICategoryGenerator,
      [
        FilterInput(key: "inputText", kind: .attributedText),
        .number("inputScaleFactor", 1, 1...4, limits: 0...100),
        .number("inputPadding", 0, 0...200, limits: 0...2000),
      ]
    ) { values in
      values.attributedText("inputText").flatMap {
        CIImage(
          drawing: $0, scale: values.number("inputScaleFactor"), padding: values.number("inputPadding"))
      }
    },
  ]
}

extension CIImage {
  /// A text, with `padding` points of nothing around it, `scale` pixels to a point; `nil` without letters, and for more pixels than
  /// can be drawn.
  fileprivate convenience init?(drawing text: NSAttributedString, scale: Double, padding: Double) {
    let layout = TextLayout(text, width: nil)
    let size = layout.size
    guard text.length > 0,
      let context = CGContext(
        bounds: CGRect(
          x: -padding, y: -padding, width: size.width + 2 * padding, height: size.height + 2 * padding),
        scale: scale)
    else { return nil }
    layout.draw(in: context, at: .zero)
    guard let picture = context.makeImage() else { return nil }
    self.init(cgImage: picture)
  }
}
