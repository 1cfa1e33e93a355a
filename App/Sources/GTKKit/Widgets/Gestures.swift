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

  /// Calls `body` with how far a wheel was turned, before widgets inside get it; they do not get it then.
  package func onScrollCaptured(_ body: @escaping @MainActor (Double) -> Void) {
    guard let raw = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) else { return }
    gtk_event_controller_set_propagation_phase(raw, GTK_PHASE_CAPTURE)
    let controller = Object(taking: raw)
    controller.on(
      "scroll",
      answering: { (_: Double, down: Double) -> Bool in
        body(down)
        return true
      })
    add(controller, raw)
  }

  /// Follows the pointer while it is held down: `begin` gets the place and says whether the drag is wanted, `move` how far it
  /// has gone since.
  package func onDrag(
    begin: @escaping @MainActor (Double, Double) -> Bool, move: @escaping @MainActor (Double, Double) -> Void,
    end: @escaping @MainActor () -> Void
  ) {
    guard let raw = gtk_gesture_drag_new() else { return }
    let gesture = Object(taking: raw)
    gesture.on("drag-begin") { (x: Double, y: Double) in
      if !begin(x, y) { gtk_gesture_set_state(raw, GTK_EVENT_SEQUENCE_DENIED) }
    }
    gesture.on("drag-update") { (across: Double, down: Double) in move(across, down) }
    gesture.on("drag-end") { (_: Double, _: Double) in end() }
    add(gesture, raw)
  }

  /// Follows the pointer while any of its buttons is held down.
  ///
  /// - Parameters:
  ///   - begin: Whether the drag is wanted.
  ///   - move: Gets how far the pointer has gone since, and whether another button than the first, or Shift, is held. What moves is no
  ///     click.
  package func onAnyDrag(
    begin: @escaping @MainActor () -> Bool,
    move: @escaping @MainActor (_ across: Double, _ down: Double, _ isOther: Bool) -> Void
  ) {
    guard let raw = gtk_gesture_drag_new() else { return }
    gtk_gesture_single_set_button(raw, 0)
    let gesture = Object(taking: raw)
    gesture.on("drag-begin") { (_: Double, _: Double) in
      if !begin() { gtk_gesture_set_state(raw, GTK_EVENT_SEQUENCE_DENIED) }
    }
    gesture.on("drag-update") { (across: Double, down: Double) in
      // A hand that clicks is never quite still.
      if across * across + down * down > 16 { gtk_gesture_set_state(raw, GTK_EVENT_SEQUENCE_CLAIMED) }
      let keys = gtk_event_controller_get_current_event_state(raw).rawValue
      let button = gtk_gesture_single_get_current_button(raw)
      move(across, down, button > 1 || keys & GDK_SHIFT_MASK.rawValue != 0)
    }
    add(gesture, raw)
  }

  /// Follows two fingers: calls `body` with how far apart they are by how far they were, by how many radians they have turned
  /// clockwise, and where their middle is; `isFirst` as they come.
  package func onTwoFingers(
    _ body:
      @escaping @MainActor (
        _ scale: Double, _ angle: Double, _ x: Double, _ y: Double, _ isFirst: Bool
      ) -> Void
  ) {
    guard let zoom = gtk_gesture_zoom_new(), let turn = gtk_gesture_rotate_new() else { return }
    gtk_gesture_group(turn, zoom)
    let (zooming, turning) = (Object(taking: zoom), Object(taking: turn))
    func tell(_ isFirst: Bool) {
      var (x, y) = (0.0, 0.0)
      guard gtk_gesture_get_bounding_box_center(zoom, &x, &y) != 0 else { return }
      body(gtk_gesture_zoom_get_scale_delta(zoom), gtk_gesture_rotate_get_angle_delta(turn), x, y, isFirst)
    }
    zooming.on("begin") { tell(true) }
    zooming.on("update") { tell(false) }
    add(zooming, zoom)
    add(turning, turn)
  }

  /// Calls `body` with how fast a finger left the widget, in pixels per second to the right and down.
  package func onSwipe(_ body: @escaping @MainActor (_ across: Double, _ down: Double) -> Void) {
    guard let raw = gtk_gesture_swipe_new() else { return }
    gtk_gesture_single_set_touch_only(raw, 1)
    let gesture = Object(taking: raw)
    gesture.on("swipe", body)
    add(gesture, raw)
  }

  /// Calls `body` with the pointer's place while it is over the widget.
  package func onMotion(_ body: @escaping @MainActor (Double, Double) -> Void) {
    guard let raw = gtk_event_controller_motion_new() else { return }
    let controller = Object(taking: raw)
    controller.on("motion", body)
    add(controller, raw)
  }

  /// Calls `body` with each key that goes down or up, that no widget inside wants; an answer of `true` ends its way.
  package func onKey(_ body: @escaping @MainActor (_ key: UInt, _ hasControl: Bool, _ isDown: Bool) -> Bool) {
    addKeys(GTK_PHASE_BUBBLE, body)
  }

  /// Calls `body` with each key that goes down or up, before widgets inside get it; an answer of `true` keeps it from them.
  package func onKeyCaptured(
    _ body: @escaping @MainActor (_ key: UInt, _ hasControl: Bool, _ isDown: Bool) -> Bool
  ) {
    addKeys(GTK_PHASE_CAPTURE, body)
  }

  /// Calls `body` when the pointer or a finger goes down in the widget, whatever else reacts to it.
  package func onPointerDown(_ body: @escaping @MainActor () -> Void) {
    guard let raw = gtk_gesture_click_new() else { return }
    gtk_event_controller_set_propagation_phase(raw, GTK_PHASE_CAPTURE)
    gtk_gesture_single_set_button(raw, 0)
    let gesture = Object(taking: raw)
    gesture.on("pressed") { (_: Int, _: Double, _: Double) in body() }
    add(gesture, raw)
  }

  private func addKeys(
    _ phase: GtkPropagationPhase,
    _ body: @escaping @MainActor (_ key: UInt, _ hasControl: Bool, _ isDown: Bool) -> Bool
  ) {
    guard let raw = gtk_event_controller_key_new() else { return }
    gtk_event_controller_set_propagation_phase(raw, phase)
    let controller = Object(taking: raw)
    controller.on(
      "key-pressed", answering: { (key: UInt, _: UInt, held: HeldKeys) in body(key, held.hasControl, true) })
    controller.on("key-released") { (key: UInt, _: UInt, held: HeldKeys) in
      _ = body(key, held.hasControl, false)
    }
    add(controller, raw)
  }
}

/// The keys that are held beside another.
private struct HeldKeys: SignalArgument {
  var hasControl: Bool

  static func read(_ value: UnsafePointer<GValue>) -> HeldKeys {
    HeldKeys(hasControl: g_value_get_flags(value) & GDK_CONTROL_MASK.rawValue != 0)
  }
}

extension Object {
  /// Holds an object whose only reference is handed over.
  convenience init(taking raw: OpaquePointer) {
    self.init(UnsafeMutableRawPointer(raw))
    g_object_unref(UnsafeMutableRawPointer(raw))
  }
}
