import CaptureDevice
import Foundation
import Glibc
import GraphicsCore
import SimulatedDevices
import StillCodecs
import Testing

@Suite("Scene files")
struct SceneFileTests {
  private func scene(_ json: String, folder: URL = URL(fileURLWithPath: "/nowhere")) throws -> Scene {
    try Scene(json: Data(json.utf8), name: "scene.json", folder: folder)
  }

  private func message(_ json: String, folder: URL = URL(fileURLWithPath: "/nowhere")) throws -> String {
    let error = try #require(throws: CaptureDeviceError.self) { _ = try scene(json, folder: folder) }
    #expect(error.code == .invalidScene)
    #expect(error.message.hasSuffix(".") && !error.message.contains("\n"))
    return error.message
  }

  @Test func `cameras have the rate of the scene, also below one, and maps of depth the same`() throws {
    for (text, nanoseconds) in [("0.125", 8_000_000_000), ("0.5", 2_000_000_000), ("25", 40_000_000)]
      as [(String, Int64)]
    {
      let cameras = try scene("{\"version\": 1, \"rate\": \(text)}").devices.filter {
        !$0.facts.formats.isEmpty
      }
      #expect(cameras.count == 8)
      for format in cameras.flatMap(\.facts.formats) {
        let durations = format.frameDurations + format.depthFormats.flatMap(\.frameDurations)
        #expect(
          durations.allSatisfy { $0.lowerBound == $0.upperBound && $0.lowerBound.nanoseconds == nanoseconds })
      }
      #expect(cameras.contains { $0.facts.formats.contains { !$0.depthFormats.isEmpty } })
    }
    #expect(try message("{\"version\": 1, \"rate\": 0}").contains("rate"))
    #expect(try message("{\"version\": 1, \"rate\": 1000}").contains("rate"))
  }

  @Test func `the contract's example is read to the letter`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scene-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let grey = try #require(CGDataProvider(data: Data(repeating: 200, count: 32)))
    let picture = try #require(
      CGImage(
        width: 4, height: 2, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 16,
        space: CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue),
        provider: grey, decode: nil,
        shouldInterpolate: false, intent: .defaultIntent))
    try PNGEncoder.encode(picture).write(to: folder.appendingPathComponent("poster.png"))
    try PNGEncoder.encode(picture).write(to: folder.appendingPathComponent("wall.png"))
    let scene = try scene(
      """
      { "version": 1, "seed": 7, "lux": 100, "stamp": true,
        "background": { "image": "wall.png", "depth": 3.5 },
        "layers": [
          { "image": "poster.png", "center": [0.5, 0.25], "width": 0.4, "angle": 10, "depth": 1.2,
            "velocity": [0.02, 0.0], "from": 1, "to": 5 },
          { "code": { "type": "qr", "text": "hello" }, "center": [0.2, 0.3], "width": 0.15, "depth": 0.8 },
          { "nod": { "near": 0.35, "far": 0.55, "period": 1.0 }, "center": [0.5, 0.6], "width": 0.5 } ],
        "shake": { "pixels": 2.0 }, "sound": { "click": 1.0 },
        "faults": [ { "kind": "unplug", "at": 2.0 }, { "kind": "plug", "at": 3.5, "device": "simulated.back.wide" } ] }
      """, folder: folder)
    #expect(scene.seed == 7 && scene.lux == 100 && scene.isStamped && scene.isNoisy)
    #expect(scene.background.depth == 3.5 && scene.shakePixels == 2 && scene.clickInterval == 1)
    #expect(scene.layers.count == 3)
    #expect(scene.layers[0].center == CGPoint(x: 0.5, y: 0.25) && scene.layers[0].angle == 10)
    #expect(scene.layers[0].velocity == CGPoint(x: 0.02, y: 0) && scene.layers[0].from == 1)
    #expect(scene.layers[0].to == 5 && scene.layers[1].depth == 0.8 && scene.layers[1].to == nil)
    #expect(
      scene.faults == [SceneFault(.unplug, at: 2), SceneFault(.plug, at: 3.5, device: "simulated.back.wide")])
  }

  @Test(arguments: [
    ("{", "it is not JSON"),
    ("[]", "the file must be an object, not a list"),
    ("{}", "version is missing"),
    (#"{"version": 2}"#, "version is 2"),
    (#"{"version": "1"}"#, "version must be a number, not a text"),
    (#"{"version": 1.5}"#, "must be a whole number"),
    (#"{"version": 1, "luxx": 3}"#, "unknown key “luxx”"),
    (#"{"version": 1, "lux": true}"#, "lux must be a number, not a truth value"),
    (#"{"version": 1, "lux": -1}"#, "lux is -1, but must lie between"),
    (#"{"version": 1, "stamp": 1}"#, "stamp must be true or false, not a number"),
    (#"{"version": 1, "background": {"imagee": "x"}}"#, "unknown key “background.imagee”"),
    (#"{"version": 1, "background": {"image": "gone.png"}}"#, "/nowhere/gone.png, which does not exist"),
    (#"{"version": 1, "layers": {}}"#, "layers must be a list, not an object"),
    (
      #"{"version": 1, "layers": [{}]}"#,
      "layers[0] must have one of image, code, nod and person, and has none"
    ),
    (
      #"{"version": 1, "layers": [{"image": "a", "nod": {}}]}"#,
      "layers[0] must have one of image, code, nod and person, and has image and nod"
    ),
    (#"{"version": 1, "layers": [{"nod": {"near": 1}}]}"#, "layers[0].nod.far is missing"),
    (#"{"version": 1, "layers": [{"code": {"type": "bar", "text": ""}}]}"#, "layers[0].code.type is “bar”"),
    (
      #"{"version": 1, "layers": [{"code": {"type": "ean13", "text": "x"}}]}"#,
      "layers[0].code.text is no text that a code of the kind ean13 can hold"
    ),
    (
      #"{"version": 1, "layers": [{"nod": {"near": 1, "far": 2}, "center": [1]}]}"#,
      "layers[0].center must be a list of two numbers"
    ),
    (
      #"{"version": 1, "layers": [{"person": {}, "width": 0.5}]}"#,
      "layers[0].width is not for a person; write height, from crown to hips"
    ),
    (
      #"{"version": 1, "layers": [{"nod": {"near": 1, "far": 2}, "pose": "wave"}]}"#,
      "layers[0].pose is only for layers with a person"
    ),
    (
      #"{"version": 1, "layers": [{"person": {"skin": "blue"}}]}"#,
      "layers[0].person.skin is “blue”; known are light, fair, tan, brown, dark"
    ),
    (#"{"version": 1, "layers": [{"person": {"eyes": 2}}]}"#, "unknown key “layers[0].person.eyes”"),
    (
      #"{"version": 1, "layers": [{"person": {}, "pose": "fly"}]}"#,
      "layers[0].pose is “fly”; known are armsDown"
    ),
    (
      #"{"version": 1, "layers": [{"person": {}, "poses": [{"at": 1}]}]}"#,
      "layers[0].poses[0].pose is missing"
    ),
    (
      #"{"version": 1, "layers": [{"person": {}, "poses": [{"at": 2, "pose": "wave"}, {"at": 1, "pose": "heart"}]}]}"#,
      "layers[0].poses[1].at lies before the one above it"
    ),
    (
      #"{"version": 1, "layers": [{"person": {}, "turns": [{"at": 0, "turn": 90}]}]}"#,
      "layers[0].turns[0].turn is 90, but must lie between -35 and 35"
    ),
    (
      #"{"version": 1, "layers": [{"person": {}, "blinks": ["a"]}]}"#,
      "layers[0].blinks must be a list of seconds"
    ),
    (
      #"{"version": 1, "layers": [{"person": {}, "way": [{"at": 1}]}]}"#, "layers[0].way[0].center is missing"
    ),
    (
      #"{"version": 1, "layers": [{"person": {}, "velocity": [0, 0], "way": [{"at": 1, "center": [0, 0]}]}]}"#,
      "layers[0] has a way and a velocity; write one of them"
    ),
    (#"{"version": 1, "shake": {}}"#, "shake.pixels is missing"),
    (#"{"version": 1, "faults": [{"at": 1}]}"#, "faults[0].kind is missing"),
    (#"{"version": 1, "faults": [{"kind": "fire"}]}"#, "faults[0].kind is “fire”"),
    (#"{"version": 1, "faults": [{"kind": "drop"}]}"#, "faults[0].rate is missing"),
    (
      #"{"version": 1, "faults": [{"kind": "drop", "rate": 2}]}"#,
      "faults[0].rate is 2, but must lie between 0 and 1"
    ),
    (
      #"{"version": 1, "faults": [{"kind": "unplug", "rate": 1}]}"#, "unknown key “faults[0].rate” for unplug"
    ),
    (
      #"{"version": 1, "faults": [{"kind": "plug", "device": "x"}]}"#,
      "faults[0].device is “x”; the devices are"
    ),
  ])
  func `what is wrong is said in one sentence with its place`(json: String, part: String) throws {
    let message = try message(json)
    #expect(message.contains(part), "\(message)")
  }

  @Test func `a person is read to the letter`() throws {
    let scene = try scene(
      """
      { "version": 1, "layers": [
          { "person": { "skin": "tan", "hair": "grey", "hairStyle": "bun", "clothes": "red", "seed": 5 },
            "center": [0.5, 0.75], "height": 1.3, "depth": 0.8, "pose": "wave", "idle": false,
            "poses": [ { "at": 1, "pose": "thumbsUp" }, { "at": 2.5, "pose": "armsDown" } ],
            "turns": [ { "at": 1, "turn": 20, "nod": -5 } ], "blinks": [ 2, 3 ],
            "way": [ { "at": 4, "center": [0.2, 0.75] } ] } ] }
      """)
    let look = PersonLook(skin: .tan, hair: .grey, hairStyle: .bun, clothes: .red, seed: 5)
    let layer = try #require(scene.layers.first)
    #expect(
      layer.content.person
        == ScenePerson(
          look, pose: .wave, poses: [.init(at: 1, .thumbsUp), .init(at: 2.5, .armsDown)],
          turns: [.init(at: 1, turn: 20, nod: -5)], blinks: [2, 3], isIdle: false))
    #expect(layer.height == 1.3 && layer.depth == 0.8 && layer.isFace)
    #expect(layer.way == [SceneWayPoint(at: 4, center: CGPoint(x: 0.2, y: 0.75))])
  }

  @Test func `a code that is too long is an error with its place`() throws {
    let text = String(repeating: "x", count: 300)
    let message = try message(#"{"version": 1, "layers": [{"code": {"type": "qr", "text": "\#(text)"}}]}"#)
    #expect(message.contains("layers[0].code.text"))
  }

  @Test(arguments: ["png", "jpg"])
  func `a truncated picture is an error that names the file`(ending: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scene-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let truth = try Stage().camera.truth(at: 0, size: FrameSize(width: 64, height: 48)).picture
    let bytes: Data
    if ending == "png" {
      let noise: [UInt8] = (0..<64 * 48 * 4).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 251) }
      let provider = try #require(CGDataProvider(data: Data(noise)))
      let image = try #require(
        CGImage(
          width: 64, height: 48, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 256,
          space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue),
          provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent))
      bytes = try PNGEncoder.encode(image)
    } else {
      bytes = try JPEGEncoder.encode(truth)
    }
    try bytes.prefix(bytes.count * 2 / 3).write(to: folder.appendingPathComponent("cut.\(ending)"))
    let message = try message(#"{"version": 1, "layers": [{"image": "cut.\#(ending)"}]}"#, folder: folder)
    #expect(message.contains("layers[0].image") && message.contains("cut.\(ending)"), "\(message)")
    #expect(message.contains("damaged"), "\(message)")
  }

  @Test func `a missing scene file is one sentence`() throws {
    let error = try #require(throws: CaptureDeviceError.self) {
      _ = try Scene(contentsOf: URL(fileURLWithPath: "/nowhere/scene.json"))
    }
    #expect(error.message.contains("/nowhere/scene.json") && error.message.contains("there is no such file"))
  }

  @Test func `the words of the device list are understood`() throws {
    let backend = try #require(DeviceBackends.named("simulated"))
    #expect(try backend.makeProvider(nil).devices().count == 9)
    #expect(throws: CaptureDeviceError.self) { try backend.makeProvider("/nowhere.json") }
    #expect(throws: CaptureDeviceError.self) { try backend.makeProvider("") }
  }

  @Test func `a scene with the fault corrupt has a Motion JPEG camera`() throws {
    let scene = try scene(
      #"{"version": 1, "faults": [{"kind": "corrupt", "rate": 1, "device": "simulated.webcam"}]}"#)
    #expect(scene.devices.last?.facts.formats.allSatisfy { $0.encoding == .motionJPEG } == true)
  }

  @Test(arguments: [
    (
      #"{"version": 1, "layers": [{"nod": {"near": 1e999, "far": 2}}]}"#,
      "layers[0].nod.near is a number that is too large"
    ),
    (
      #"{"version": 1, "layers": [{"nod": {"near": 1, "far": 2}, "width": 1e308}]}"#,
      "layers[0].width is 1e+308"
    ),
    (#"{"version": 1, "layers": [{"nod": {"near": 1, "far": 2}, "width": 0}]}"#, "layers[0].width is 0"),
    (
      #"{"version": 1, "layers": [{"nod": {"near": 1, "far": 2}, "from": 3, "to": 1}]}"#,
      "layers[0].to lies before"
    ),
    (#"{"version": 1, "faults": [{"kind": "stall", "for": -1}]}"#, "faults[0].for is -1"),
    (#"{"version": 1, "lux": NaN}"#, "it is not JSON"),
  ])
  func `a value that no scene can have is an error that names its key`(json: String, part: String) throws {
    let message = try message(json)
    #expect(message.contains(part), "\(message)")
  }

  @Test func `too many layers, faults, values or levels are an error before they are looked at`() throws {
    func list(_ item: String, _ count: Int) -> String {
      Array(repeating: item, count: count).joined(separator: ",")
    }
    let nod = #"{"nod": {"near": 1, "far": 2}}"#
    #expect(try scene(#"{"version": 1, "layers": [\#(list(nod, 1000))]}"#).layers.count == 1000)
    #expect(
      try message(#"{"version": 1, "layers": [\#(list(nod, 1001))]}"#).contains("layers has 1001 entries"))
    #expect(
      try message(#"{"version": 1, "faults": [\#(list(#"{"kind": "plug"}"#, 1001))]}"#).contains(
        "faults has 1001"))
    #expect(try message(#"{"version": 1, "layers": [\#(list("0", 60_000))]}"#).contains("50000 is the most"))
    #expect(try message(String(repeating: "[", count: 100_000)).contains("16 is the most"))
    // Brackets and commas inside a text count for nothing.
    let text = String(repeating: "[,\\\"", count: 100)
    #expect(
      try message(#"{"version": 1, "faults": [{"kind": "\#(text)"}]}"#).contains("faults[0].kind is “[,"))
  }

  @Test func `a text that is too long is neither taken nor repeated`() throws {
    let long = String(repeating: "x", count: 5000)
    #expect(
      try message(#"{"version": 1, "layers": [{"image": "\#(long)"}]}"#).contains(
        "layers[0].image is too long"))
    #expect(try message(#"{"version": 1, "\#(long)": 1}"#).count < 300)
    #expect(try message(#"{"version": 1, "faults": [{"kind": "a\nb"}]}"#).contains("“a b”"))
  }

  @Test func `a file beyond 16 MB and what is no file are refused at once`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scene-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("scene.json")
    func message() throws -> String {
      try #require(throws: CaptureDeviceError.self) { _ = try Scene(contentsOf: file) }.message
    }
    try Data().write(to: file)
    #expect(truncate(file.path, 100 << 20) == 0)
    #expect(try message().contains("it has 100 MB and at most 16 MB are read"))
    try FileManager.default.removeItem(at: file)
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(try message().contains("it is a pipe"))
    let other = #"{"version": 1, "background": {"image": "scene.json"}}"#
    #expect(try self.message(other, folder: folder).contains("cannot be read (it is a pipe, not a file)"))
    #expect(try self.message(#"{"version": 1, "background": {"image": "/tmp"}}"#).contains("it is a folder"))
  }

  @Test func `a picture is read once, and all together are bounded`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scene-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let provider = try #require(CGDataProvider(data: Data(count: 5000 * 3000)))
    let gray = try #require(
      CGImage(
        width: 5000, height: 3000, bitsPerComponent: 8, bitsPerPixel: 8, bytesPerRow: 5000,
        space: CGColorSpaceCreateDeviceGray(), bitmapInfo: [],
        provider: provider, decode: nil, shouldInterpolate: false,
        intent: .defaultIntent))
    let bytes = try PNGEncoder.encode(gray)
    for name in "abcd" { try bytes.write(to: folder.appendingPathComponent("\(name).png")) }
    func layers(_ names: String) -> String {
      let items = names.map { #"{"image": "\#($0).png"}"# }.joined(separator: ",")
      return #"{"version": 1, "layers": [\#(items)]}"#
    }
    #expect(try scene(layers("aaaaaa"), folder: folder).layers.count == 6)
    let message = try message(layers("abcd"), folder: folder)
    #expect(message.contains("layers[3].image") && message.contains("48 is the most"), "\(message)")
  }
}
