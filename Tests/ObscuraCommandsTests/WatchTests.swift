import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura watch")
  struct WatchTests {
    /// A scene in which a code wanders to and fro before a wall.
    private func withScene(
      still: Bool = false, faults: String = "[]", _ body: (String) throws -> Void
    ) throws {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("scene.json")
        let way = (1...60).map { #"{"at": \#($0), "center": [\#($0 % 2 == 0 ? 0.3 : 0.6), 0.5]}"# }
        let scene = """
          {"version": 1, "lux": 250, "background": {"depth": 2.0}, "faults": \(faults), "layers": [
            {"code": {"type": "qr", "text": "wanderer"}, "center": [0.3, 0.5], "width": 0.2
             \(still ? "" : #", "way": [\#(way.joined(separator: ","))]"#)}]}
          """
        try Data(scene.utf8).write(to: file)
        try body("simulated:\(file.path)")
      }
    }

    private func watch(_ devices: String, _ words: String...) -> [String] {
      ["watch", "--devices", devices, "--preset", "vga", "--motion"] + words
    }

    @Test func `what moves enters once and leaves at the end, as one visit`() throws {
      try withScene { devices in
        let run = try Run(watch(devices, "--timeout", "6s", "--json"))
        #expect(run.exitCode == .done, "\(run.messages)")
        let events = try run.json()
        #expect(events.map { $0["event"] as? String } == ["enter", "leave"])
        #expect(Set(events.compactMap { $0["visit"] as? String }).count == 1)
        #expect(Set(events.compactMap { $0["id"] as? String }).count == 2)
        #expect(events.map { $0["present"] as? Int } == [1, 0])
        #expect(events.allSatisfy { $0["schema"] as? String == "obscura.sighting" })
        #expect(events.allSatisfy { $0["kind"] as? String == "motion" })
        let place = try #require(events.first?["bounds"] as? [Double])
        #expect(place.count == 4 && place[0] > 0.1 && place[0] + place[2] < 0.85, "\(place)")
      }
    }

    @Test func `once ends with the first that enters, in a line for people`() throws {
      try withScene { devices in
        let run = try Run(watch(devices, "--once", "--timeout", "60s"))
        #expect(run.exitCode == .done, "\(run.messages)")
        #expect(run.text.hasPrefix("motion  enter  0."))
        #expect(run.text.split(separator: "\n").count == 1)
      }
    }

    @Test func `where nothing moves it is exit code 1, and says so`() throws {
      try withScene(still: true) { devices in
        let run = try Run(watch(devices, "--timeout", "5s"))
        #expect(run.exitCode == .otherFailure && run.output.isEmpty)
        #expect(run.messages.count == 1 && run.messages[0].contains("saw no motion within 5 s"))
      }
    }

    @Test func `motion outside of the region is not reported`() throws {
      try withScene { devices in
        let run = try Run(watch(devices, "--timeout", "5s", "--region", "0.9,0,0.1,1"))
        #expect(run.exitCode == .otherFailure && run.output.isEmpty, "\(run.text)")
      }
    }

    @Test func `a camera's fault and its end are events`() throws {
      try withScene(faults: #"[{"kind": "reset", "at": 4.0, "for": 0.5}]"#) { devices in
        let run = try Run(watch(devices, "--timeout", "12s", "--json", "--wait"))
        let events = try run.json()
        let words = events.map { "\($0["kind"] as? String ?? "") \($0["event"] as? String ?? "")" }
        #expect(
          words == [
            "motion enter", "motion leave", "camera fault", "camera recovered", "motion enter",
            "motion leave",
          ], "\(run.messages)")
        #expect(events.first { $0["event"] as? String == "fault" }?["message"] as? String != "")
      }
    }

    @Test func `a camera that is lost is a fault, and exit code 8`() throws {
      try withScene(faults: #"[{"kind": "unplug", "at": 2.0}]"#) { devices in
        let run = try Run(watch(devices, "--timeout", "60s", "--json"))
        #expect(run.exitCode == .deviceLost)
        #expect(try run.json().last?["event"] as? String == "fault")
      }
    }

    @Test(arguments: ["--faces", "--people"])
    func `without models it says what to do, before a camera is opened`(option: String) throws {
      let run = try Run(
        ["watch", "--devices", "simulated", "-d", "none", option],
        environment: ["OBSCURA_MODELS": "/nonexistent"])
      #expect(run.exitCode == .otherFailure)
      #expect(run.messages.count == 1 && run.messages[0].contains("scripts/setup --models"))
    }

    @Test(arguments: [(["--timeout", "50s"], ExitCode.aborted), ([], .done)])
    func `watching until stopped ends well, and before its timeout it was cut short`(
      words: [String], code: ExitCode
    ) throws {
      try withScene { devices in
        let run = try Started(
          ["watch", "--devices", devices, "--preset", "vga", "--motion", "-v"] + words)
        run.waitForCamera()
        run.send(SIGTERM)
        #expect(run.exitCode() == code)
      }
    }

    @Test(arguments: [
      ["--region", "0,0,2,2"], ["--region", "1,2,3"], ["--timeout", "soon"], ["--sensitivity", "huge"],
      ["--preset", "huge"], ["a.png"], ["--types", "qr"],
    ])
    func `bad usage is one sentence and exit code 2`(words: [String]) throws {
      let run = try Run(["watch"] + words)
      #expect(run.exitCode == .usage)
      #expect(run.messages.count == 1 && run.output.isEmpty)
    }
  }
}
