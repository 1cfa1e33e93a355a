internal import AVFCapture
internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import CodeReading
internal import CoreVideo
internal import EventPublishing
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import PeopleFinding
internal import StillCodecs
internal import TextReading
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
    let environment = LibraryEnvironment.current
    try DeviceChoice.install(arguments["devices"], environment: environment)
    let kernel = KernelCameras().findings().map(Finding.init)
    let wanted = try arguments["device"].map { try DeviceChoice.camera($0) }
    let (cameras, isUsable) = cameraFindings(kernel, wanted, terminal)
    let backends = DeviceBackends.all.flatMap { backend in
      backend.diagnose().map { Finding($0, of: backend.name) }
    }
    let pipewire = PipeWireCheck().findings()
    // What keeps the desktop's cameras away is an absence, too.
    let said = Set((backends + pipewire).map(\.text))
    let findings =
      kernel + cameras + pipewire + MicrophoneCheck().findings()
      + backends
      + DeviceChoice.watchFailures.map { Finding("plugs", problem: $0.message) }
      + absenceFindings().filter { !said.contains($0.text) }
      + [codecFinding()] + sleepFindings() + EncoderCheck().findings()
      + DecoderCheck().findings() + [codesFinding()] + peopleFindings()
      + [textFinding(), publishingFinding(), libraryFinding(environment)] + networkFindings(environment)
    if arguments.has("json") {
      try terminal.answer(json: Answer(findings: findings))
    } else {
      for finding in findings {
        try terminal.answer("\(finding.label) \(finding.text)")
      }
    }
    if isUsable { return .done }
    let troubles = findings.filter { wanted == nil || $0.camera == nil || $0.camera == wanted?.uniqueID }
    return troubles.firstResult { $0.isProblem ? $0.exitCode : nil } ?? .noSuchCamera
  }

  /// Why devices that were asked for are not there, of each backend.
  private static func absenceFindings() -> [Finding] {
    (CaptureDeviceProviders.installed ?? []).flatMap { provider in
      provider.absences.map { Finding(provider.name, problem: $0.message) }
    }
  }

  /// Tries each camera as a photo does, and says whether one, or the one that was asked for, can be used.
  private static func cameraFindings(
    _ kernel: [Finding], _ wanted: AVCaptureDevice?, _ terminal: Terminal
  ) -> ([Finding], isUsable: Bool) {
    let cameras = AVCaptureDevice.devices(for: .video)
    let withheld = Set(kernel.filter { $0.exitCode != nil }.compactMap(\.camera))
    if cameras.isEmpty {
      // What keeps this user from the cameras that there are has been said.
      if kernel.contains(where: { $0.exitCode != nil }) { return ([], false) }
      let problem = "There is no camera that can be used; plug one in, or try '--devices simulated'."
      return ([Finding("cameras", problem: problem, exitCode: .noSuchCamera)], false)
    }
    let tried = cameras.filter { !withheld.contains($0.uniqueID) && (wanted == nil || $0 === wanted) }
    let findings = tried.map { tryOut($0, terminal) }
    return (findings, findings.contains { !$0.isProblem })
  }

  private static func tryOut(_ camera: AVCaptureDevice, _ terminal: Terminal) -> Finding {
    let name = camera.localizedName
    let progress = Progress(terminal) { "Trying \(name)" }
    defer { progress.end() }
    do {
      try CameraTrial.run(camera)
      return Finding("cameras", "\(name) can be used (\(camera.uniqueID)).")
    } catch {
      return Finding(
        "cameras", problem: error.message, exitCode: ExitCode(error.code), camera: camera.uniqueID)
    }
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
          "HEIC photos cannot be written; install libheif's encoder (Debian: libheif-plugin-x265, or libheif1 with "
          + "x265), or write JPEG.")
    }
  }

  /// A note where systemd's library is missing: only the machine's sleep is not heard of then, so it is no trouble.
  private static func sleepFindings() -> [Finding] {
    SystemSleep.obstacle.map { [Finding("libraries", note: $0)] } ?? []
  }

  /// The codes that `obscura scan` reads here; older libraries read fewer, which is no trouble.
  private static func codesFinding() -> Finding {
    let unread = CodeKind.allCases.filter { !CodeKind.readable.contains($0) }.map(\.rawValue)
    let start = "ZXing-C++ \(CodeKind.libraryVersion) reads \(CodeKind.readable.count) kinds of codes"
    if unread.isEmpty { return Finding("codes", "\(start).") }
    return Finding("codes", note: "\(start), but not \(unread.joined(separator: ", ")).")
  }

  /// Whether faces, people and hands can be found here, which video effects need, too; without that nothing else is missing, so it is no
  /// trouble.
  private static func peopleFindings() -> [Finding] {
    ModelFolder.Subject.allCases.map { subject in
      if let obstacle = ModelFolder.current.obstacle(to: subject) {
        return Finding("faces", note: obstacle.description)
      }
      switch subject {
      case .faces: return Finding("faces", "Faces can be found in pictures, and followed by Center Stage.")
      case .bodies: return Finding("faces", "People can be found in pictures.")
      case .hands:
        return Finding("faces", "Hands can be found in pictures, so that gestures perform reactions.")
      case .segmentation:
        return Finding(
          "faces", "People can be told from the background, for Portrait, Studio Light and background.")
      }
    }
  }

  /// Whether text can be read here; nothing else needs it, so it is no trouble.
  private static func textFinding() -> Finding {
    if let obstacle = TextLanguages.current.obstacle { return Finding("text", note: obstacle.description) }
    let languages = TextLanguages.current.installed.map(\.identifier).joined(separator: ", ")
    return Finding("text", "Text in pictures can be read (\(languages)).")
  }

  /// Whether `--publish` can be used here; nothing else needs it, so it is no trouble.
  private static func publishingFinding() -> Finding {
    if let obstacle = MosquittoLink.obstacle { return Finding("publishing", note: obstacle) }
    return Finding("publishing", "Events can be published by MQTT.")
  }

  /// A note where other machines may have the photo library, too.
  private static func networkFindings(_ environment: [String: String]) -> [Finding] {
    let folder = PictureFile.inLibrary(fileExtension: "jpg", environment: environment).folder
    guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8),
      let mount = FolderMount(of: folder.resolvingSymlinksInPath().path, in: mounts), mount.isOnNetwork
    else { return [] }
    return [
      Finding(
        "library",
        note:
          "The photo library is in \(folder.path), on a file system of the network (\(mount.fileSystem)): SQLite's log needs memory that programs of one machine share, so use the library on one machine at a time; keep it on a disk of the machine, and export plain folders to the network."
      )
    ]
  }

  /// Whether a photo could be kept.
  private static func libraryFinding(_ environment: [String: String]) -> Finding {
    let file = PictureFile.inLibrary(fileExtension: "jpg", environment: environment)
    do {
      try file.check(date: WorldTime.current.date)
    } catch {
      return Finding("library", problem: error.message)
    }
    return Finding("library", "Photos go to \(file.folder.path).")
  }
}
