internal import AVFCapture
internal import AVFoundation
internal import CaptureDevice
internal import Foundation

/// Which devices a command works with: `--devices`, and `-d`.
enum DeviceChoice {
  /// Makes the providers that `--devices` names the ones in force; without the option the environment's.
  /// - Throws: ``CommandError``: ``ExitCode/usage`` for an unknown word, ``ExitCode/otherFailure`` for a bad scene.
  static func install(_ arguments: Arguments, environment: [String: String]) throws {
    let list = arguments["devices"] ?? environment["OBSCURA_DEVICES"] ?? DeviceSources.usual
    for word in list.split(separator: ",") {
      let place = word.split(separator: ":", maxSplits: 1).first.map(String.init) ?? ""
      guard places.contains(place.trimmingCharacters(in: .whitespaces)) else {
        throw CommandError(
          .usage,
          "'\(word)' is not a place that devices come from; use v4l2, alsa, simulated or simulated:FILE.json."
        )
      }
    }
    do {
      CaptureDeviceProviders.install(try DeviceSources.providers(for: list))
    } catch {
      throw CommandError(.otherFailure, error.message)
    }
  }

  private static let places: Set<String> = ["v4l2", "alsa", "pipewire", "simulated"]

  /// Every camera, then every microphone, in the order that `obscura devices` numbers them.
  static var all: [AVCaptureDevice] {
    AVCaptureDevice.devices(for: .video) + AVCaptureDevice.devices(for: .audio)
  }

  /// Why plugs and unplugs go unnoticed, for each provider where they do; known once the devices were listed.
  static var watchFailures: [CaptureDeviceError] {
    (CaptureDeviceProviders.installed ?? []).compactMap(\.watchFailure)
  }

  /// The camera that `-d` names, or the first one.
  /// - Throws: ``CommandError`` with ``ExitCode/noSuchCamera``, or ``ExitCode/usage`` when the name fits several.
  static func camera(_ arguments: Arguments) throws -> AVCaptureDevice {
    let cameras = AVCaptureDevice.devices(for: .video)
    guard let first = cameras.first else {
      if let refusal = KernelCameraCheck().refusal { throw CommandError(.permissionDenied, refusal) }
      throw CommandError(
        .noSuchCamera, "There is no camera; plug one in, or try '--devices simulated', which always works.")
    }
    guard let wanted = arguments["device"] else { return first }
    if let exact = cameras.first(where: { $0.uniqueID == wanted || $0.localizedName == wanted }) {
      return exact
    }
    if wanted.hasPrefix("/dev/") {
      let id = try KernelCameraCheck().cameraID(at: wanted)
      if let camera = cameras.first(where: { $0.uniqueID == id }) { return camera }
    }
    if let index = Int(wanted), cameras.indices.contains(index) { return cameras[index] }
    let matches = cameras.filter { $0.localizedName.localizedCaseInsensitiveContains(wanted) }
    switch matches.count {
    case 1:
      return matches[0]
    case 0:
      throw CommandError(
        .noSuchCamera, "No camera is called '\(wanted)'; 'obscura devices' lists \(cameras.count) of them.")
    default:
      let names = matches.map(\.localizedName).joined(separator: ", ")
      throw CommandError(
        .usage, "'\(wanted)' fits several cameras (\(names)); give more of the name, or the id.")
    }
  }
}
