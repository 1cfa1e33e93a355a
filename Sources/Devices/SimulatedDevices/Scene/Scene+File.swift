public import CaptureDevice
public import Foundation
internal import FoundationExtras

extension Scene {
  /// Reads a scene file, version 1.
  ///
  /// Blocks on the file system; decodes the pictures it names.
  /// - Throws: `invalidScene` with one sentence naming the file, the place in it, and what is wrong: a file that cannot be
  ///   read, broken JSON, an unknown or missing key, a wrong type, a value out of range, a picture missing or damaged.
  public init(contentsOf url: URL) throws(CaptureDeviceError) {
    let data: Data
    do {
      data = try InputFile.contents(of: url.path, atMost: SceneLimits.fileBytes)
    } catch {
      throw SceneObject.error(url.path, "the file cannot be read (\(error)); check the path")
    }
    try self.init(json: data, name: url.path, folder: url.deletingLastPathComponent())
  }

  /// Reads a scene from the bytes of a scene file.
  ///
  /// - Parameters:
  ///   - json: The file's bytes.
  ///   - name: What messages call it.
  ///   - folder: What picture paths are relative to.
  public init(json: Data, name: String, folder: URL) throws(CaptureDeviceError) {
    try SceneLimits.check(json, name: name)
    let value: SceneValue
    do {
      value = try JSONDecoder().decode(SceneValue.self, from: json)
    } catch {
      throw SceneObject.error(name, "it is not JSON (\(String(Self.reason(error).prefix(200)).oneLine))")
    }
    let root = try SceneObject(
      value, path: "", file: name,
      keys: [
        "version", "seed", "lux", "stamp", "rate", "background", "layers", "shake", "sound", "faults",
      ])
    guard let version = try root.whole("version", in: 0...1e9) else {
      throw root.error("version is missing; write 1")
    }
    guard version == 1 else { throw root.error("version is \(version), but this program reads version 1") }

    self.init()
    let pictures = ScenePictures(folder: folder)
    if let seed = try root.whole("seed", in: 0...9_007_199_254_740_992) { self.seed = UInt64(seed) }
    lux = try root.number("lux", in: 0.01...200_000) ?? 250
    isStamped = try root.bool("stamp") ?? false
    if let object = try root.object("background", keys: ["image", "depth"]) {
      if let path = try object.text("image") {
        background.content = .picture(try pictures.picture(path, key: object.name("image"), of: object))
      }
      background.depth = try object.number("depth", in: 0.01...10_000) ?? 3
    }
    for (index, item) in try root.list("layers", atMost: SceneLimits.layers).enumerated() {
      layers.append(try SceneLayer(item, path: "layers[\(index)]", file: name, pictures: pictures))
    }
    if let object = try root.object("shake", keys: ["pixels"]) {
      shakePixels = try object.requiredNumber("pixels", in: 0...200)
    }
    if let object = try root.object("sound", keys: ["click"]) {
      clickInterval = try object.number("click", in: 0.01...86_400)
    }
    for (index, item) in try root.list("faults", atMost: SceneLimits.faults).enumerated() {
      faults.append(try SceneFault(item, path: "faults[\(index)]", file: name))
    }
    if faults.contains(where: { if case .corrupt = $0.kind { true } else { false } }) {
      devices.append(.webcam)
    }
    if let rate = try root.number("rate", in: SceneLimits.rates) {
      for index in devices.indices { devices[index].setRate(rate) }
    }
    let ids = devices.map(\.facts.uniqueID)
    for (index, fault) in faults.enumerated() {
      guard let device = fault.device, !ids.contains(device) else { continue }
      throw root.error(
        "faults[\(index)].device is \(device.quoted); the devices are \(ids.joined(separator: ", "))")
    }
  }

  /// The parser's reason, without its wrapping.
  private static func reason(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "its values cannot be read" }
    let inner = (context.underlyingError as NSError?)?.userInfo["NSDebugDescription"] as? String
    return (inner ?? context.debugDescription).trimmingCharacters(in: CharacterSet(charactersIn: ". "))
  }
}

extension SceneLayer {
  fileprivate init(
    _ value: SceneValue, path: String, file: String, pictures: ScenePictures
  ) throws(CaptureDeviceError) {
    let object = try SceneObject(
      value, path: path, file: file,
      keys: [
        "image", "code", "nod", "person", "center", "width", "angle", "depth", "velocity", "way", "from",
        "to", "face",
      ] + ScenePerson.keys)
    let kinds = ["image", "code", "nod", "person"].filter(object.has)
    guard kinds.count == 1 else {
      let found = kinds.isEmpty ? "none" : kinds.joined(separator: " and ")
      throw object.error("\(path) must have one of image, code, nod and person, and has \(found)")
    }
    let person = try ScenePerson(of: object, file: file)
    let content: SceneContent
    var middle = 1.0
    if let image = try object.text("image") {
      content = .picture(try pictures.picture(image, key: object.name("image"), of: object))
    } else if let code = try object.object("code", keys: ["type", "text"]) {
      let type = try code.requiredText("type")
      guard let kind = SceneCodeKind(rawValue: type) else {
        let known = SceneCodeKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw code.error("\(code.name("type")) is \(type.quoted); known are \(known)")
      }
      do throws(CaptureDeviceError) {
        content = try .code(kind, try code.requiredText("text"))
      } catch {
        guard error.message.hasPrefix("The scene") else {
          let reason =
            kind == .qr ? "too long for a code" : "no text that a code of the kind \(type) can hold"
          throw code.error("\(code.name("text")) is \(reason)")
        }
        throw error
      }
    } else if let nod = try object.object("nod", keys: ["near", "far", "period"]) {
      let near = try nod.requiredNumber("near", in: 0.01...10_000)
      let far = try nod.requiredNumber("far", in: 0.01...10_000)
      content = .nod(near: near, far: far, period: try nod.number("period", in: 0.01...86_400) ?? 1)
      middle = (near + far) / 2
    } else if let person {
      content = .person(person)
    } else {
      throw object.error("\(path) must have one of image, code, nod and person")
    }
    self.init(content)
    height = try object.number("height", in: 0.0001...100) ?? (person == nil ? nil : 1)
    center = try object.pair("center", in: -100...100) ?? center
    width = try object.number("width", in: 0.0001...100) ?? width
    angle = try object.number("angle", in: -36_000...36_000) ?? 0
    depth = try object.number("depth", in: 0.01...10_000) ?? middle
    velocity = try object.pair("velocity", in: -100...100) ?? velocity
    from = try object.number("from", in: 0...1e9) ?? 0
    to = try object.number("to", in: 0...1e9)
    way = try object.way("way", file: file)
    guard way.isEmpty || !object.has("velocity") else {
      throw object.error("\(path) has a way and a velocity; write one of them")
    }
    isFace = try object.bool("face") ?? (person != nil)
    if let to, to < from { throw object.error("\(path).to lies before \(path).from") }
  }
}

extension SceneFault {
  fileprivate init(_ value: SceneValue, path: String, file: String) throws(CaptureDeviceError) {
    let object = try SceneObject(
      value, path: path, file: file,
      keys: ["kind", "at", "for", "rate", "ms", "ppm", "count", "level", "device"])
    let word = try object.requiredText("kind")
    // What a kind does not use is as unknown as a key that no kind uses.
    let used: [String]
    switch word {
    case "unplug", "plug":
      used = []
      self.init(word == "plug" ? .plug : .unplug)
    case "stall", "privacy":
      used = ["for"]
      let seconds = try object.number("for", in: 0...86_400) ?? 1
      self.init(word == "stall" ? .stall(seconds: seconds) : .privacy(seconds: seconds))
    case "busy":
      used = ["for"]
      self.init(.busy(seconds: try object.number("for", in: 0...86_400)))
    case "reset":
      used = ["for"]
      self.init(.reset(seconds: try object.number("for", in: 0...86_400) ?? 0))
    case "drop", "corrupt":
      used = ["rate"]
      let rate = try object.requiredNumber("rate", in: 0...1)
      self.init(word == "drop" ? .drop(rate: rate) : .corrupt(rate: rate))
    case "jitter", "slow-start":
      used = ["ms"]
      let ms = try object.requiredNumber("ms", in: 0...3_600_000)
      self.init(word == "jitter" ? .jitter(milliseconds: ms) : .slowStart(milliseconds: ms))
    case "slow-open":
      used = ["ms"]
      self.init(.slowOpen(milliseconds: try object.requiredNumber("ms", in: 0...60_000)))
    case "drift":
      used = ["ppm"]
      self.init(.drift(partsPerMillion: try object.requiredNumber("ppm", in: -10_000...10_000)))
    case "pressure":
      used = ["for", "level"]
      let name = try object.requiredText("level")
      guard let level = OwnPressure.Level(rawValue: name) else {
        let known = OwnPressure.Level.allCases.map(\.rawValue).joined(separator: ", ")
        throw object.error("\(object.name("level")) is \(name.quoted); known are \(known)")
      }
      guard !object.has("device") else {
        throw object.error("unknown key “\(object.name("device"))” for pressure, which is the phone's")
      }
      self.init(.pressure(level: level, seconds: try object.number("for", in: 0...86_400) ?? 1))
    case "few-buffers":
      used = ["count"]
      guard let count = try object.whole("count", in: 1...64) else {
        throw object.error("\(path).count is missing")
      }
      self.init(.fewBuffers(count: count))
    default:
      throw object.error(
        "\(path).kind is \(word.quoted); known are unplug, plug, stall, drop, corrupt, jitter, busy, privacy, drift, reset, slow-start, slow-open, few-buffers, pressure"
      )
    }
    for key in ["for", "rate", "ms", "ppm", "count", "level"] where object.has(key) && !used.contains(key) {
      throw object.error("unknown key “\(object.name(key))” for \(word)")
    }
    at = try object.number("at", in: 0...86_400) ?? 0
    device = try object.text("device")
  }
}
