/// One of a camera's own controls, as its driver describes it, whatever it means.
///
/// What stands here is of now: setting one control may change another's range and whether it is inactive.
public struct NativeControl: Sendable, Hashable {
  /// The kind of values that a control takes.
  public enum Kind: String, Sendable, Hashable {
    case integer, boolean, menu, button, bits, text
    /// An array or a struct: it is listed, and can be neither read nor set.
    case compound
  }

  /// One entry of a menu.
  public struct Entry: Sendable, Hashable {
    /// The value to set.
    public var value: Int64
    /// The meaning: a name, or a number in menus of numbers.
    public var name: String

    /// An entry.
    public init(value: Int64, name: String) {
      self.value = value
      self.name = name
    }
  }

  /// The control's name, as `v4l2-ctl` spells it: `white_balance_temperature`.
  public var name: String
  /// The driver's own words: `White Balance Temperature`.
  public var title: String
  /// The kind of its values.
  public var kind: Kind
  /// The values it takes; for a text the numbers of its bytes.
  public var range: ClosedRange<Int64>
  /// Values lie so far apart, from the least on; at least 1.
  public var step: Int64
  /// The value before it is set.
  public var defaultValue: Int64
  /// The entries of a menu; values between them that are missing are holes and cannot be set.
  public var entries: [Entry]
  /// The current value; `nil` where it cannot be read.
  public var value: NativeControlValue?
  /// Whether it can only be read.
  public var isReadOnly = false
  /// Whether it has no effect now, because of what another control stands at.
  public var isInactive = false
  /// Whether the camera moves it by itself.
  public var isVolatile = false
  /// Whether it cannot be set now, because the camera streams.
  public var isGrabbed = false

  /// A control that can be read and set.
  public init(
    name: String, title: String, kind: Kind, range: ClosedRange<Int64>, step: Int64 = 1,
    defaultValue: Int64 = 0, entries: [Entry] = [], value: NativeControlValue? = nil
  ) {
    self.name = name
    self.title = title
    self.kind = kind
    self.range = range
    self.step = step
    self.defaultValue = defaultValue
    self.entries = entries
    self.value = value
  }

  /// A driver's words as a name: lower case, one underscore for all that is neither letter nor digit.
  ///
  /// `White Balance, Automatic` becomes `white_balance_automatic`, as with `v4l2-ctl`.
  public static func name(of title: String) -> String {
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.joined(separator: "_")
  }
}

/// The value of a native control.
public enum NativeControlValue: Sendable, Hashable, CustomStringConvertible {
  /// Of all kinds but texts; 0 or 1 for Booleans.
  case number(Int64)
  case text(String)

  /// The number or the text.
  public var description: String {
    switch self {
    case .number(let value): String(value)
    case .text(let text): text
    }
  }
}

/// A camera whose driver's own controls can be read and set by their names.
///
/// For what the device contract has no word for: backlight compensation, the frequency of the mains, a light on the case.
/// What these set and ``CaptureDeviceDriver/apply(_:)`` sets are the same controls; the last write holds. Thread-safe;
/// milliseconds for each control of a USB camera.
public protocol NativeControls: CaptureDeviceDriver {
  /// Every control, in the driver's order, with what it stands at.
  /// - Throws: `disconnected`, `permissionDenied`.
  func nativeControls() throws(CaptureDeviceError) -> [NativeControl]

  /// Sets a control, and returns it as it then is: a driver may round the value. A button is pressed by any number.
  /// - Throws: `controlUnsupported` for a name that the camera lacks, or a value that it does not take; `deviceBusy` for a
  ///   control that cannot change while the camera streams; `disconnected`, `permissionDenied`.
  func setNativeControl(
    _ name: String, to value: NativeControlValue
  ) throws(CaptureDeviceError) -> NativeControl
}
