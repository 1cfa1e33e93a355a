/// One control of the camera as the panel shows it.
public struct ControlItem: Sendable, Equatable, Identifiable {
  /// What a control is called; the words are the interface's.
  public enum Name: Sendable, Hashable {
    case exposure, shutterTime, sensitivity, bias, focus, whiteBalance, temperature, tint, torch, hdr, lowLight
    /// The driver's own, with its own words.
    case driver(name: String, title: String)
  }

  /// What it looks like.
  public enum Shape: Sendable, Equatable {
    /// A row of values; `isAutomatic` is `nil` where the camera cannot choose by itself.
    case slider(value: Double, range: ClosedRange<Double>, step: Double, scale: Scale, isAutomatic: Bool?)
    case toggle(Bool)
    case menu(selected: Int, entries: [String])
    case button
  }

  /// How a slider's values are spread and written.
  public enum Scale: Sendable, Hashable { case plain, stops, seconds, iso, kelvin, share }

  public var id: Name
  public var shape: Shape
  public var isEnabled = true

  /// Whether it is the driver's own.
  public var isDriver: Bool {
    if case .driver = id { true } else { false }
  }
}

/// What the user does with a control.
public enum ControlChange: Sendable, Equatable {
  case value(Double)
  case automatic(Bool)
  case toggle(Bool)
  case entry(Int)
  case press
}
