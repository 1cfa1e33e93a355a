internal import CaptureDevice
internal import Foundation

extension ScenePerson {
  /// The keys of a layer that only a person has.
  static let keys = ["height", "pose", "poses", "turns", "blinks", "idle"]

  /// Reads a person out of a layer; `nil` where the layer is none.
  ///
  /// - Throws: `invalidScene`, also where what is no person has a key of persons.
  init?(of layer: SceneObject, file: String) throws(CaptureDeviceError) {
    guard let look = try layer.object("person", keys: ["skin", "hair", "hairStyle", "clothes", "seed"]) else {
      for key in Self.keys where layer.has(key) {
        throw layer.error("\(layer.name(key)) is only for layers with a person")
      }
      return nil
    }
    guard !layer.has("width") else {
      throw layer.error("\(layer.name("width")) is not for a person; write height, from crown to hips")
    }
    self.init()
    self.look.skin = try look.word("skin")
    self.look.hair = try look.word("hair")
    self.look.hairStyle = try look.word("hairStyle")
    self.look.clothes = try look.word("clothes")
    if let seed = try look.whole("seed", in: 0...9_007_199_254_740_992) { self.look.seed = UInt64(seed) }
    pose = try layer.word("pose") ?? pose
    for item in try layer.timed("poses", file: file, keys: ["at", "pose"]) {
      guard let pose: PersonPose = try item.object.word("pose") else {
        throw item.object.error("\(item.object.name("pose")) is missing")
      }
      poses.append(PoseChange(at: item.at, pose))
    }
    for item in try layer.timed("turns", file: file, keys: ["at", "turn", "nod"]) {
      turns.append(
        Turn(
          at: item.at, turn: try item.object.number("turn", in: -35...35) ?? 0,
          nod: try item.object.number("nod", in: -25...25) ?? 0))
    }
    isIdle = try layer.bool("idle") ?? true
    guard layer.has("blinks") else { return }
    var times: [Double] = []
    for value in try layer.list("blinks", atMost: SceneLimits.changes) {
      guard case .number(let time) = value, (0...1e9).contains(time) else {
        throw layer.error("\(layer.name("blinks")) must be a list of seconds")
      }
      times.append(time)
    }
    blinks = times
  }
}

extension SceneObject {
  /// The word under `key`, which must be one of a known few; `nil` when the key is absent.
  func word<Word: RawRepresentable & CaseIterable>(_ key: String) throws(CaptureDeviceError) -> Word?
  where Word.RawValue == String {
    guard let text = try text(key) else { return nil }
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("\(name(key)) is \(text.quoted); known are \(known)")
    }
    return word
  }

  /// The objects of a list, each with a time `at`, which must not run backwards.
  func timed(_ key: String, file: String, keys: [String]) throws(CaptureDeviceError) -> [(
    at: Double, object: SceneObject
  )] {
    var items: [(at: Double, object: SceneObject)] = []
    for (index, value) in try list(key, atMost: SceneLimits.changes).enumerated() {
      let object = try SceneObject(value, path: "\(name(key))[\(index)]", file: file, keys: keys)
      let at = try object.requiredNumber("at", in: 0...1e9)
      guard at >= items.last?.at ?? 0 else {
        throw error("\(object.name("at")) lies before the one above it; put them in the order of their times")
      }
      items.append((at, object))
    }
    return items
  }

  /// The way under `key`: places and times; empty when the key is absent.
  func way(_ key: String, file: String) throws(CaptureDeviceError) -> [SceneWayPoint] {
    var points: [SceneWayPoint] = []
    for item in try timed(key, file: file, keys: ["at", "center"]) {
      guard let center = try item.object.pair("center", in: -100...100) else {
        throw item.object.error("\(item.object.name("center")) is missing")
      }
      points.append(SceneWayPoint(at: item.at, center: center))
    }
    return points
  }
}
