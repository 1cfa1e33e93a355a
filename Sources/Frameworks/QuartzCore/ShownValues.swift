internal import DrawingCore
internal import Foundation
internal import GraphicsCore

/// The values of a layer's properties that animations change.
struct ShownValues {
  var position: CGPoint
  var bounds: CGRect
  var zPosition: CGFloat
  var anchorPoint: CGPoint
  var transform: CATransform3D
  var opacity: Float
  var cornerRadius: CGFloat
  var borderWidth: CGFloat
  var shadowOpacity: Float
  var shadowRadius: CGFloat
  var backgroundColor: CGColor?
  var borderColor: CGColor?
  /// Of a shape layer alone.
  var shape: ShapeValues?

  init(_ layer: CALayer) {
    (position, bounds, zPosition) = (layer.position, layer.bounds, layer.zPosition)
    (anchorPoint, transform, opacity) = (layer.anchorPoint, layer.transform, layer.opacity)
    (cornerRadius, borderWidth) = (layer.cornerRadius, layer.borderWidth)
    (shadowOpacity, shadowRadius) = (layer.shadowOpacity, layer.shadowRadius)
    (backgroundColor, borderColor) = (layer.backgroundColor, layer.borderColor)
    shape = (layer as? CAShapeLayer).map { ShapeValues($0) }
  }

  func put(into layer: CALayer) {
    (layer.position, layer.bounds, layer.zPosition) = (position, bounds, zPosition)
    (layer.anchorPoint, layer.transform, layer.opacity) = (anchorPoint, transform, opacity)
    (layer.cornerRadius, layer.borderWidth) = (cornerRadius, borderWidth)
    (layer.shadowOpacity, layer.shadowRadius) = (shadowOpacity, shadowRadius)
    (layer.backgroundColor, layer.borderColor) = (backgroundColor, borderColor)
    if let layer = layer as? CAShapeLayer { shape?.put(into: layer) }
  }

  /// Of numbers, by key path.
  private static let numbers: [String: any WritableKeyPath<ShownValues, CGFloat> & Sendable] = [
    "position.x": \.position.x, "position.y": \.position.y, "bounds.origin.x": \.bounds.origin.x,
    "bounds.origin.y": \.bounds.origin.y, "bounds.size.width": \.bounds.size.width,
    "bounds.size.height": \.bounds.size.height, "zPosition": \.zPosition,
    "anchorPoint.x": \.anchorPoint.x,
    "anchorPoint.y": \.anchorPoint.y, "cornerRadius": \.cornerRadius, "borderWidth": \.borderWidth,
    "shadowRadius": \.shadowRadius, "transform.scale.x": \.parts.scaleX,
    "transform.scale.y": \.parts.scaleY,
    "transform.scale": \.scale, "transform.rotation": \.parts.turn,
    "transform.rotation.z": \.parts.turn,
    "transform.translation.x": \.parts.shift.x, "transform.translation.y": \.parts.shift.y,
  ]

  private var parts: TransformParts {
    get { TransformParts(transform) }
    set { transform = newValue.transform }
  }

  private var scale: CGFloat {
    get { (parts.scaleX + parts.scaleY) / 2 }
    set {
      parts.scaleX = newValue
      parts.scaleY = newValue
    }
  }

  /// The value of a key path; setting one of another kind changes nothing.
  subscript(keyPath: String) -> AnimatedValue? {
    get {
      if let path = Self.numbers[keyPath] { return .number(Double(self[keyPath: path])) }
      switch keyPath {
      case "opacity": return .number(Double(opacity))
      case "shadowOpacity": return .number(Double(shadowOpacity))
      case "position": return .point(position)
      case "anchorPoint": return .point(anchorPoint)
      case "bounds": return .rect(bounds)
      case "bounds.size": return .size(bounds.size)
      case "bounds.origin": return .point(bounds.origin)
      case "transform": return .transform(transform)
      case "transform.translation":
        return .size(CGSize(width: parts.shift.x, height: parts.shift.y))
      case "backgroundColor":
        return .color(backgroundColor ?? CGColor(red: 0, green: 0, blue: 0, alpha: 0))
      case "borderColor": return .color(borderColor ?? CGColor(red: 0, green: 0, blue: 0, alpha: 0))
      default: return shape?[keyPath]
      }
    }
    set {
      switch (keyPath, newValue) {
      case ("opacity", .number(let value)): opacity = Float(value)
      case ("shadowOpacity", .number(let value)): shadowOpacity = Float(value)
      case ("position", .point(let value)): position = value
      case ("anchorPoint", .point(let value)): anchorPoint = value
      case ("bounds", .rect(let value)): bounds = value
      case ("bounds.size", .size(let value)): bounds.size = value
      case ("bounds.origin", .point(let value)): bounds.origin = value
      case ("transform", .transform(let value)): transform = value
      case ("transform.translation", .size(let value)):
        parts.shift = CGPoint(x: value.width, y: value.height)
      case ("backgroundColor", .color(let value)): backgroundColor = value
      case ("borderColor", .color(let value)): borderColor = value
      case (_, .number(let value)):
        if let path = Self.numbers[keyPath] { self[keyPath: path] = CGFloat(value) }
        shape?[keyPath] = newValue
      default: shape?[keyPath] = newValue
      }
    }
  }
}
