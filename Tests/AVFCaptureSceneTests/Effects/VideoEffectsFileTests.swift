import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import Testing
import Waiting

/// Tests of the file in which the person's choices of effects stand.
@Suite struct `The file of video effects` {
  private let folder = NSTemporaryDirectory() + "effects-\(UUID().uuidString)"

  private var path: String { folder + "/obscura/effects.json" }

  private func write(_ text: String) throws {
    try FileManager.default.createDirectory(atPath: folder + "/obscura", withIntermediateDirectories: true)
    try AtomicFile.write(Data(text.utf8), to: path)
  }

  private func removeFolder() {
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test
  func `says nothing where it is missing: reactions are on, the rest is off`() throws {
    let choices = try VideoEffectsFile(at: path).choices(for: "program")
    #expect(VideoEffect.allCases.filter { choices[$0].isOn } == [.reactions])
    #expect(VideoEffect.allCases.allSatisfy { choices[$0] == VideoEffectChoices.standard[$0] })
  }

  @Test
  func `a program's own words are before those for all, one by one`() throws {
    defer { removeFolder() }
    try write(
      """
      { "effects": { "portrait": { "on": true, "strength": 0.25 }, "studio-light": { "on": true } },
        "programs": { "call": { "portrait": { "strength": 0.75 }, "studio-light": { "on": false } } } }
      """)
    let file = try VideoEffectsFile(at: path)
    #expect(file.choices(for: "call")[.portrait] == VideoEffectChoice(isOn: true, strength: 0.75))
    #expect(!file.choices(for: "call")[.studioLight].isOn)
    #expect(file.choices(for: "other")[.portrait] == VideoEffectChoice(isOn: true, strength: 0.25))
    #expect(file.choices(for: "other")[.studioLight].isOn && file.programNames == ["call"])
  }

  @Test
  func `is written as it was read, with words that are not known here, and nothing that says nothing`() throws
  {
    defer { removeFolder() }
    try write(#"{ "effects": { "sepia": { "on": true }, "portrait": { "strength": 7 } } }"#)
    var file = try VideoEffectsFile(at: path)
    #expect(file.choices(for: "")[.portrait].strength == 1)
    file[.background, "call"].picture = "/beach.jpg"
    file[.reactions, "gone"].on = false
    file[.reactions, "gone"].on = nil
    try VideoEffectsFile.change(at: path) { $0 = file }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("sepia") && text.contains("/beach.jpg") && !text.contains("gone"))
    #expect(try VideoEffectsFile(at: path) == file)
  }

  @Test
  func `takes what a program chooses for itself, and the change is reported before that returns`() throws {
    defer { removeFolder() }
    try write(
      """
      { "effects": { "background": { "on": true, "picture": "/beach.jpg" } },
        "programs": { "other": { "portrait": { "on": true } } } }
      """)
    let settings = VideoEffectSettings(path: path, program: "call")
    let heard = Monitor<[VideoEffectChoice]>([])
    settings.observe { _, new in heard.withLock { $0.append(new[.background]) } }
    try settings.choose(VideoEffectChoice(isOn: true), for: .background)
    #expect(heard.withLock { $0 } == [VideoEffectChoice(isOn: true)])
    try settings.choose(VideoEffectChoice(isOn: true, strength: 0.75), for: .portrait)
    #expect(settings.choices[.portrait] == VideoEffectChoice(isOn: true, strength: 0.75))
    let file = try VideoEffectsFile(at: path)
    #expect(file.choices(for: "call")[.background].picture == nil)
    #expect(
      file.choices(for: "new")[.background].picture == "/beach.jpg" && file.programNames == ["call", "other"])
  }

  @Test
  func `keeps what was chosen when it cannot be understood, and says so to who chooses`() throws {
    defer { removeFolder() }
    try write("no JSON")
    let settings = VideoEffectSettings(path: path, program: "call")
    #expect(throws: VideoEffectsFile.ReadError.self) {
      try settings.choose(VideoEffectChoice(isOn: true), for: .portrait)
    }
    #expect(!settings.choices[.portrait].isOn)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "no JSON")
  }

  @Test
  func `is read at once when that is asked for`() throws {
    defer { removeFolder() }
    let settings = VideoEffectSettings(path: path, program: "call")
    #expect(!settings.choices[.portrait].isOn)
    try write(#"{ "effects": { "portrait": { "on": true } } }"#)
    settings.reload()
    #expect(settings.choices[.portrait].isOn)
  }

  @Test
  func `what a program switches for itself is before it, until the program leaves it to the user`() throws {
    defer { removeFolder() }
    try write(#"{ "effects": { "center-stage": { "on": true } } }"#)
    let settings = VideoEffectSettings(path: path, program: "call")
    let heard = Monitor<[Bool]>([])
    settings.observe { _, new in heard.withLock { $0.append(new[.centerStage].isOn) } }
    #expect(settings.choices[.centerStage].isOn)
    settings.override(false, of: .centerStage)
    #expect(!settings.choices[.centerStage].isOn && !settings.choices[.portrait].isOn)
    try settings.choose(VideoEffectChoice(isOn: true), for: .portrait)
    #expect(!settings.choices[.centerStage].isOn && settings.choices[.portrait].isOn)
    #expect(try VideoEffectsFile(at: path).choices(for: "call")[.centerStage].isOn, "the file is the user's")
    settings.override(nil, of: .centerStage)
    #expect(settings.choices[.centerStage].isOn && heard.withLock { $0 } == [false, false, true])
  }

  @Test
  func `is left alone while it is ignored, and what is chosen holds as long as the program`() throws {
    defer { removeFolder() }
    try write(#"{ "effects": { "portrait": { "on": true } } }"#)
    let settings = VideoEffectSettings(path: path, program: "call") { true }
    #expect(!settings.choices[.portrait].isOn)
    try settings.choose(VideoEffectChoice(isOn: true), for: .studioLight)
    #expect(settings.choices[.studioLight].isOn && !settings.choices[.portrait].isOn)
    #expect(try VideoEffectsFile(at: path).programNames.isEmpty)
  }

  @Test(arguments: ["no JSON", "[]", #"{ "effects": { "portrait": true } }"#])
  func `that cannot be understood is one sentence, and nothing changes`(text: String) throws {
    defer { removeFolder() }
    try write(text)
    do {
      _ = try VideoEffectsFile(at: path)
      Issue.record("\(text) was understood")
    } catch {
      #expect(error.description.hasPrefix("The choices of video effects in \(path) cannot be read ("))
    }
  }

  @Test
  func `loses no choice when programs change it at the same time`() throws {
    defer { removeFolder() }
    let path = path
    let failures = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 24) { index in
      do {
        try VideoEffectsFile.change(at: path) { $0[.portrait, "program \(index)"].on = true }
      } catch {
        failures.withLock { $0 += 1 }
      }
    }
    #expect(try failures.withLock { $0 } == 0 && VideoEffectsFile(at: path).programNames.count == 24)
  }

  @Test
  func `is followed by programs that run: each change is reported once`() throws {
    defer { removeFolder() }
    try write("{}")
    let settings = VideoEffectSettings(path: path, program: "call")
    let heard = Monitor<[Bool]>([])
    settings.observe { old, new in heard.withLock { $0 += [old[.portrait].isOn, new[.portrait].isOn] } }
    #expect(!settings.choices[.portrait].isOn)
    var file = VideoEffectsFile()
    file[.portrait, "call"].on = true
    try VideoEffectsFile.change(at: path) { $0 = file }
    #expect(heard.wait(for: [false, true]) && settings.choices[.portrait].isOn)
    file[.portrait, "other"].on = true
    try VideoEffectsFile.change(at: path) { $0 = file }
    file[.portrait, "call"].on = false
    try VideoEffectsFile.change(at: path) { $0 = file }
    #expect(heard.wait(for: [false, true, true, false]))
  }
}
