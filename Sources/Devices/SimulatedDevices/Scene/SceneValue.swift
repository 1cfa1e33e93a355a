internal import CaptureDevice
internal import Foundation

/// JSON as it stands in a scene file, before anyone says what it should be.
enum SceneValue: Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([SceneValue])
  case object([String: SceneValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .list(try container.decode([SceneValue].self))
    } else if (try? decoder.container(keyedBy: AnyKey.self)) != nil {
      self = .object(try container.decode([String: SceneValue].self))
    } else {
      // Only a number beyond every range is none of these.
      let place = decoder.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(place.drop { $0 == "." }) is a number that is too large")
    }
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The value's kind in messages.
  var name: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .text: "a text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// One object of a scene file, read key by key; what was not asked for is an error at the end.
struct SceneObject {
  /// The path in the file, as `layers[2].code`; empty is the whole file.
  let path: String
  private let file: String
  private let values: [String: SceneValue]

  /// Takes `value` as an object whose keys are among `keys`.
  init(_ value: SceneValue, path: String, file: String, keys: [String]) throws(CaptureDeviceError) {
    guard case .object(let values) = value else {
      throw Self.error(file, "\(path.isEmpty ? "the file" : path) must be an object, not \(value.name)")
    }
    self.path = path
    self.file = file
    self.values = values
    if let unknown = values.keys.filter({ !keys.contains($0) }).min() {
      throw error("unknown key \(name(unknown).quoted); known here: \(keys.joined(separator: ", "))")
    }
  }

  /// The one sentence about this file.
  func error(_ what: String) -> CaptureDeviceError {
    Self.error(file, what)
  }

  static func error(_ file: String, _ what: String) -> CaptureDeviceError {
    CaptureDeviceError(.invalidScene, "The scene \(file) cannot be used: \(what).")
  }

  /// `key` with the way to it.
  func name(_ key: String) -> String {
    path.isEmpty ? key : "\(path).\(key)"
  }

  /// Whether the key is there.
  func has(_ key: String) -> Bool { values[key] != nil }

  /// The value of `key`, of any kind.
  func value(_ key: String) -> SceneValue? { values[key] }

  /// The number under `key`, which must lie in `range`; `nil` when the key is absent.
  func number(_ key: String, in range: ClosedRange<Double>) throws(CaptureDeviceError) -> Double? {
    guard let value = values[key] else { return nil }
    guard case .number(let number) = value else {
      throw error("\(name(key)) must be a number, not \(value.name)")
    }
    guard range.contains(number) else {
      throw error(
        "\(name(key)) is \(number.short), but must lie between \(range.lowerBound.short) and \(range.upperBound.short)"
      )
    }
    return number
  }

  /// The whole number under `key`, which must lie in `range`; `nil` when the key is absent.
  func whole(_ key: String, in range: ClosedRange<Double>) throws(CaptureDeviceError) -> Int? {
    guard let number = try number(key, in: range) else { return nil }
    guard number == number.rounded() else {
      throw error("\(name(key)) is \(number.short), but must be a whole number")
    }
    return Int(number)
  }

  /// The number under `key`, which must be there.
  func requiredNumber(_ key: String, in range: ClosedRange<Double>) throws(CaptureDeviceError) -> Double {
    guard let number = try number(key, in: range) else { throw error("\(name(key)) is missing") }
    return number
  }

  /// The text under `key`; `nil` when the key is absent.
  func text(_ key: String) throws(CaptureDeviceError) -> String? {
    guard let value = values[key] else { return nil }
    guard case .text(let text) = value else { throw error("\(name(key)) must be a text, not \(value.name)") }
    guard text.utf8.count <= SceneLimits.textBytes else {
      throw error(
        "\(name(key)) is too long: \(text.utf8.count) bytes, and \(SceneLimits.textBytes) is the most")
    }
    return text
  }

  /// The text under `key`, which must be there.
  func requiredText(_ key: String) throws(CaptureDeviceError) -> String {
    guard let text = try text(key) else { throw error("\(name(key)) is missing") }
    return text
  }

  /// The truth value under `key`; `nil` when the key is absent.
  func bool(_ key: String) throws(CaptureDeviceError) -> Bool? {
    guard let value = values[key] else { return nil }
    guard case .bool(let bool) = value else {
      throw error("\(name(key)) must be true or false, not \(value.name)")
    }
    return bool
  }

  /// The pair of numbers under `key`, each in `range`; `nil` when the key is absent.
  func pair(_ key: String, in range: ClosedRange<Double>) throws(CaptureDeviceError) -> CGPoint? {
    guard let value = values[key] else { return nil }
    guard case .list(let list) = value, list.count == 2, case .number(let x) = list[0],
      case .number(let y) = list[1]
    else { throw error("\(name(key)) must be a list of two numbers") }
    guard range.contains(x), range.contains(y) else {
      throw error("\(name(key)) must lie between \(range.lowerBound.short) and \(range.upperBound.short)")
    }
    return CGPoint(x: x, y: y)
  }

  /// The list under `key`, of at most `most` values; empty when the key is absent.
  func list(_ key: String, atMost most: Int) throws(CaptureDeviceError) -> [SceneValue] {
    guard let value = values[key] else { return [] }
    guard case .list(let list) = value else { throw error("\(name(key)) must be a list, not \(value.name)") }
    guard list.count <= most else {
      throw error("\(name(key)) has \(list.count) entries, and \(most) is the most")
    }
    return list
  }

  /// The object under `key`, with only these keys; `nil` when the key is absent.
  func object(_ key: String, keys: [String]) throws(CaptureDeviceError) -> SceneObject? {
    guard let value = values[key] else { return nil }
    return try SceneObject(value, path: name(key), file: file, keys: keys)
  }
}

extension String {
  /// The text in quotation marks, on one line, cut to what a sentence can carry.
  var quoted: String { "“\(count > 60 ? "\(prefix(60))…" : self)”".oneLine }

  /// The text with spaces for control characters.
  var oneLine: String {
    String(
      String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

extension Double {
  /// Without `.0` for whole numbers.
  fileprivate var short: String {
    self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : String(self)
  }
}
