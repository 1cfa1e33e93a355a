/// One control of the camera as the panel shows it.
package struct ControlItem: Sendable, Equatable, Identifiable {
  /// The name of a control; the interface translates it into words.
  package enum Name: Sendable, Hashable {
    case exposure, shutterTime, sensitivity, bias, focus, whiteBalance, temperature, tint, torch, hdr,
      lowLight
    /// The driver's own, with its own words.
    case driver(name: String, title: String)
  }

  /// The kind of widget that shows a control, with its value.
  package enum Shape: Sendable, Equatable {
    /// A row of values; `isAutomatic` is `nil` where the camera cannot choose by itself.
    case slider(value: Double, range: ClosedRange<Double>, step: Double, scale: Scale, isAutomatic: Bool?)
    case toggle(Bool)
    case menu(selected: Int, entries: [String])
    case button
  }

  /// The scale of a slider: the spread of its values and their unit.
  package enum Scale: Sendable, Hashable { case plain, stops, seconds, iso, kelvin, share }

  package var id: Name
  package var shape: Shape
  package var isEnabled = true

  /// Whether it is the driver's own.
  package var isDriver: Bool {
    if case .driver = id { true } else { false }
  }
}

/// A user's change of a control.
package enum ControlChange: Sendable, Equatable {
  case value(Double)
  case automatic(Bool)
  case toggle(Bool)
  case entry(Int)
  case press
}
