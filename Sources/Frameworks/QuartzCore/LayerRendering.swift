internal import DrawingCore
internal import Foundation
internal import GraphicsCore

/// Draws layers into a context.
struct LayerRendering {
  let context: CGContext
  /// Whether the y axis of the layers points up, as in films and not in windows.
  var isUpward = false

  /// Draws a layer and all in it, in the layer's own coordinates.
  func draw(_ layer: CALayer) { layer.showingAnimations { drawAsShown(layer) } }

  private func drawAsShown(_ layer: CALayer) {
    guard !layer.isHidden, layer.opacity > 0 else { return }
    // What is faint or masked is mixed with its shadow as one picture.
    guard layer.opacity < 1 || layer.mask != nil else { return drawWithShadow(layer) }
    context.saveGState()
    context.setAlpha(CGFloat(layer.opacity))
    context.beginTransparencyLayer(auxiliaryInfo: nil)
    drawWithShadow(layer)
    if let mask = layer.mask { keep(mask) }
    context.endTransparencyLayer()
    context.restoreGState()
  }

  /// Draws what a layer shows over its background.
  func drawContents(of layer: CALayer) {
    guard let contents = layer.contents, let image = contents as? CGImage else { return }
    let scale = layer.contentsScale > 0 ? layer.contentsScale : 1
    let place = layer.contentsGravity.place(
      CGSize(width: CGFloat(image.width) / scale, height: CGFloat(image.height) / scale), in: layer.bounds)
    guard place.width > 0, place.height > 0 else { return }
    context.saveGState()
    // The picture's upper side is where y is least.
    context.translateBy(x: 0, y: place.minY + place.maxY)
    context.scaleBy(x: 1, y: -1)
    context.draw(image, in: place)
    context.restoreGState()
  }

  private func drawWithShadow(_ layer: CALayer) {
    guard let shadow = layer.visibleShadow else { return drawInside(layer) }
    context.saveGState()
    context.setShadow(
      offsetInUserSpace: layer.shadowOffset, blurInUserSpace: 2 * layer.shadowRadius, color: shadow)
    context.beginTransparencyLayer(auxiliaryInfo: nil)
    drawInside(layer)
    context.endTransparencyLayer()
    context.restoreGState()
  }

  private func drawInside(_ layer: CALayer) {
    let radius = max(0, min(layer.cornerRadius, layer.bounds.width / 2, layer.bounds.height / 2))
    let outline = CGPath(
      roundedRect: layer.bounds, cornerWidth: radius, cornerHeight: radius, transform: nil)
    context.saveGState()
    if let color = layer.backgroundColor {
      context.setFillColor(color)
      context.beginPath()
      context.addPath(outline)
      context.fillPath()
    }
    if layer.masksToBounds {
      context.beginPath()
      context.addPath(outline)
      context.clip()
    }
    drawUpright(layer)
    layer.drawShape(in: context)
    for child in layer.sublayersByDepth {
      context.saveGState()
      child.showingAnimations {
        context.concatenate(CATransform3DGetAffineTransform(child.placementTransform))
        draw(child)
      }
      context.restoreGState()
    }
    context.restoreGState()
    drawBorder(of: layer, radius)
  }

  /// What a layer shows has its upper side up, wherever its axis points.
  private func drawUpright(_ layer: CALayer) {
    guard isUpward else { return layer.drawContents(in: context) }
    context.saveGState()
    context.translateBy(x: 0, y: layer.bounds.minY + layer.bounds.maxY)
    context.scaleBy(x: 1, y: -1)
    layer.drawContents(in: context)
    context.restoreGState()
  }

  private func drawBorder(of layer: CALayer, _ radius: CGFloat) {
    guard layer.borderWidth > 0, let color = layer.borderColor else { return }
    let width = min(layer.borderWidth, layer.bounds.width / 2, layer.bounds.height / 2)
    let inner = max(0, radius - width)
    let ring = CGMutablePath()
    ring.addRoundedRect(in: layer.bounds, cornerWidth: radius, cornerHeight: radius)
    ring.addRoundedRect(
      in: layer.bounds.insetBy(dx: width, dy: width), cornerWidth: inner, cornerHeight: inner)
    context.saveGState()
    context.setFillColor(color)
    context.beginPath()
    context.addPath(ring)
    context.fillPath(using: .evenOdd)
    context.restoreGState()
  }

  /// Leaves of what was drawn what a mask's opacity lets through.
  private func keep(_ mask: CALayer) {
    context.saveGState()
    context.setBlendMode(.destinationIn)
    context.beginTransparencyLayer(auxiliaryInfo: nil)
    mask.showingAnimations {
      context.concatenate(CATransform3DGetAffineTransform(mask.placementTransform))
      draw(mask)
    }
    context.endTransparencyLayer()
    context.restoreGState()
  }
}

extension CALayer {
  /// The colour of the shadow that is drawn; `nil` for none.
  package var visibleShadow: CGColor? {
    guard shadowOpacity > 0, !masksToBounds, let color = shadowColor, color.alpha > 0 else { return nil }
    return color.copy(alpha: color.alpha * CGFloat(min(1, shadowOpacity)))
  }

  /// What `draw` draws in the layer's coordinates, ``contentsScale`` pixels to a point; `nil` for a layer without pixels.
  package func picture(drawnBy draw: (CGContext) -> Void) -> CGImage? {
    guard let context = CGContext(bounds: bounds, scale: contentsScale > 0 ? contentsScale : 1) else {
      return nil
    }
    draw(context)
    return context.makeImage()
  }
}
