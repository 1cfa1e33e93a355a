import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura effects")
  struct EffectsTests {
    private let folder = NSTemporaryDirectory() + "effects-\(UUID().uuidString)"

    private func run(_ words: String...) throws -> Run {
      try Run(words, environment: ["XDG_CONFIG_HOME": folder])
    }

    private func removeFolder() {
      try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func `lists what is on, and what can be performed`() throws {
      let run = try run("effects")
      #expect(run.exitCode == .done)
      #expect(
        run.text == """
          center-stage: off
          portrait: off
          studio-light: off
          background: off
          reactions: on
          gestures: off
          edge-light: off
          voice-isolation: off
          Reactions: thumbs-up, thumbs-down, balloons, heart, fireworks, rain, confetti, lasers.

          """)
      let json = try #require(try self.run("effects", "--json").json().first)
      #expect(json["schema"] as? String == "obscura.effects" && json["version"] as? Int == 1)
      #expect((json["effects"] as? [[String: Any]])?.count == 8)
    }

    @Test func `switches for all programs, and for one`() throws {
      defer { removeFolder() }
      #expect(
        try run("effects", "on", "portrait", "--strength", "0.6").text == "portrait: on, strength 0.6\n")
      #expect(
        try run("effects", "off", "portrait", "--app", "/usr/bin/call").text == "portrait in call: off\n")
      #expect(try run("effects").text.hasPrefix("center-stage: off\nportrait: on, strength 0.6\n"))
      #expect(try run("effects").text.contains("Programs with choices of their own: call.\n"))
      #expect(try run("effects", "--app", "call").text.contains("\nportrait in call: off\n"))
      #expect(
        try run("effects", "on", "center-stage", "--app", "call").text == "center-stage in call: on\n")
      #expect(try run("effects").text.hasPrefix("center-stage: off\n"))
      #expect(try run("effects", "off", "reactions").text == "reactions: off\n")
    }

    @Test(arguments: [
      ["on"], ["on", "sepia"], ["portrait"], ["on", "portrait", "rain"],
      ["on", "portrait", "--strength", "2"],
      ["on", "reactions", "--strength", "0.5"], ["on", "center-stage", "--strength", "0.5"],
      ["on", "portrait", "--picture", "x.png"],
      ["--strength", "0.5"],
      ["on", "portrait", "--app", ""],
    ])
    func `bad words are one sentence and exit code 2`(words: [String]) throws {
      let run = try Run(["effects"] + words, environment: ["XDG_CONFIG_HOME": folder])
      #expect(run.exitCode == .usage && run.messages.count == 1 && run.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `a file that is broken, and a picture that is none, are one sentence`() throws {
      defer { removeFolder() }
      let missing = try run("effects", "on", "background", "--picture", "/nowhere.jpg")
      #expect(missing.exitCode == .otherFailure && missing.messages.count == 1)
      try FileManager.default.createDirectory(atPath: folder + "/obscura", withIntermediateDirectories: true)
      try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/obscura/effects.json"))
      let broken = try run("effects", "on", "portrait")
      #expect(broken.exitCode == .otherFailure && broken.messages.count == 1)
      #expect(broken.messages[0].contains("effects.json cannot be read"))
    }

    @Test func `a photo has the reaction that was asked for`() throws {
      let photo = folder + "-photo.png"
      defer { try? FileManager.default.removeItem(atPath: photo) }
      let run = try run(
        "photo", "-o", photo, "--devices", "simulated", "--preset", "vga", "--reaction", "confetti", "--quiet"
      )
      #expect(run.exitCode == .done && FileManager.default.fileExists(atPath: photo))
      let wrong = try self.run("photo", "-o", photo, "--devices", "simulated", "--reaction", "wave")
      #expect(wrong.exitCode == .usage && wrong.messages.count == 1)
    }
  }
}
