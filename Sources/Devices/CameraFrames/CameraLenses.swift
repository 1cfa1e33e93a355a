package import CaptureDevice

/// The lenses that may have taken a camera's frames: its own, and those of the cameras under a virtual one.
package struct CameraLenses: Sendable, Hashable, Codable {
  /// The device's own; `nil` where nothing is known of it.
  package var own: LensFacts?
  /// Those of the cameras under a virtual one, by unique identifier.
  package var constituents: [String: Constituent] = [:]

  /// A camera under a virtual one.
  package struct Constituent: Sendable, Hashable, Codable {
    /// Its lens.
    package var lens: LensFacts
    /// The virtual camera's zoom factor at which it sees its own view.
    package var zoom: Double

    /// A camera whose own view fills the frame at `zoom`.
    package init(lens: LensFacts, zoom: Double) {
      self.lens = lens
      self.zoom = zoom
    }
  }

  /// The lens of a camera that has one.
  package init(_ own: LensFacts? = nil) {
    self.own = own
  }

  /// The lens that took a frame, and how many times its own view was enlarged.
  package func lens(for controls: ControlState) -> (lens: LensFacts?, enlargement: Double) {
    guard let constituent = controls.constituent.flatMap({ constituents[$0] }) else {
      return (own, controls.zoom)
    }
    // A camera that takes a photo beside the one in use sees no more than its own view.
    return (constituent.lens, max(controls.zoom / constituent.zoom, 1))
  }
}
