internal import AVFoundation
internal import CaptureDevice
internal import Foundation
internal import Linux
internal import V4L2Devices

/// `obscura doctor`: says what is wrong and how to mend it.
enum DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "says what is wrong with cameras here, and how to mend it"
  static let usage = "[options]"
  static let options: [Arguments.Option] = []

  private struct Answer: Encodable {
    var schema = "obscura.doctor"
    var version = 1
    var findings: [Finding]
  }

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard arguments.operands.isEmpty else {
      throw CommandError(
        .usage, "'\(arguments.operands[0])' is one word too many; doctor looks at everything.")
    }
    let environment = ProcessInfo.processInfo.environment
    try DeviceChoice.install(arguments, environment: environment)
    let findings = KernelCameraCheck().findings() + cameraFindings() + [libraryFinding(environment)]
    if arguments.has("json") {
      try terminal.answer(json: Answer(findings: findings))
    } else {
      for finding in findings {
        terminal.answer("\(finding.isProblem ? "problem" : "ok     ") \(finding.text)")
      }
    }
    return findings.first { $0.isProblem && $0.exitCode != nil }?.exitCode ?? .done
  }

  /// What the devices in force amount to.
  private static func cameraFindings() -> [Finding] {
    let cameras = AVCaptureDevice.devices(for: .video)
    guard !cameras.isEmpty else {
      return [
        Finding(
          "cameras",
          problem: "There is no camera that can be used; plug one in, or try '--devices simulated'.",
          exitCode: .noSuchCamera)
      ]
    }
    return cameras.map { Finding("cameras", "\($0.localizedName) can be used (\($0.uniqueID)).") }
  }

  /// Whether a photo could be kept.
  private static func libraryFinding(_ environment: [String: String]) -> Finding {
    let folder = PictureFile.libraryFolder(environment)
    var existing = folder
    // The folder itself is made with the first photo; what exists of its path decides whether it can be.
    while !FileManager.default.fileExists(atPath: existing.path), existing.path != "/" {
      existing.deleteLastPathComponent()
    }
    guard FileManager.default.isWritableFile(atPath: existing.path) else {
      return Finding(
        "library",
        problem:
          "Photos cannot be kept in \(folder.path), because \(existing.path) may not be written; set OBSCURA_LIBRARY to another folder."
      )
    }
    return Finding("library", "Photos go to \(folder.path).")
  }
}

/// One thing that the doctor looked at.
struct Finding: Encodable, Sendable {
  /// What was looked at: `cameras`, `nodes`, `library`.
  var subject: String
  var isProblem: Bool
  /// One sentence; for a problem, with what to do.
  var text: String
  /// What the command exits with when this is its first problem; `nil` for a problem that leaves the cameras usable.
  var exitCode: ExitCode?

  private enum CodingKeys: String, CodingKey {
    case subject, isProblem, text
  }

  init(_ subject: String, _ text: String) {
    self.subject = subject
    self.text = text
    isProblem = false
  }

  init(_ subject: String, problem text: String, exitCode: ExitCode? = nil) {
    self.subject = subject
    self.text = text
    self.exitCode = exitCode
    isProblem = true
  }
}

/// Looks at the kernel's video nodes, where most trouble is.
struct KernelCameraCheck {
  /// Empty unless kernel cameras are among the devices in force.
  func findings() -> [Finding] {
    (CaptureDeviceProviders.installed ?? []).compactMap { $0 as? V4L2DeviceProvider }.flatMap(findings)
  }

  /// Why this user may use none of the kernel's cameras; `nil` when that is not so.
  var refusal: String? {
    (CaptureDeviceProviders.installed ?? []).compactMap { $0 as? V4L2DeviceProvider }.flatMap { $0.omitted() }
      .first { $0.code == .permissionDenied }?.reason
  }

  /// Who keeps `device` busy, as far as this user may know.
  func busySentence(_ device: AVCaptureDevice) -> String {
    let holders =
      (CaptureDeviceProviders.installed ?? []).compactMap { $0 as? V4L2DeviceProvider }
      .flatMap { $0.cameras() }.first { $0.facts.uniqueID == device.uniqueID }?.holders ?? []
    let others = holders.filter { $0.process != ProcessInfo.processInfo.processIdentifier }
    let names = others.map { "\($0.name) (process \($0.process))" }.joined(separator: ", ")
    return
      "\(device.localizedName) is in use by \(names.isEmpty ? "another program" : names); quit that and try again."
  }

  private func findings(of provider: V4L2DeviceProvider) -> [Finding] {
    let omitted = provider.omitted().map { node in
      // A node that is no camera is nobody's trouble; one that refuses is.
      node.code == nil
        ? Finding("nodes", node.reason)
        : Finding("nodes", problem: node.reason, exitCode: exitCode(node.code))
    }
    let held = provider.cameras().flatMap { camera in
      camera.holders.filter { $0.process != ProcessInfo.processInfo.processIdentifier }.map { holder in
        Finding(
          "nodes",
          problem:
            "\(camera.facts.name) (\(camera.path)) is held by \(holder.name), process \(holder.process); quit it to use the camera.",
          exitCode: .deviceBusy)
      }
    }
    return omitted + held
  }

  private func exitCode(_ code: CaptureDeviceError.Code?) -> ExitCode? {
    switch code {
    case .permissionDenied: .permissionDenied
    case .deviceBusy: .deviceBusy
    default: nil
    }
  }
}
