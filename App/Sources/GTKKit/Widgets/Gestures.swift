import CGTK

extension Widget {
  private func add(_ controller: Object, _ raw: OpaquePointer) {
    // The widget takes the reference that it is given; the wrapper keeps its own.
    g_object_ref(UnsafeMutableRawPointer(raw))
    gtk_widget_add_controller(widget, raw)
  }

  /// Calls `body` with the place of each click or tap, and how many came in a row.
  package func onTap(_ body: @escaping @MainActor (Int, Double, Double) -> Void) {
    guard let raw = gtk_gesture_click_new() else { return }
    let gesture = Object(taking: raw)
    gesture.on("released", body)
    add(gesture, raw)
  }

  /// Calls `body` when the pointer goes down on the widget or up again, whatever else reacts to it.
  package func onHold(_ body: @escaping @MainActor (_ isDown: Bool) -> Void) {
    guard let raw = gtk_gesture_long_press_new() else { return }
    gtk_event_controller_set_propagation_phase(raw, GTK_PHASE_CAPTURE)
    let gesture = Object(taking: raw)
    gesture.on("pressed") { body(true) }
    gesture.on("end") { body(false) }
    gesture.on("cancelled") { body(false) }
    add(gesture, raw)
  }

  /// Calls `body` with the factor of two fingers, from 1 at the beginning of each pinch.
  package func onPinch(begin: @escaping @MainActor () -> Void, _ body: @escaping @MainActor (Double) -> Void)
  {
    guard let raw = gtk_gesture_zoom_new() else { return }
    let gesture = Object(taking: raw)
    gesture.on("begin", begin)
    gesture.on("scale-changed", body)
    add(gesture, raw)
  }

  /// Calls `body` with how far a wheel was turned, downwards positive.
  package func onScroll(_ body: @escaping @MainActor (Double) -> Void) {
    guard let raw = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) else { return }
    let controller = Object(taking: raw)
    controller.on("scroll") { (_: Double, down: Double) in body(down) }
    add(controller, raw)
  }

  /// Calls `body` with the pointer's place while it is over the widget.
  package func onMotion(_ body: @escaping @MainActor (Double, Double) -> Void) {
    guard let raw = gtk_event_controller_motion_new() else { return }
    let controller = Object(taking: raw)
    controller.on("motion", body)
    add(controller, raw)
  }

  /// Calls `body` with each key that goes down or up, that no widget inside wants; an answer of `true` ends its way.
  package func onKey(_ body: @escaping @MainActor (_ key: UInt, _ isDown: Bool) -> Bool) {
    guard let raw = gtk_event_controller_key_new() else { return }
    let controller = Object(taking: raw)
    controller.on("key-pressed", answering: { (key: UInt) in body(key, true) })
    controller.on("key-released") { (key: UInt) in _ = body(key, false) }
    add(controller, raw)
  }
}

extension Object {
  /// Holds an object whose only reference is handed over.
  convenience init(taking raw: OpaquePointer) {
    self.init(UnsafeMutableRawPointer(raw))
    g_object_unref(UnsafeMutableRawPointer(raw))
  }
}
