internal import AVFoundation
internal import Foundation

/// The JSON object of `obscura devices --controls` for one control of a driver.
///
/// Keys may be added without a new ``DeviceReport/version``.
struct DriverControlReport: Encodable, Sendable {
  struct Entry: Encodable, Sendable {
    var value: Int64
    var name: String
  }

  /// A number, or the text of a control that is one.
  enum Value: Encodable, Sendable {
    case number(Int64)
    case text(String)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }
  }

  var name: String
  var title: String
  var kind: String
  var minimum: Int64
  var maximum: Int64
  var step: Int64
  var standard: Int64
  var entries: [Entry]
  /// `nil` where it cannot be read.
  var value: Value?
  /// `readOnly`, `inactive`, `volatile`, `grabbed`.
  var flags: [String]

  private enum CodingKeys: String, CodingKey {
    case name, title, kind, minimum, maximum, step, entries, value, flags
    case standard = "default"
  }

  init(_ control: NativeControl) {
    name = control.name
    title = control.title
    kind = control.kind.rawValue
    minimum = control.range.lowerBound
    maximum = control.range.upperBound
    step = control.step
    standard = control.defaultValue
    entries = control.entries.map { Entry(value: $0.value, name: $0.name) }
    switch control.value {
    case .number(let number): value = .number(number)
    case .text(let text): value = .text(text)
    case nil: value = nil
    }
    let known: [(Bool, String)] = [
      (control.isReadOnly, "readOnly"), (control.isInactive, "inactive"), (control.isVolatile, "volatile"),
      (control.isGrabbed, "grabbed"),
    ]
    flags = known.filter(\.0).map(\.1)
  }

  /// A line for people: `power_line_frequency 2 (60 Hz); 0 (Disabled), 2 (60 Hz); default 2`.
  var text: String {
    var parts = [present]
    switch kind {
    case "menu": parts.append(entries.map { "\($0.value) (\($0.name))" }.joined(separator: ", "))
    case "button", "compound": break
    case "text": parts.append("\(minimum) to \(maximum) bytes")
    default: parts.append("\(minimum) to \(maximum)\(step == 1 ? "" : " in steps of \(step)")")
    }
    if !["button", "text", "compound"].contains(kind) { parts.append("default \(standard)") }
    let words = [
      "readOnly": "can only be read", "inactive": "decided by another control now",
      "volatile": "moves by itself", "grabbed": "fixed while the camera streams",
    ]
    parts += flags.compactMap { words[$0] }
    return parts.joined(separator: "; ")
  }

  private var present: String {
    switch value {
    case .number(let number):
      let entry = entries.first { $0.value == number }.map { " (\($0.name))" } ?? ""
      return "\(name) \(number)\(entry)"
    case .text(let text): return "\(name) “\(text)”"
    case nil: return kind == "button" ? "\(name) is a button" : "\(name) cannot be read"
    }
  }
}
