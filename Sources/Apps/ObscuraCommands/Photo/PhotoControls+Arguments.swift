internal import CameraTasks

extension PhotoControls {
  /// The options of `obscura photo` that set the camera.
  static let options: [Arguments.Option] = [
    .init(
      "zoom", value: "FACTOR", .number(0.01...10_000, unit: "x", like: "2 or 1.5x"),
      help: "how much narrower than the whole view: 2"),
    .init(
      "ev", value: "STOPS", .number(-100...100, like: "-1.5 or +1"),
      help: "brighter or darker than auto exposure: -1.5"),
    .init(
      "iso", value: "N", .number(0.1...100_000_000, like: "400"),
      help: "sensitivity; without --shutter that follows from the light"),
    .init(
      "shutter", value: "TIME", .exposureTime(1e-9...3600),
      help: "exposure: 1/100, 10ms or 0.01; without --iso that follows from the light"),
    .init(
      "focus", value: "WHERE",
      help: "auto, 0 (nearest) to 1 (farthest), or 'point X,Y' of the upright photo"),
    .init("flash", value: "MODE", choices: Flash.allCases.map(\.rawValue), help: "off, on or auto"),
    .init(
      "wb", value: "WHAT", .number(1000...25_000, unit: "K", or: ["auto"], like: "5600 or 3200K"),
      help: "white balance: auto, or the light's colour temperature: 5600"),
  ]

  private static let lens = Arguments.Bounds.number(0...1, or: ["auto"], like: "0.8, or 'point 0.5,0.3'")
  private static let place = Arguments.Bounds.fractions(
    count: 2, like: "'point 0.5,0.3', from 0,0 at the top left to 1,1")

  /// Reads the options.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init(_ arguments: inout Arguments) throws(CommandError) {
    self.init()
    zoom = arguments.number("zoom")
    bias = arguments.number("ev").map(Float.init)
    iso = arguments.number("iso").map(Float.init)
    shutterSeconds = arguments.number("shutter")
    if let text = arguments["focus"] { focus = try Self.focus(text, &arguments) }
    flash = try arguments.choice("flash", of: Flash.self)
    if let kelvin = arguments.number("wb") {
      whiteBalance = .temperature(Float(kelvin))
    } else if arguments["wb"] != nil {
      whiteBalance = .auto
    }
    if bias != nil, iso != nil, shutterSeconds != nil {
      throw CommandError(
        .usage,
        "--ev asks auto exposure, and --iso with --shutter leaves it nothing to decide; drop one of the three."
      )
    }
  }

  private static func focus(_ text: String, _ arguments: inout Arguments) throws(CommandError) -> Focus {
    if text == "auto" { return .auto }
    var words = text.split(whereSeparator: { " :=".contains($0) }).map(String.init)
    guard words.first == "point" else {
      if let position = lens.numbers(text)?.first { return .lens(Float(position)) }
      throw CommandError(.usage, "--focus \(Arguments.Bounds.shown(text)) is not \(lens.description).")
    }
    // Unquoted, the place is a word of its own.
    if words.count == 1, let place = arguments.takeOperand() { words.append(place) }
    if words.count == 2, let numbers = place.numbers(words[1]) {
      return .point(x: numbers[0], y: numbers[1])
    }
    throw CommandError(
      .usage,
      "--focus \(Arguments.Bounds.shown(words.joined(separator: " "))) is no place: it is not \(place.description)."
    )
  }
}
