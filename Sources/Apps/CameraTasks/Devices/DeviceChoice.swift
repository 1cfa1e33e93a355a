package import AVFCapture
internal import AVFoundation
package import CaptureDevice
internal import Foundation
internal import Glibc
package import Linux

/// Installs the providers of devices that a task works with.
package enum DeviceChoice {
  /// Makes `list` the words of `OBSCURA_DEVICES`, so that all of the program knows where its devices come from, also before they
  /// are installed; nothing without a list.
  ///
  /// Call it as the process begins, for its own command line: other threads must not read the environment meanwhile.
  package static func note(_ list: String?) {
    if let list { setenv("OBSCURA_DEVICES", list, 1) }
  }

  /// Makes the providers that `list` names the ones in force; without a list, those of the environment.
  ///
  /// - Parameter list: Words separated by commas, each as one of ``DeviceSources/spellings``.
  /// - Throws: ``CameraTaskError/Code/badSources`` for an unknown word; the code of the scene's trouble for a bad scene.
  package static func install(_ list: String?, environment: [String: String]) throws(CameraTaskError) {
    var words: [String] = []
    for word in (list ?? environment["OBSCURA_DEVICES"] ?? DeviceSources.usual).split(separator: ",") {
      if let obstacle = DeviceSources.obstacle(to: word) { throw CameraTaskError(.badSources, obstacle) }
      // A shell expands no tilde behind a colon.
      words.append(
        DeviceSources.argument(of: word).map {
          "\(DeviceSources.name(of: word)):\(UserFolders(environment).expanded($0))"
        } ?? String(word))
    }
    do {
      CaptureDeviceProviders.install(try DeviceSources.providers(for: words.joined(separator: ",")))
    } catch {
      throw CameraTaskError(.failed, error.message)
    }
  }

  /// Every camera, then every microphone, in the order of their indices.
  package static var all: [AVCaptureDevice] {
    AVCaptureDevice.devices(for: .video) + AVCaptureDevice.devices(for: .audio)
  }

  /// The reasons why plugs and unplugs go unnoticed, for each provider where they do; known once the devices were listed.
  package static var watchFailures: [CaptureDeviceError] {
    (CaptureDeviceProviders.installed ?? []).compactMap(\.watchFailure)
  }

  /// The reasons why devices that were asked for by address are not there; known once the devices were listed.
  package static var absences: [CaptureDeviceError] {
    (CaptureDeviceProviders.installed ?? []).flatMap(\.absences)
  }

  /// The camera that `wanted` names, or the first one.
  ///
  /// In a sandbox that has no camera yet it blocks while the desktop asks its user, which happens once in a process.
  ///
  /// - Parameters:
  ///   - wanted: An index, an identifier, part of a name, or the path of a node.
  ///   - stop: Ends that wait.
  ///   - deadline: When that wait is over; `nil` for never.
  /// - Throws: ``CameraTaskError/Code/noSuchCamera``, ``CameraTaskError/Code/permissionDenied`` where there are cameras
  ///   that this user may not use, ``CameraTaskError/Code/ambiguousName``, or ``CameraTaskError/Code/stopped``.
  package static func camera(
    _ wanted: String?, stop: StopRequest = StopRequest(), until deadline: MonotonicInstant? = nil
  ) throws(CameraTaskError) -> AVCaptureDevice {
    let cameras = try allowedCameras(stop, deadline)
    guard let first = cameras.first else {
      if let refusal = KernelCameras().refusal { throw CameraTaskError(.permissionDenied, refusal) }
      if let absence = absences.first {
        throw CameraTaskError(
          absence.code == .permissionDenied ? .permissionDenied : .noSuchCamera, absence.message)
      }
      throw CameraTaskError(
        .noSuchCamera, "There is no camera; plug one in, or try '--devices simulated', which always works.")
    }
    guard let wanted else { return first }
    if let exact = cameras.first(where: { $0.uniqueID == wanted || $0.localizedName == wanted }) {
      return exact
    }
    if wanted.hasPrefix("/dev/") {
      let id = try KernelCameras().cameraID(at: wanted)
      if let camera = cameras.first(where: { $0.uniqueID == id }) { return camera }
    }
    if let index = Int(wanted), cameras.indices.contains(index) { return cameras[index] }
    let matches = cameras.filter { $0.localizedName.localizedCaseInsensitiveContains(wanted) }
    switch matches.count {
    case 1:
      return matches[0]
    case 0:
      throw CameraTaskError(
        .noSuchCamera, "No camera is called '\(wanted)'; 'obscura devices' lists \(cameras.count) of them.")
    default:
      let names = matches.map(\.localizedName).joined(separator: ", ")
      throw CameraTaskError(
        .ambiguousName, "'\(wanted)' fits several cameras (\(names)); give more of the name, or the id.")
    }
  }

  /// The cameras; in a sandbox that has none yet, once the desktop has asked its user for them.
  private static func allowedCameras(
    _ stop: StopRequest, _ deadline: MonotonicInstant?
  ) throws(CameraTaskError) -> [AVCaptureDevice] {
    let cameras = AVCaptureDevice.devices(for: .video)
    let mayAsk = (CaptureDeviceProviders.installed ?? []).contains { $0.access(for: .video) == .undetermined }
    guard cameras.isEmpty, mayAsk else { return cameras }
    try CameraQuestion.shared.ask(stop: stop, until: deadline) { answered in
      AVCaptureDevice.requestAccess(for: .video) { _ in answered() }
    }
    return AVCaptureDevice.devices(for: .video)
  }

  /// The camera that was named, or the first that measures depth.
  ///
  /// As ``camera(_:stop:until:)``.
  /// - Throws: As that, and ``CameraTaskError/Code/formatNotSupported`` where it measures none.
  package static func depthCamera(
    _ wanted: String?, stop: StopRequest = StopRequest(), until deadline: MonotonicInstant? = nil
  ) throws(CameraTaskError) -> AVCaptureDevice {
    let camera = try camera(wanted, stop: stop, until: deadline)
    if camera.hasMediaType(.depthData) { return camera }
    let others = AVCaptureDevice.devices(for: .depthData)
    if wanted == nil, let first = others.first { return first }
    let hint =
      others.first.map { "try --device '\($0.localizedName)'" }
      ?? "plug in one that does, or try '--devices simulated'"
    throw CameraTaskError(.formatNotSupported, "\(camera.localizedName) measures no depth; \(hint).")
  }
}
