#if GTKLayers
  internal import CGTK4
  internal import QuartzCore

  /// Draws layers through their masks, by cairo: GTK 4.8 has no such node.
  @MainActor
  struct LayerMask {
    /// What is drawn into.
    let drawing: LayerDrawing

    /// Draws what of a layer its mask's opacity lets through, in the layer's own coordinates.
    func draw(_ layer: CALayer, through mask: CALayer) {
      guard let picture = node({ $0.drawWithShadow(layer) }) else { return }
      defer { gsk_render_node_unref(picture) }
      // A mask without pixels lets nothing through.
      guard let cover = node({ $0.draw(mask) }) else { return }
      defer { gsk_render_node_unref(cover) }
      var (bounds, limits, both) = (graphene_rect_t(), graphene_rect_t(), graphene_rect_t())
      gsk_render_node_get_bounds(picture, &bounds)
      gsk_render_node_get_bounds(cover, &limits)
      guard graphene_rect_intersection(&bounds, &limits, &both),
        let cairo = gtk_snapshot_append_cairo(drawing.snapshot, &both)
      else { return }
      defer { cairo_destroy(cairo) }
      cairo_push_group(cairo)
      gsk_render_node_draw(picture, cairo)
      cairo_pop_group_to_source(cairo)
      cairo_push_group(cairo)
      gsk_render_node_draw(cover, cairo)
      let pattern = cairo_pop_group(cairo)
      cairo_mask(cairo, pattern)
      cairo_pattern_destroy(pattern)
    }

    /// What `draw` draws, as cairo draws it; `nil` for nothing.
    private func node(_ draw: (LayerDrawing) -> Void) -> OpaquePointer? {
      guard let snapshot = gtk_snapshot_new() else { return nil }
      draw(LayerDrawing(snapshot: snapshot, byCairo: true, picture: drawing.picture))
      return gtk_snapshot_free_to_node(snapshot)
    }
  }
#endif
