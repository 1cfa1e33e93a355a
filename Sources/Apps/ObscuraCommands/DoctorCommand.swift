internal import AVFoundation
internal import CaptureDevice
internal import CodeReading
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import PeopleFinding
internal import StillCodecs
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
    let kernel = KernelCameraCheck().findings()
    let wanted = try arguments["device"].map { _ in try DeviceChoice.camera(arguments) }
    let (cameras, isUsable) = cameraFindings(kernel, wanted)
    let findings =
      kernel + cameras + MicrophoneCheck().findings()
      + DeviceChoice.watchFailures.map { Finding("plugs", problem: $0.message) }
      + [codecFinding(), codesFinding()] + peopleFindings() + [libraryFinding(environment)]
    if arguments.has("json") {
      try terminal.answer(json: Answer(findings: findings))
    } else {
      for finding in findings {
        terminal.answer("\(finding.isProblem ? "problem" : "ok     ") \(finding.text)")
      }
    }
    if isUsable { return .done }
    let troubles = findings.filter { wanted == nil || $0.camera == nil || $0.camera == wanted?.uniqueID }
    return troubles.firstResult { $0.isProblem ? $0.exitCode : nil } ?? .noSuchCamera
  }

  /// What the devices in force amount to, and whether a camera, or the one that was asked for, can be used.
  private static func cameraFindings(
    _ kernel: [Finding], _ wanted: AVCaptureDevice?
  ) -> ([Finding], isUsable: Bool) {
    let cameras = AVCaptureDevice.devices(for: .video)
    let withheld = Set(kernel.filter { $0.exitCode != nil }.compactMap(\.camera))
    let usable = cameras.filter { !withheld.contains($0.uniqueID) }
    if cameras.isEmpty {
      // What keeps this user from the cameras that there are has been said.
      if kernel.contains(where: { $0.exitCode != nil }) { return ([], false) }
      let problem = "There is no camera that can be used; plug one in, or try '--devices simulated'."
      return ([Finding("cameras", problem: problem, exitCode: .noSuchCamera)], false)
    }
    let isUsable = wanted.map { wanted in usable.contains { $0 === wanted } } ?? !usable.isEmpty
    return (usable.map { Finding("cameras", "\($0.localizedName) can be used (\($0.uniqueID)).") }, isUsable)
  }

  /// Whether photos can be written as phones write them: libheif loads its encoder when it is asked for one.
  private static func codecFinding() -> Finding {
    do {
      _ = try HEICEncoder.encode(
        CVPixelBuffer(
          format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 64, height: 64, attributes: [:]))
      return Finding("libraries", "Photos can be written as HEIC, JPEG and PNG.")
    } catch {
      return Finding(
        "libraries",
        problem:
          "HEIC photos cannot be written (\(error)); install libheif's encoder (Debian: libheif-plugin-x265, or libheif1 with "
          + "x265), or write JPEG.")
    }
  }

  /// Which codes `obscura scan` reads here; older libraries read fewer, which is no trouble.
  private static func codesFinding() -> Finding {
    let unread = CodeKind.allCases.filter { !CodeKind.readable.contains($0) }.map(\.rawValue)
    let rest = unread.isEmpty ? "" : ", but not \(unread.joined(separator: ", "))"
    return Finding(
      "codes", "ZXing-C++ \(CodeKind.libraryVersion) reads \(CodeKind.readable.count) kinds of codes\(rest).")
  }

  /// Whether faces and people can be found here; without that nothing else is missing, so it is no trouble.
  private static func peopleFindings() -> [Finding] {
    [ModelFolder.Subject.faces, .bodies].map { subject in
      let word = subject == .faces ? "Faces" : "People"
      return Finding(
        "faces",
        ModelFolder.current.obstacle(to: subject)?.description ?? "\(word) can be found in pictures.")
    }
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
  /// What was looked at: `nodes`, `cameras`, `usb`, `microphones`, `plugs`, `libraries`, `codes`, `faces`, `library`.
  var subject: String
  var isProblem: Bool
  /// One sentence; for a problem, with what to do.
  var text: String
  /// The unique identifier of the camera that it is about.
  var camera: String?
  /// What the command exits with when this keeps every camera from being used; `nil` for what leaves them usable.
  var exitCode: ExitCode?

  private enum CodingKeys: String, CodingKey {
    case subject, isProblem, text, camera
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

  init(_ finding: CameraFinding) {
    subject = finding.subject.rawValue
    isProblem = finding.isTrouble
    text = finding.sentence
    camera = finding.uniqueID
    exitCode = finding.code.map(ExitCode.init)
  }
}

extension ExitCode {
  /// What a device's trouble means to a script.
  init(_ code: CaptureDeviceError.Code) {
    switch code {
    case .permissionDenied: self = .permissionDenied
    case .deviceBusy: self = .deviceBusy
    case .disconnected: self = .deviceLost
    case .formatUnsupported, .controlUnsupported: self = .formatNotSupported
    case .noFrames: self = .noFramesInTime
    default: self = .otherFailure
    }
  }
}

/// Looks at the kernel's video nodes, where most trouble is.
struct KernelCameraCheck {
  private var providers: [V4L2DeviceProvider] {
    (CaptureDeviceProviders.installed ?? []).compactMap { $0 as? V4L2DeviceProvider }
  }

  /// Empty unless kernel cameras are among the devices in force.
  func findings() -> [Finding] {
    providers.flatMap { $0.diagnose() }.map(Finding.init)
  }

  /// Why this user may use none of the kernel's cameras; `nil` when that is not so.
  var refusal: String? {
    providers.flatMap { $0.omitted() }.first { $0.code == .permissionDenied }?.reason
  }

  /// The camera whose node is at `path`, also by one of udev's links, such as `/dev/v4l/by-id/…`.
  /// - Throws: ``CommandError`` with ``ExitCode/noSuchCamera``, which says why where the node is no camera.
  func cameraID(at path: String) throws -> String {
    let node = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    if let camera = providers.flatMap({ $0.cameras() }).first(where: { $0.path == node }) {
      return camera.facts.uniqueID
    }
    if let omitted = providers.flatMap({ $0.omitted() }).first(where: { $0.path == node }) {
      throw CommandError(omitted.code.map(ExitCode.init) ?? .noSuchCamera, omitted.reason)
    }
    throw CommandError(.noSuchCamera, "There is no camera at \(path); 'obscura devices' lists what is there.")
  }

  /// Who keeps `device` busy, as far as this user may know.
  func busySentence(_ device: AVCaptureDevice) -> String {
    let holders =
      providers.flatMap { $0.cameras() }.first { $0.facts.uniqueID == device.uniqueID }?.holders ?? []
    let others = holders.filter { $0.process != ProcessInfo.processInfo.processIdentifier }
    let names = others.map { "\($0.name) (process \($0.process))" }.joined(separator: ", ")
    return
      "\(device.localizedName) is in use by \(names.isEmpty ? "another program" : names); quit that and try again."
  }
}
