import Foundation
import ONVIFStage
import ObscuraCommands
import Testing

@Suite("obscura devices --discover")
struct DiscoverTests {
  /// A file of cameras, and a home without a keyring, that go with the body.
  private func withCameras(_ text: String?, _ body: ([String: String]) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cameras-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("cameras.json")
    if let text {
      try text.write(to: file, atomically: true, encoding: .utf8)
      chmod(file.path, 0o600)
    }
    try body([
      "OBSCURA_CAMERAS": file.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/none",
      "XDG_RUNTIME_DIR": folder.path,
    ])
  }

  @Test func `a camera is listed with its streams, and with the words that add it`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.name = "Front Door"
    let camera = try FakeONVIFCamera(nature)
    try withCameras(nil) { environment in
      let run = try Run(["devices", "--discover", "--at", camera.place], environment: environment)
      #expect(run.exitCode == .done && run.messages.isEmpty)
      #expect(
        run.text.split(separator: "\n") == [
          "Front Door, 127.0.0.1 (Acme & Sons IPC-7)",
          "   Main: rtsp://127.0.0.1:5540/main?a=1&b=2, 1920×1080, H264, 25/s at most",
          "   Sub: rtsp://127.0.0.1:5540/sub",
          "   for cameras.json: {\"address\":\"rtsp://127.0.0.1:5540/main?a=1&b=2\",\"name\":\"Front Door\"}",
          "   for a shell: OBSCURA_DEVICES='rtsp://127.0.0.1:5540/main?a=1&b=2'",
        ])
      let answer = try Run(
        ["devices", "--discover", "--at", camera.place, "--json"], environment: environment)
      let found = try #require(try answer.json().first)
      #expect(found["schema"] as? String == "obscura.network-camera" && found["version"] as? Int == 1)
      #expect(found["id"] as? String == nature.id && found["wantsLogin"] as? Bool == false)
      let streams = try #require(found["streams"] as? [[String: Any]])
      #expect(streams.map { $0["name"] as? String } == ["Main", "Sub"])
      #expect(streams[0]["codec"] as? String == "H264" && streams[0]["height"] as? Int == 1080)
      #expect(streams[0]["isKnown"] as? Bool == false && streams[1]["codec"] == nil)
    }
  }

  @Test func `a camera that wants a login says how to give it, and shows no password`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.login = .token
    let camera = try FakeONVIFCamera(nature)
    let words = ["devices", "--discover", "--at", camera.place]
    try withCameras(nil) { environment in
      let run = try Run(words, environment: environment)
      #expect(run.exitCode == .done)
      #expect(
        run.text.hasPrefix(
          "IPC-7, 127.0.0.1\n   It wants a login; put {\"address\": \"rtsp://NAME@127.0.0.1/\""))
      #expect(run.text.contains("chmod 600") && run.text.contains("server 127.0.0.1 user NAME protocol rtsp"))
    }
    let entry = #"{"cameras": [{"address": "rtsp://admin@127.0.0.1/", "password": "PASSWORD"}]}"#
    try withCameras(entry.replacingOccurrences(of: "PASSWORD", with: "wrong-one")) { environment in
      let run = try Run(words + ["--json"], environment: environment)
      let found = try #require(try run.json().first)
      #expect(found["wantsLogin"] as? Bool == true)
      #expect((found["problem"] as? String)?.hasPrefix("It refuses the login of admin") == true)
      #expect(!run.text.contains("wrong-one") && !run.messages.joined().contains("wrong-one"))
    }
    // The keyring, which this session has not, may have the password of a name.
    try withCameras(#"{"cameras": [{"address": "rtsp://admin@127.0.0.1/"}]}"#) { environment in
      let run = try Run(words, environment: environment)
      #expect(
        run.text.contains("It wants a login, and the keyring, which may have its password, cannot be asked"))
      #expect(run.text.contains(#"put {"address": "rtsp://admin@127.0.0.1/""#))
    }
    try withCameras(entry.replacingOccurrences(of: "PASSWORD", with: nature.password)) { environment in
      let run = try Run(words, environment: environment)
      #expect(run.text.contains("OBSCURA_DEVICES='rtsp://admin@127.0.0.1:5540/main?a=1&b=2'"))
      #expect(!run.text.contains(nature.password))
    }
  }

  @Test func `a host that a camera names is not offered, least of all with a user's name`() throws {
    var nature = FakeONVIFCamera.Nature()
    nature.login = .token
    nature.secondAddress = "rtsp://192.0.2.9/sub"
    nature.moreProfiles = 63
    let camera = try FakeONVIFCamera(nature)
    let entry =
      #"{"cameras": [{"address": "rtsp://admin@127.0.0.1/", "password": "PASSWORD"}]}"#
      .replacingOccurrences(of: "PASSWORD", with: nature.password)
    try withCameras(entry) { environment in
      let run = try Run(["devices", "--discover", "--at", camera.place], environment: environment)
      #expect(run.text.contains("   Sub: rtsp://admin@127.0.0.1/sub\n") && !run.text.contains("192.0.2.9"))
      #expect(run.text.contains(" more, which it was not asked for, or did not tell\n"))
    }
  }

  @Test func `a stream that stands in the file is marked, and not offered again`() throws {
    let camera = try FakeONVIFCamera()
    let entry = #"{"cameras": [{"address": "rtsp://127.0.0.1:5540/sub", "name": "Door"}]}"#
    try withCameras(entry) { environment in
      let run = try Run(["devices", "--discover", "--at", camera.place], environment: environment)
      #expect(run.text.contains("   Sub: rtsp://127.0.0.1:5540/sub, in cameras.json\n"))
      #expect(!run.text.contains("OBSCURA_DEVICES"))
    }
  }

  @Test func `nothing is asked without the word, and the words go together or not`() throws {
    let camera = try FakeONVIFCamera()
    try withCameras(nil) { environment in
      #expect(
        try Run(["devices", "--devices", "network"], environment: environment).exitCode == .noSuchCamera)
      for words in [
        ["--at", camera.place], ["--user", "me"], ["--discover", "--watch"], ["--discover", "--controls"],
        ["--discover", "-d", "0"], ["--discover", "--devices", "simulated"], ["--discover", "--at", "a:b:c"],
      ] {
        let run = try Run(["devices"] + words, environment: environment)
        #expect(run.exitCode == .usage && run.messages.count == 1, "\(words)")
      }
    }
    #expect(camera.probes == 0 && camera.requests.isEmpty)
  }
}
