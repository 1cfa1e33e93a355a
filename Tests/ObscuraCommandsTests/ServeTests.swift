import CFrameRings
import Foundation
import ObscuraCommands
import PipeWireStage
import Testing

@Suite("obscura serve")
struct ServeTests {
  @Test func `without PipeWire it says how to start it, and the doctor notes it`() throws {
    let pipewire = try PrivatePipeWire()
    let served = try withGreyScene { devices, _ in
      try Run(["serve", "--devices", devices], environment: pipewire.environment)
    }
    #expect(served.exitCode == .otherFailure)
    #expect(served.messages.last?.contains("systemctl --user start pipewire wireplumber") == true)
    let doctor = try Run(["doctor", "--devices", "pipewire", "--json"], environment: pipewire.environment)
    #expect(doctor.exitCode == .noSuchCamera)
    let findings = try #require(try doctor.json().first?["findings"] as? [[String: Any]])
    let finding = try #require(findings.first { $0["subject"] as? String == "pipewire" })
    #expect(finding["isNote"] as? Bool == true)
    #expect((finding["text"] as? String)?.hasPrefix("PipeWire does not run for this user") == true)
  }

  @Test(.enabled(if: PrivatePipeWire.isInstalled))
  func `another program takes a photo of the camera that is served`() throws {
    let pipewire = try PrivatePipeWire()
    try pipewire.start()
    try withGreyScene { devices, folder in
      let served = try Started(
        ["serve", "--devices", devices, "--title", "Desk", "--filter", "mono"],
        environment: pipewire.environment)
      served.waitForMessage("Desk is in other programs' lists of cameras.")
      let list = try Run(["devices", "--devices", "pipewire"], environment: pipewire.environment)
      #expect(list.text.contains("Desk"))
      let photo = folder.appendingPathComponent("a.jpg")
      let run = try Run(
        ["photo", "--devices", "pipewire", "--device", "Desk", "-o", photo.path],
        environment: pipewire.environment)
      #expect(run.exitCode == .done, "\(run.messages)")
      #expect(FileManager.default.fileExists(atPath: photo.path))
      served.send(SIGINT)
      #expect(served.exitCode() == .done)
    }
  }

  @Test func `its time ends while it waits for its camera at first`() throws {
    let none = try Run("serve", "--devices", "simulated", "-d", "none", "--wait", "-t", "300ms")
    #expect(none.exitCode == .noSuchCamera, "\(none.messages)")
  }

  @Test(.enabled(if: PrivatePipeWire.isInstalled))
  func `its time ends while its camera is away`() throws {
    let pipewire = try PrivatePipeWire()
    try pipewire.start()
    try withTemporaryFolder { folder in
      let scene = folder.appendingPathComponent("scene.json")
      try Data(#"{"version": 1, "faults": [{"kind": "unplug", "at": 1.0}]}"#.utf8).write(to: scene)
      let lost = try Run(
        ["serve", "--devices", "simulated:\(scene.path)", "--wait", "-t", "4s"],
        environment: pipewire.environment)
      #expect(lost.exitCode == .done, "\(lost.messages)")
      #expect(lost.messages.contains { $0.contains("It is waited for") }, "\(lost.messages)")
    }
  }

  @Test func `programs read the frames of a ring until it is stopped, and no other command takes its socket`()
    throws
  {
    try withGreyScene { devices, folder in
      let socket = folder.appendingPathComponent("ring").path
      let served = try Started(["serve", "--devices", devices, "--ring", socket, "--slots", "3"])
      served.waitForMessage("Programs can read the frames at \(socket).")
      var (ring, frame) = (obscura_ring(), obscura_frame())
      #expect(obscura_ring_connect(&ring, socket) == 0)
      defer { obscura_ring_close(&ring) }
      #expect(obscura_ring_next(&ring, &frame, 30_000) == 1)
      #expect(
        frame.width > 0 && frame.stride >= 4 * frame.width && frame.time > 0 && ring.layout.slot_count == 3)
      let second = try Run(["serve", "--devices", devices, "--ring", socket])
      #expect(second.exitCode == .otherFailure && second.messages.count == 1)
      #expect(second.messages.last?.contains("another program listens there") == true, "\(second.messages)")
      served.send(SIGINT)
      #expect(served.exitCode() == .done)
      var result: Int32 = 1
      while result == 1 { result = obscura_ring_next(&ring, &frame, 30_000) }
      #expect(result == -EPIPE)
      #expect(!FileManager.default.fileExists(atPath: socket))
    }
  }

  @Test func `who reads a ring stays while the camera is away, and has frames again when it is back`() throws
  {
    try withTemporaryFolder { folder in
      let scene = folder.appendingPathComponent("scene.json")
      let faults = #"[{"kind": "unplug", "at": 1.0}, {"kind": "plug", "at": 1.5}]"#
      try Data(#"{"version": 1, "faults": \#(faults)}"#.utf8).write(to: scene)
      let socket = folder.appendingPathComponent("ring").path
      let served = try Started(["serve", "--devices", "simulated:\(scene.path)", "--ring", socket, "--wait"])
      served.waitForMessage("Programs can read the frames at \(socket).")
      var (ring, frame) = (obscura_ring(), obscura_frame())
      #expect(obscura_ring_connect(&ring, socket) == 0)
      defer { obscura_ring_close(&ring) }
      served.waitForMessage(" is back.")
      // What was told of before is taken at once; the next frame is one of the camera that is back.
      _ = obscura_ring_next(&ring, &frame, 0)
      #expect(obscura_ring_next(&ring, &frame, 30_000) == 1)
      served.send(SIGINT)
      #expect(served.exitCode() == .done)
    }
  }

  @Test(arguments: [
    ["serve", "now"], ["serve", "--filter", "green"], ["serve", "--title", ""], ["serve", "--ring", ""],
    ["serve", "--ring", "a", "--title", "b"], ["serve", "--slots", "4"],
    ["serve", "--ring", "a", "--slots", "1"],
  ])
  func `what it cannot do is a mistake of usage`(_ words: [String]) throws {
    #expect(try Run(words).exitCode == .usage)
  }

  @Test func `a socket that cannot be is one sentence, before a camera is opened`() throws {
    try withTemporaryFolder { folder in
      let run = try Run(["serve", "--devices", "simulated", "-d", "none", "--ring", folder.path])
      #expect(run.exitCode == .otherFailure && run.messages.count == 1, "\(run.messages)")
      #expect(run.messages.last?.contains("something else has that name") == true, "\(run.messages)")
    }
  }
}
