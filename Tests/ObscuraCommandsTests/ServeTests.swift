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

  @Test(arguments: [["serve", "now"], ["serve", "--filter", "green"], ["serve", "--title", ""]])
  func `what it cannot do is a mistake of usage`(_ words: [String]) throws {
    #expect(try Run(words).exitCode == .usage)
  }
}
