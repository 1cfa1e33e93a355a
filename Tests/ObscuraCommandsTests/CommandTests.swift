import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura: words that are wrong")
  struct UsageTests {
    @Test(arguments: [
      [], ["nonsense"], ["photo", "--nonsense"], ["photo", "word"], ["photo", "--format", "gif"],
      ["photo", "--count", "0"], ["photo", "-o", "-", "--json"], ["stamp"], ["devices", "word"],
      ["doctor", "word"],
      ["photo", "--devices", "nowhere"], ["photo", "--timer", "soon"], ["photo", "--largest", "--raw"],
      ["photo", "--largest", "-o", "a.dng"],
      ["photo", "-o", "-", "--then", "true"],
    ])
    func `bad usage is one sentence and exit code 2`(words: [String]) throws {
      let run = try Run(words)
      #expect(run.exitCode == .usage)
      #expect(run.messages.count == 1)
      #expect(run.output.isEmpty)
    }

    @Test(arguments: ["devices", "photo", "stamp", "doctor"])
    func `every command says its options`(command: String) throws {
      let run = try Run(command, "--help")
      #expect(run.exitCode == .done)
      #expect(run.text.contains("usage: obscura \(command)"))
      #expect(run.text.contains("--devices LIST"))
    }
  }

  @Suite("obscura on simulated cameras")
  struct SimulatedTests {
    @Test func `devices prints what -d accepts`() throws {
      let devices = try Run("devices", "--devices", "simulated", "--json").json()
      #expect(devices.count == 9)
      #expect(
        devices.allSatisfy { $0["schema"] as? String == "obscura.device" && $0["version"] as? Int == 1 })
      let front = try #require(devices.first { $0["position"] as? String == "front" })
      for key in ["id", "name"] {
        let word = try #require(front[key] as? String)
        let again = try Run("devices", "--devices", "simulated", "--json", "-d", word).json()
        #expect(again.map { $0["id"] as? String } == [front["id"] as? String])
      }
      let index = try #require(front["index"] as? Int)
      let again = try Run("devices", "--devices", "simulated", "--json", "-d", String(index)).json()
      #expect(again.first?["id"] as? String == front["id"] as? String)
    }

    @Test func `devices says how a microphone sends, and cameras have no such line`() throws {
      let devices = try Run("devices", "--devices", "simulated", "--json").json()
      for device in devices {
        let sounds = try #require(device["soundFormats"] as? [[String: Any]])
        #expect(sounds.isEmpty == (device["kind"] as? String == "camera"))
      }
      let microphone = try #require(devices.first { $0["kind"] as? String == "microphone" })
      let id = try #require(microphone["id"] as? String)
      let text = try Run("devices", "--devices", "simulated").text
      let lines = text.components(separatedBy: "id \(id)").last?.split(separator: "\n") ?? []
      #expect(lines.contains("   48000 Hz, 1 channel, 16 bits"), "\(lines)")
    }

    @Test func `devices says which formats serve beside other cameras`() throws {
      let run = ["devices", "--devices", "simulated", "-d", "simulated.back.wide"]
      let formats = try #require(try Run(run + ["--json"]).json().first?["formats"] as? [[String: Any]])
      let serving = formats.filter { $0["supportsMultiCam"] as? Bool == true }
      #expect(!serving.isEmpty && serving.count < formats.count)
      let lines = try Run(run).text.split(separator: "\n")
      #expect(lines.filter { $0.hasSuffix(", beside other cameras") }.count == serving.count)
      #expect(lines.contains { $0.contains("420v 1920×1080") && $0.hasSuffix(", beside other cameras") })
      #expect(!lines.contains { $0.contains("420v 3840×2160") && $0.hasSuffix(", beside other cameras") })
    }

    @Test func `the word alsa gives no cameras`() throws {
      let devices = try Run("devices", "--devices", "alsa", "--json")
      #expect(try devices.json().allSatisfy { $0["kind"] as? String == "microphone" })
      #expect(try Run("doctor", "--devices", "alsa").exitCode == .noSuchCamera)
    }

    @Test(arguments: ["jpg", "heic", "png"])
    func `a photo carries the number of the frame that the command says`(fileExtension: String) throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("a.\(fileExtension)").path
        // A plain wall: HEIC and PNG take seconds to code the scene that is built in.
        let scene = folder.appendingPathComponent("scene.json")
        try Data(#"{"version": 1, "lux": 250, "stamp": true, "background": {"depth": 2.0}}"#.utf8).write(
          to: scene)
        let devices = fileExtension == "jpg" ? "simulated" : "simulated:\(scene.path)"
        let run = try Run("photo", "--devices", devices, "-o", path, "--json")
        #expect(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(try run.json().first)
        #expect(answer["path"] as? String == path)
        #expect(answer["width"] as? Int == 4032 && answer["height"] as? Int == 3024)
        #expect(answer["bytes"] as? Int == (try Data(contentsOf: URL(fileURLWithPath: path))).count)
        let stamp = try Run("stamp", path)
        #expect(stamp.exitCode == .done)
        #expect(stamp.text == "\(try #require(answer["sequence"] as? Int))\n")
      }
    }

    @Test func `the largest photo shows each photosite of the sensor`() throws {
      try withGreyScene { devices, folder in
        let run = try Run(
          "photo", "--devices", devices, "--immediate", "--largest", "--json", "-o", folder.path + "/a.jpg")
        let answer = try #require(try run.json().first)
        #expect(Set([answer["width"] as? Int, answer["height"] as? Int]) == [8064, 6048], "\(run.text)")
        #expect(run.messages.isEmpty)
      }
    }

    @Test func `a photo that cannot show each photosite is taken all the same, and says so`() throws {
      try withGreyScene { devices, folder in
        let run = try Run(
          "photo", "--devices", devices, "--immediate", "--largest", "--zoom", "4", "--json", "-o",
          folder.path + "/a.jpg")
        let answer = try #require(try run.json().first)
        #expect(run.exitCode == .done)
        #expect(Set([answer["width"] as? Int, answer["height"] as? Int]) == [4032, 3024], "\(run.text)")
        #expect(run.messages.count == 1 && run.messages[0].contains("not 8064×6048"), "\(run.messages)")
      }
    }

    @Test func `a command gets each file of a photo once it is whole, and its failure is said`() throws {
      try withGreyScene { devices, folder in
        let (list, photo) = (folder.path + "/list", folder.path + "/%04d.jpg")
        let run = try Run(
          "photo", "--devices", devices, "--immediate", "--preset", "vga", "--count", "2", "-o", photo,
          "--then",
          #"wc -c <"$OBSCURA_FILE" >>'\#(list)'; basename "$1" >>'\#(list)'; test "$1" = '\#(folder.path)/0001.jpg'"#
        )
        let sizes = try (1...2).map {
          try Data(contentsOf: URL(fileURLWithPath: folder.path + "/000\($0).jpg")).count
        }
        let lines = try String(contentsOfFile: list, encoding: .utf8)
        #expect(lines == "\(sizes[0])\n0001.jpg\n\(sizes[1])\n0002.jpg\n")
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.count == 1 && run.messages[0].contains("--then ended with 1"), "\(run.messages)")
      }
    }

    @Test(arguments: [("vga", 640, 480), ("720p", 1280, 720)])
    func `a photo is as large as its preset says`(preset: String, width: Int, height: Int) throws {
      try withGreyScene { devices, folder in
        let run = try Run(
          "photo", "--devices", devices, "--immediate", "--preset", preset, "--json", "-o",
          folder.path + "/a.jpg")
        let answer = try #require(try run.json().first)
        #expect(
          Set([answer["width"] as? Int, answer["height"] as? Int]) == Set([width, height]), "\(run.text)")
      }
    }

    @Test func `a photo on standard output is nothing but the picture`() throws {
      let run = try Run("photo", "--devices", "simulated", "--preset", "vga", "--immediate", "-o", "-")
      #expect(run.exitCode == .done)
      #expect(run.output.prefix(2) == Data([0xFF, 0xD8]))
      #expect(run.output.suffix(2) == Data([0xFF, 0xD9]))
    }

    @Test func `several photos get numbers of their own`() throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("p%03d.jpg").path
        let run = try Run(
          "photo", "--devices", "simulated", "--preset", "vga", "--immediate", "--count", "3", "-o", path,
          "--json")
        #expect(run.exitCode == .done, "\(run.messages)")
        let answers = try run.json()
        #expect(
          answers.compactMap { ($0["path"] as? String).map { URL(fileURLWithPath: $0).lastPathComponent } }
            == ["p001.jpg", "p002.jpg", "p003.jpg"])
        let sequences = answers.compactMap { $0["sequence"] as? Int }
        #expect(sequences.count == 3 && sequences == sequences.sorted() && Set(sequences).count == 3)
        for answer in answers {
          let stages = try #require(answer["stages"] as? [String: Double])
          let times = try ["frameChosen", "captured", "processed", "encoded", "delivered"].map {
            try #require(stages[$0])
          }
          #expect(times == times.sorted() && times.allSatisfy { $0 >= 0 } && stages["pressed"] != nil)
          #expect(answer["isFastCapture"] as? Bool == false)
        }
      }
    }

    @Test func `photos of a schedule name their slots and those that were left out`() throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("s%d.png").path
        // Nine of them take longer than nine slots.
        let run = try Run(
          "photo", "--devices", "simulated", "--preset", "1080p", "--immediate", "--count", "9", "--interval",
          "10ms", "-o", path, "--json")
        #expect(run.exitCode == .done, "\(run.messages)")
        let answers = try run.json()
        let slots = try answers.map { try #require($0["slot"] as? Int) }
        let missed = try answers.map { try #require($0["missedSlots"] as? [Int]) }
        #expect(slots.count == 9 && slots.first == 0)
        for (index, slot) in slots.enumerated() {
          let before = index == 0 ? -1 : slots[index - 1]
          #expect(before < slot && missed[index] == Array(before + 1..<slot))
        }
        let groups = missed.filter { !$0.isEmpty }
        #expect(!groups.isEmpty)
        #expect(run.messages.filter { $0.contains("left out") }.count == groups.count, "\(run.messages)")
        let plain = try Run(
          "photo", "--devices", "simulated", "--preset", "vga", "--immediate", "-o",
          folder.appendingPathComponent("one.png").path, "--json")
        let one = try #require(try plain.json().first)
        #expect(one["slot"] == nil && one["missedSlots"] == nil)
      }
    }

    @Test func `the first photo is exposed as the later ones are`() throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("e%d.jpg").path
        let run = try Run(
          "photo", "--devices", "simulated", "--preset", "vga", "--count", "2", "--interval", "1s", "-o",
          path,
          "--json")
        #expect(run.exitCode == .done, "\(run.messages)")
        let speeds = try run.json().map { try #require($0["iso"] as? Double) }
        #expect(speeds.count == 2 && abs(speeds[0] / speeds[1] - 1) < 0.1, "\(speeds)")
      }
    }

    @Test func `an unknown camera is exit code 3 and an ambiguous one exit code 2`() throws {
      #expect(try Run("photo", "--devices", "simulated", "-d", "periscope").exitCode == .noSuchCamera)
      #expect(try Run("photo", "--devices", "simulated", "-d", "back").exitCode == .usage)
      let node = try Run("photo", "--devices", "simulated,v4l2", "-d", "/dev/video-none")
      #expect(node.exitCode == .noSuchCamera && node.messages.first?.contains("/dev/video-none") == true)
    }

    @Test func `a folder that may not be made leaves nothing behind`() throws {
      try withTemporaryFolder { folder in
        let blocker = folder.appendingPathComponent("file")
        try Data().write(to: blocker)
        let run = try Run(
          "photo", "--devices", "simulated", "--preset", "vga", "--immediate", "-o", "\(blocker.path)/a.jpg")
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
      }
    }

    @Test func `devices lists the controls of drivers, of which simulated cameras have none`() throws {
      let devices = try Run("devices", "--devices", "simulated", "--controls", "--json").json()
      #expect(devices.count == 9)
      #expect(devices.allSatisfy { ($0["driverControls"] as? [Any])?.isEmpty == true })
      let one = try Run("devices", "--devices", "simulated", "-c", "-d", "0")
      #expect(one.exitCode == .done && one.text.contains("no controls of its own"))
      #expect(try Run("devices", "--devices", "simulated", "--json").json()[0]["driverControls"] == nil)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a watch begins without devices, prints a line for each plug, and ends well by a signal`(
      number: Int32
    ) throws {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("scene.json")
        try Data(#"{"version": 1, "faults": [{"kind": "plug", "at": 0.5}]}"#.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
          .appendingPathComponent("obscura")
        process.arguments = ["devices", "--devices", "simulated:\(file.path)", "--watch", "--json"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        // Ends a watch that hears nothing, so that the test fails instead of waiting for ever.
        let timeout = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: timeout)
        defer { timeout.cancel() }
        var text = ""
        while !text.contains("obscura.device-change") {
          let data = pipe.fileHandleForReading.availableData
          if data.isEmpty { break }
          text += String(decoding: data, as: UTF8.self)
        }
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        let change = try #require(text.split(separator: "\n").last { $0.contains("device-change") })
        let object = try #require(
          try JSONSerialization.jsonObject(with: Data(change.utf8)) as? [String: Any])
        #expect(
          object["event"] as? String == "connected"
            && ["camera", "microphone"].contains(object["kind"] as? String))
      }
    }

    @Test(
      .enabled(
        if: (try? FileManager.default.contentsOfDirectory(atPath: "/dev"))?.contains { $0.hasPrefix("video") }
          == false))
    func `without any camera the doctor says so and exits with 3`() throws {
      let run = try Run("doctor", "--devices", "v4l2", "--json")
      #expect(run.exitCode == .noSuchCamera)
      let findings = try #require(try run.json().first?["findings"] as? [[String: Any]])
      let problem = try #require(findings.first { $0["isProblem"] as? Bool == true })
      #expect((problem["text"] as? String)?.contains("plug one in") == true)
    }

    @Test func `the doctor finds nothing wrong`() throws {
      let run = try withGreyScene { devices, _ in try Run("doctor", "--devices", devices, "--json") }
      #expect(run.exitCode == .done)
      let findings = try #require(try run.json().first?["findings"] as? [[String: Any]])
      #expect(
        findings.contains { $0["subject"] as? String == "cameras" && $0["isProblem"] as? Bool == false })
      #expect(findings.contains { ($0["text"] as? String)?.contains("kinds of codes") == true })
      let parts = findings.filter { ["text", "publishing"].contains($0["subject"] as? String) }
      #expect(parts.count == 2 && parts.allSatisfy { $0["isProblem"] as? Bool == false })
      let people = findings.filter { $0["subject"] as? String == "faces" }.compactMap {
        $0["text"] as? String
      }
      #expect(people.count == 4, "faces, bodies, hands, and the background behind people")
      #expect(people.allSatisfy { $0.contains(" can be ") || $0.contains("run 'scripts/setup --models'") })
    }
  }

  @Suite("obscura with bad scenes and pictures")
  struct BadInputTests {
    @Test(arguments: [
      (#"{"version": 1, "colour": 3}"#, "colour"), (#"{"version": 2}"#, "version"), ("{", "scene"),
      (#"{"version": 1, "background": {"image": "missing.png", "depth": 3}}"#, "missing.png"),
      (#"{"version": 1, "background": {"image": "short.png", "depth": 3}}"#, "short.png"),
    ])
    func `a bad scene is one sentence that names what is wrong`(scene: String, name: String) throws {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("scene.json")
        try Data(scene.utf8).write(to: file)
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]).write(
          to: folder.appendingPathComponent("short.png"))
        let picture = folder.appendingPathComponent("a.jpg")
        let run = try Run("photo", "--devices", "simulated:\(file.path)", "-o", picture.path)
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.count == 1)
        #expect(run.messages.first?.contains(name) == true, "\(run.messages)")
        #expect(!FileManager.default.fileExists(atPath: picture.path))
      }
    }

    @Test func `a camera that is unplugged before the photo is exit code 8`() throws {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("scene.json")
        try Data(#"{"version": 1, "faults": [{"kind": "unplug", "at": 0.3}]}"#.utf8).write(to: file)
        let picture = folder.appendingPathComponent("a.jpg")
        let run = try Run("photo", "--devices", "simulated:\(file.path)", "--timer", "1s", "-o", picture.path)
        #expect(run.exitCode == .deviceLost, "\(run.messages)")
        #expect(run.messages.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["scene.json"])
      }
    }

    @Test(arguments: [("busy", ExitCode.deviceBusy), ("privacy", .noFramesInTime), ("reset", .deviceLost)])
    func `a camera that is withheld says why`(kind: String, exitCode: ExitCode) throws {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("scene.json")
        let fault = #"{"kind": "\#(kind)", "at": 0\#(kind == "reset" ? "" : #", "for": 60"#)}"#
        try Data(#"{"version": 1, "faults": [\#(fault)]}"#.utf8).write(to: file)
        let run = try Run(
          "photo", "--devices", "simulated:\(file.path)", "--timer", "500ms", "-o",
          folder.appendingPathComponent("a.jpg").path)
        #expect(run.exitCode == exitCode, "\(run.messages)")
        #expect(run.messages.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["scene.json"])
      }
    }

    @Test(arguments: ["missing.jpg", "text.jpg", "empty.jpg"])
    func `what is no picture has no stamp and says so`(name: String) throws {
      try withTemporaryFolder { folder in
        try Data("no picture".utf8).write(to: folder.appendingPathComponent("text.jpg"))
        try Data().write(to: folder.appendingPathComponent("empty.jpg"))
        let run = try Run("stamp", folder.appendingPathComponent(name).path)
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.count == 1)
      }
    }
  }
}

/// The commands run one after the other: each takes the processors for itself.
@Suite("obscura", .serialized)
struct CommandTests {}
