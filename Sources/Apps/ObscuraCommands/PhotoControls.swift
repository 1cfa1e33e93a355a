internal import AVFoundation
internal import Foundation

/// How `obscura photo` was told to set the camera; `nil` leaves a control as it is.
struct PhotoControls: Sendable {
  enum Focus: Sendable, Hashable {
    case auto
    /// 0 is the nearest, 1 the farthest.
    case lens(Float)
    /// Fractions of the upright photo, from its top left.
    case point(x: Double, y: Double)
  }

  enum Flash: String, CaseIterable, Sendable {
    case off, on, auto

    var mode: AVCaptureDevice.FlashMode {
      switch self {
      case .off: .off
      case .on: .on
      case .auto: .auto
      }
    }
  }

  enum WhiteBalance: Sendable, Hashable {
    case auto
    /// Kelvin.
    case temperature(Float)
  }

  var zoom: Double?
  /// Stops.
  var bias: Float?
  var iso: Float?
  var shutterSeconds: Double?
  var focus: Focus?
  var flash: Flash?
  var whiteBalance: WhiteBalance?

  static let options: [Arguments.Option] = [
    .init("zoom", value: "FACTOR", help: "how much narrower than the whole view: 2"),
    .init("ev", value: "STOPS", help: "brighter or darker than auto exposure: -1.5"),
    .init("iso", value: "N", help: "sensitivity; without --shutter that follows from the light"),
    .init(
      "shutter", value: "TIME",
      help: "exposure: 1/100, 10ms or 0.01; without --iso that follows from the light"),
    .init(
      "focus", value: "WHERE", help: "auto, 0 (nearest) to 1 (farthest), or 'point X,Y' of the upright photo"),
    .init("flash", value: "MODE", help: "off, on or auto"),
    .init("wb", value: "WHAT", help: "white balance: auto, or the light's colour temperature: 5600"),
  ]

  /// Reads the options.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init(_ arguments: inout Arguments) throws {
    zoom = try arguments.number("zoom", unit: "x", like: "2 or 1.5x")
    if let zoom, zoom <= 0 {
      throw CommandError(.usage, "--zoom \(Self.text(zoom)) is not above 0; give a factor like 2.")
    }
    bias = try arguments.number("ev", like: "-1.5 or +1").map(Float.init)
    iso = try arguments.number("iso", like: "400").map(Float.init)
    if let iso, iso <= 0 {
      throw CommandError(.usage, "--iso \(Self.text(Double(iso))) is not above 0; give one like 400.")
    }
    shutterSeconds = try arguments["shutter"].map(Self.shutter)
    focus = try arguments["focus"].map { try Self.focus($0, &arguments) }
    flash = try arguments.choice("flash", of: Flash.self)
    whiteBalance = try arguments["wb"].map { text in
      if text == "auto" { return .auto }
      guard let kelvin = try arguments.number("wb", unit: "K", like: "auto, 5600 or 3200K"),
        (1000...25_000).contains(kelvin)
      else {
        throw CommandError(.usage, "--wb \(text) is no colour of light; give auto, or 1000 to 25000 kelvin.")
      }
      return .temperature(Float(kelvin))
    }
    if bias != nil, iso != nil, shutterSeconds != nil {
      throw CommandError(
        .usage,
        "--ev asks auto exposure, and --iso with --shutter leaves it nothing to decide; drop one of the three."
      )
    }
  }

  /// Seconds of `1/100`, `0.01`, `10ms` or `2s`.
  private static func shutter(_ text: String) throws -> Double {
    let units: [(suffix: String, factor: Double)] = [("ms", 0.001), ("us", 0.000_001), ("s", 1), ("", 1)]
    for unit in units where text.hasSuffix(unit.suffix) {
      let parts = text.dropLast(unit.suffix.count).split(separator: "/", omittingEmptySubsequences: false)
      let numbers = parts.map { part in
        part.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } ? Double(part) ?? 0 : 0
      }
      guard (1...2).contains(numbers.count), numbers.allSatisfy({ $0 > 0 && $0.isFinite }) else { break }
      let seconds = numbers[0] / (numbers.count > 1 ? numbers[1] : 1) * unit.factor
      guard seconds > 0, seconds.isFinite else { break }
      return seconds
    }
    throw CommandError(.usage, "--shutter \(text) is no exposure time; write it like 1/100, 10ms or 0.01.")
  }

  private static func focus(_ text: String, _ arguments: inout Arguments) throws -> Focus {
    if text == "auto" { return .auto }
    var words = text.split(whereSeparator: { " :=".contains($0) }).map(String.init)
    if words.first == "point" {
      // Unquoted, the place is a word of its own.
      if words.count == 1, let place = arguments.takeOperand() { words.append(place) }
      let numbers = words.dropFirst().flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        .map { Double($0) }
      if numbers.count == 2, let x = numbers[0], let y = numbers[1], (0...1).contains(x), (0...1).contains(y)
      {
        return .point(x: x, y: y)
      }
      throw CommandError(
        .usage,
        "--focus \(words.joined(separator: " ")) is no place in the photo; write it like 'point 0.5,0.3', from 0,0 at the top left to 1,1."
      )
    }
    guard let position = try arguments.number("focus", like: "auto, 0.8 or 'point 0.5,0.3'"),
      (0...1).contains(position)
    else {
      throw CommandError(
        .usage, "--focus \(text) is not between 0 (nearest) and 1 (farthest); give auto or one between.")
    }
    return .lens(Float(position))
  }

  /// A figure for people, without digits that nobody asked for.
  static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9
      ? String(Int(number)) : String(format: "%.4g", number)
  }

  /// An exposure time as photographers write it.
  static func exposureText(_ seconds: Double) -> String {
    seconds > 0 && seconds < 0.3 ? "1/\(Int((1 / seconds).rounded())) s" : "\(text(seconds)) s"
  }
}
