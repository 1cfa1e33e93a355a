internal import DrawingCore
internal import Foundation
internal import GraphicsCore

/// The values of a shape layer's own properties that animations change.
struct ShapeValues {
  var path: CGPath?
  var fillColor: CGColor?
  var strokeColor: CGColor?
  var strokeStart: CGFloat
  var strokeEnd: CGFloat
  var lineWidth: CGFloat
  var miterLimit: CGFloat
  var lineDashPhase: CGFloat

  init(_ layer: CAShapeLayer) {
    (path, fillColor, strokeColor) = (layer.path, layer.fillColor, layer.strokeColor)
    (strokeStart, strokeEnd) = (layer.strokeStart, layer.strokeEnd)
    (lineWidth, miterLimit, lineDashPhase) = (layer.lineWidth, layer.miterLimit, layer.lineDashPhase)
  }

  func put(into layer: CAShapeLayer) {
    (layer.path, layer.fillColor, layer.strokeColor) = (path, fillColor, strokeColor)
    (layer.strokeStart, layer.strokeEnd) = (strokeStart, strokeEnd)
    (layer.lineWidth, layer.miterLimit, layer.lineDashPhase) = (lineWidth, miterLimit, lineDashPhase)
  }

  private static let numbers: [String: any WritableKeyPath<ShapeValues, CGFloat> & Sendable] = [
    "strokeStart": \.strokeStart, "strokeEnd": \.strokeEnd, "lineWidth": \.lineWidth,
    "miterLimit": \.miterLimit, "lineDashPhase": \.lineDashPhase,
  ]
  private static let clear = CGColor(red: 0, green: 0, blue: 0, alpha: 0)

  /// The value of a key path; setting one of another kind changes nothing.
  subscript(keyPath: String) -> AnimatedValue? {
    get {
      if let path = Self.numbers[keyPath] { return .number(Double(self[keyPath: path])) }
      switch keyPath {
      case "path": return path.map { .path($0) }
      case "fillColor": return .color(fillColor ?? Self.clear)
      case "strokeColor": return .color(strokeColor ?? Self.clear)
      default: return nil
      }
    }
    set {
      switch (keyPath, newValue) {
      case ("path", .path(let value)): path = value
      case ("fillColor", .color(let value)): fillColor = value
      case ("strokeColor", .color(let value)): strokeColor = value
      case (_, .number(let value)):
        if let path = Self.numbers[keyPath] { self[keyPath: path] = CGFloat(value) }
      default: break
      }
    }
  }
}
