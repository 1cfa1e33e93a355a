#if GTKLayers
  internal import CGTK4
  internal import Foundation
  internal import GraphicsCore
  internal import QuartzCore

  /// Draws a tree of layers into a `GtkSnapshot`, from the bottom up.
  @MainActor
  struct LayerDrawing {
    let snapshot: OpaquePointer
    /// Whether the window is drawn by cairo.
    let byCairo: Bool
    /// What a layer shows over its background, and where.
    let picture: (CALayer) -> (texture: Texture, place: CGRect)?

    /// Draws the top of a tree, whose bounds' origin is the snapshot's.
    func draw(top layer: CALayer) {
      layer.showingAnimations {
        gtk_snapshot_save(snapshot)
        move(-layer.bounds.minX, -layer.bounds.minY)
        drawInside(layer)
        gtk_snapshot_restore(snapshot)
      }
    }

    /// Draws a layer in its superlayer's coordinates, or a mask in those of the layer that it masks.
    func draw(_ layer: CALayer) { layer.showingAnimations { drawAsShown(layer) } }

    private func drawAsShown(_ layer: CALayer) {
      guard !layer.isHidden, layer.opacity > 0 else { return }
      gtk_snapshot_save(snapshot)
      place(layer)
      drawInside(layer)
      gtk_snapshot_restore(snapshot)
    }

    /// The layer's background, contents, sublayers and border, in the layer's own coordinates.
    private func drawInside(_ layer: CALayer) {
      let isFaint = layer.opacity < 1
      if isFaint { gtk_snapshot_push_opacity(snapshot, Double(layer.opacity)) }
      if let mask = layer.mask {
        LayerMask(drawing: self).draw(layer, through: mask)
      } else {
        drawWithShadow(layer)
      }
      if isFaint { gtk_snapshot_pop(snapshot) }
    }

    /// What ``drawInside(_:)`` draws of a layer without mask and opacity.
    func drawWithShadow(_ layer: CALayer) {
      let hasShadow = pushShadow(of: layer)
      drawPlain(layer)
      if hasShadow { gtk_snapshot_pop(snapshot) }
    }

    private func drawPlain(_ layer: CALayer) {
      var outline = GskRoundedRect()
      var bounds = graphene_rect_t(layer.bounds)
      let radius = min(layer.cornerRadius, layer.bounds.width / 2, layer.bounds.height / 2)
      gsk_rounded_rect_init_from_rect(&outline, &bounds, Float(max(0, radius)))
      if let color = layer.backgroundColor.flatMap({ GdkRGBA($0) }) {
        fill(outline, bounds, color, isRound: radius > 0)
      }
      if layer.masksToBounds { pushClip(outline, bounds, isRound: radius > 0) }
      if let (texture, place) = picture(layer) {
        texture.append(to: snapshot, in: place, byCairo: byCairo)
      }
      for child in layer.sublayersByDepth { draw(child) }
      if layer.masksToBounds { gtk_snapshot_pop(snapshot) }
      if layer.borderWidth > 0, let color = layer.borderColor.flatMap({ GdkRGBA($0) }) {
        gtk_snapshot_append_border(
          snapshot, &outline, [Float](repeating: Float(layer.borderWidth), count: 4),
          [GdkRGBA](repeating: color, count: 4))
      }
    }

    /// Gives all that is drawn until the next pop the layer's shadow, if it has one.
    private func pushShadow(of layer: CALayer) -> Bool {
      guard let color = layer.visibleShadow.flatMap({ GdkRGBA($0) }) else { return false }
      var shadow = GskShadow(
        color: color, dx: Float(layer.shadowOffset.width), dy: Float(layer.shadowOffset.height),
        // The radius of GTK's blur is twice the deviation of its Gaussian.
        radius: Float(2 * layer.shadowRadius))
      gtk_snapshot_push_shadow(snapshot, &shadow, 1)
      return true
    }

    private func fill(
      _ outline: GskRoundedRect, _ bounds: graphene_rect_t, _ color: GdkRGBA, isRound: Bool
    ) {
      var (color, bounds) = (color, bounds)
      if isRound { pushClip(outline, bounds, isRound: true) }
      gtk_snapshot_append_color(snapshot, &color, &bounds)
      if isRound { gtk_snapshot_pop(snapshot) }
    }

    private func pushClip(_ outline: GskRoundedRect, _ bounds: graphene_rect_t, isRound: Bool) {
      var (outline, bounds) = (outline, bounds)
      if isRound {
        gtk_snapshot_push_rounded_clip(snapshot, &outline)
      } else {
        gtk_snapshot_push_clip(snapshot, &bounds)
      }
    }

    private func move(_ x: Double, _ y: Double) {
      guard x != 0 || y != 0 else { return }
      var point = graphene_point_t(x: Float(x), y: Float(y))
      gtk_snapshot_translate(snapshot, &point)
    }

    /// Goes over into the layer's coordinates.
    private func place(_ layer: CALayer) {
      let way = layer.placementTransform
      // Cairo draws no perspective; what is flat must be put as turns, slants and scales, or GTK takes it for one.
      if !byCairo, way.m14 != 0 || way.m24 != 0 || way.m44 != 1 { return placeInPerspective(way) }
      move(way.m41 / way.m44, way.m42 / way.m44)
      if way.m11 == 1, way.m12 == 0, way.m21 == 0, way.m22 == 1 { return }
      let (turn, scale) = (atan2(way.m12, way.m11), hypot(way.m11, way.m12))
      let (slant, height) = (
        way.m21 * cos(turn) + way.m22 * sin(turn), way.m22 * cos(turn) - way.m21 * sin(turn)
      )
      var steps = gsk_transform_rotate(nil, Float(turn * 180 / .pi))
      if slant != 0, height != 0 {
        steps = gsk_transform_skew(steps, Float(atan(slant / height) * 180 / .pi), 0)
      }
      steps = gsk_transform_scale(steps, Float(scale), Float(height))
      gtk_snapshot_transform(snapshot, steps)
      gsk_transform_unref(steps)
    }

    private func placeInPerspective(_ way: CATransform3D) {
      guard let matrix = graphene_matrix_alloc() else { return }
      defer { graphene_matrix_free(matrix) }
      // Layers are flat: what lies in them is drawn in their plane.
      let numbers = [
        way.m11, way.m12, 0, way.m14, way.m21, way.m22, 0, way.m24, 0, 0, 1, 0, way.m41, way.m42, 0, way.m44,
      ]
      graphene_matrix_init_from_float(matrix, numbers.map { Float($0) })
      gtk_snapshot_transform_matrix(snapshot, matrix)
    }
  }

  extension GdkRGBA {
    /// A colour in sRGB; `nil` of one that has no such.
    fileprivate init?(_ color: CGColor) {
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let values = color.converted(to: space, intent: .defaultIntent, options: nil)?.components,
        values.count == 4
      else { return nil }
      self.init(
        red: Float(values[0]), green: Float(values[1]), blue: Float(values[2]), alpha: Float(values[3]))
    }
  }
#endif
