#if GTKLayers
  internal import AVFCore
  internal import CGTK4
  public import CoreVideo
  internal import Foundation
  internal import PixelTransforms
  public import QuartzCore

  /// A GTK widget that shows a layer and all in it: a camera's preview, a player's picture, colours, images and borders.
  ///
  /// The layer takes the widget's size, as the layer of a view does on Apple's platforms; place its sublayers in its
  /// `layoutSublayers()` or its delegate's. Preview layers and player layers are drawn wherever they lie in the tree. A change of a
  /// layer is seen in the next picture of the screen. Pictures of video are scaled on queues of the view's own, the newest only,
  /// in the screen's pixels.
  ///
  /// A layer's `contents` are a `CGImage`, a pixel buffer of BGRA, or a ``Texture``; text and shape layers draw themselves, and shadows and masks
  /// are drawn, masked layers by the processor. A view uses the frame handlers of the video layers in its tree. Needs GTK 4.8 or later, and the
  /// trait `GTKLayers` of this package.
  @MainActor
  public final class LayerView {
    /// The layer that is shown.
    public let layer: CALayer
    private let host: LayerHost
    private let slot = WidgetSlot()

    /// The widget once it was asked for.
    @MainActor
    private final class WidgetSlot { var widget: UnsafeMutableRawPointer? }

    /// Shows a layer that no other view shows.
    public init(_ layer: CALayer) {
      self.layer = layer
      let slot = slot
      host = LayerHost(layer) {
        if let widget = slot.widget { gtk_widget_queue_draw(widget.assumingMemoryBound(to: GtkWidget.self)) }
      }
    }

    isolated deinit {
      if let widget = slot.widget { g_object_unref(widget) } else { host.end() }
    }

    /// The `GtkWidget`, for whatever binding of GTK the program uses; it lives as long as this view or its parent widget holds it.
    ///
    /// It wants no room of its own: let it expand, or give it a size. It is made when it is first asked for, and then GTK must have
    /// been initialized.
    public var widget: UnsafeMutableRawPointer {
      if let widget = slot.widget { return widget }
      let widget = LayerWidget.make()
      g_object_ref_sink(widget)
      slot.widget = widget
      LayerWidget.attach(host, to: widget)
      host.request()
      return widget
    }

    /// Called when a picture of a camera or a player is taken to the screen, before it is drawn.
    public var onPicture: (@MainActor (LayerPicture) -> Void)? {
      get { host.onPicture }
      set { host.onPicture = newValue }
    }

    /// How many pictures of cameras and players were made, shown and left out until now.
    public var counts: LayerPictureCounts { host.counts }

    /// What the view shows now, in BGRA over black, of the layer's size times its `contentsScale`: for screenshots, and for tests on
    /// machines without a screen.
    ///
    /// Blocks until the pictures of the newest frames are made.
    /// - Returns: `nil` while the layer has no size.
    public func makePicture() throws -> CVPixelBuffer? {
      let (size, scale) = (layer.bounds.size, layer.contentsScale)
      let (width, height) = (Int((size.width * scale).rounded()), Int((size.height * scale).rounded()))
      guard width > 0, height > 0 else { return nil }
      // Opens no display where there is none, but makes GTK's kinds of nodes known.
      if gtk_is_initialized() == 0 { gtk_init_check() }
      host.resize(width: size.width, height: size.height, scale: scale)
      host.makePicturesNow()
      let target = try PixelTransformer().makeBuffer(
        size: PixelSize(width: width, height: height), pixelFormat: kCVPixelFormatType_32BGRA)
      CVPixelBufferLockBaseAddress(target, [])
      defer { CVPixelBufferUnlockBaseAddress(target, []) }
      guard let bytes = CVPixelBufferGetBaseAddress(target),
        let surface = cairo_image_surface_create_for_data(
          bytes.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, Int32(width), Int32(height),
          Int32(CVPixelBufferGetBytesPerRow(target)))
      else { return nil }
      defer { cairo_surface_destroy(surface) }
      guard let cairo = cairo_create(surface) else { return nil }
      defer { cairo_destroy(cairo) }
      cairo_set_source_rgb(cairo, 0, 0, 0)
      cairo_paint(cairo)
      cairo_scale(cairo, scale, scale)
      guard let snapshot = gtk_snapshot_new() else { return nil }
      host.draw(into: snapshot, byCairo: true)
      if let node = gtk_snapshot_free_to_node(snapshot) {
        gsk_render_node_draw(node, cairo)
        gsk_render_node_unref(node)
      }
      cairo_surface_flush(surface)
      return target
    }
  }
#endif
