import CGTK

/// A picture that fits its place, or is magnified and moved within it.
package final class ZoomView: Widget {
  /// The picture.
  package let picture = PictureView().expanding()
  /// Called when the magnification has changed.
  package var onZoom: (Double) -> Void = { _ in }
  /// The magnification: the picture's size by that of its place.
  package private(set) var factor = 1.0
  /// As far as it goes.
  package static let most = 8.0

  private var pinchBegan = 1.0
  private var dragBegan = (x: 0.0, y: 0.0)
  private var pointer = (x: 0.0, y: 0.0)
  /// The scroll position that the picture gets once it has its new size.
  private var target: (x: Double, y: Double)?

  /// - Parameter cover: Lies over the picture, as large as it is.
  package init(under cover: Widget? = nil) {
    super.init(UnsafeMutableRawPointer(gtk_scrolled_window_new()))
    let content = cover.map { Overlay(picture, $0.untouchable()) }
    gtk_scrolled_window_set_child(opaque, content?.widget ?? picture.widget)
    gtk_scrolled_window_set_policy(opaque, GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_overlay_scrolling(opaque, 1)
    for adjustment in [horizontal, vertical] {
      adjustment.on("changed") { [weak self] in self?.moveToTarget() }
    }
    onMotion { [weak self] in self?.pointer = ($0, $1) }
    onScrollCaptured { [weak self] down in
      guard let self else { return }
      zoom(to: factor * (down > 0 ? 1 / 1.2 : 1.2), at: pointer)
    }
    onPinch(begin: { [weak self] in self?.pinchBegan = self?.factor ?? 1 }) { [weak self] by in
      guard let self else { return }
      zoom(to: pinchBegan * by, at: middle)
    }
    onDrag { [weak self] _, _ in
      guard let self else { return false }
      dragBegan = (value(horizontal), value(vertical))
      return factor > 1
    } move: { [weak self] across, down in
      guard let self else { return }
      gtk_adjustment_set_value(horizontal.pointer(), dragBegan.x - across)
      gtk_adjustment_set_value(vertical.pointer(), dragBegan.y - down)
    } end: {
    }
    onTap { [weak self] count, x, y in
      guard count == 2, let self else { return }
      zoom(to: factor > 1 ? 1 : 2.5, at: (x, y))
    }
  }

  /// Magnifies by a factor, around the middle.
  package func zoom(by factor: Double) { zoom(to: self.factor * factor, at: middle) }

  /// Shows the whole picture.
  package func fit() { zoom(to: 1, at: middle) }

  private var middle: (x: Double, y: Double) { (Double(size.width) / 2, Double(size.height) / 2) }

  private var horizontal: Object {
    Object(UnsafeMutableRawPointer(gtk_scrolled_window_get_hadjustment(opaque)))
  }

  private var vertical: Object {
    Object(UnsafeMutableRawPointer(gtk_scrolled_window_get_vadjustment(opaque)))
  }

  private func value(_ adjustment: Object) -> Double { gtk_adjustment_get_value(adjustment.pointer()) }

  private func zoom(to wanted: Double, at place: (x: Double, y: Double)) {
    let new = min(max(wanted, 1), Self.most)
    guard abs(new - factor) > 0.001 else { return }
    let ratio = new / factor
    factor = new
    // What lies under the pointer stays there.
    target = (
      (value(horizontal) + place.x) * ratio - place.x, (value(vertical) + place.y) * ratio - place.y
    )
    let isWhole = new < 1.01
    if isWhole { factor = 1 }
    picture.least(
      width: isWhole ? -1 : Int(Double(size.width) * new),
      height: isWhole ? -1 : Int(Double(size.height) * new))
    moveToTarget()
    onZoom(factor)
  }

  private func moveToTarget() {
    guard let target else { return }
    gtk_adjustment_set_value(horizontal.pointer(), target.x)
    gtk_adjustment_set_value(vertical.pointer(), target.y)
    let isThere =
      abs(value(horizontal) - max(0, target.x)) < 1 && abs(value(vertical) - max(0, target.y)) < 1
    if isThere { self.target = nil }
  }
}
