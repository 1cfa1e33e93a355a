package import AVFCapture
internal import AVFoundation
internal import CaptureDevice
internal import Foundation
internal import Linux
package import V4L2Devices

/// The diagnosis of the kernel's video nodes, which are behind most trouble with cameras.
package struct KernelCameras: Sendable {
  private var providers: [V4L2DeviceProvider] {
    (CaptureDeviceProviders.installed ?? []).compactMap { $0 as? V4L2DeviceProvider }
  }

  package init() {}

  /// The findings about each node; empty unless kernel cameras are among the devices in force.
  package func findings() -> [CameraFinding] {
    providers.flatMap { $0.diagnose() }
  }

  /// The reason why this user may use none of the kernel's cameras; `nil` when they may.
  package var refusal: String? {
    providers.flatMap { $0.omitted() }.first { $0.code == .permissionDenied }?.reason
  }

  /// The camera whose node is at `path`, also by one of udev's links, such as `/dev/v4l/by-id/…`.
  /// - Throws: ``CameraTaskError/Code/noSuchCamera``, or the code of what keeps the node from being a camera.
  package func cameraID(at path: String) throws(CameraTaskError) -> String {
    let node = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    if let camera = providers.flatMap({ $0.cameras() }).first(where: { $0.path == node }) {
      return camera.facts.uniqueID
    }
    if let omitted = providers.flatMap({ $0.omitted() }).first(where: { $0.path == node }) {
      throw CameraTaskError(omitted.code.map(CameraTaskError.Code.init) ?? .noSuchCamera, omitted.reason)
    }
    throw CameraTaskError(
      .noSuchCamera, "There is no camera at \(path); 'obscura devices' lists what is there.")
  }

  /// The processes that keep `device` busy, as far as this user may know them.
  package func busySentence(_ device: AVCaptureDevice) -> String {
    let holders =
      providers.flatMap { $0.cameras() }.first { $0.facts.uniqueID == device.uniqueID }?.holders ?? []
    let others = holders.filter { $0.process != ProcessInfo.processInfo.processIdentifier }
    let names = others.map { "\($0.name) (process \($0.process))" }.joined(separator: ", ")
    return
      "\(device.localizedName) is in use by \(names.isEmpty ? "another program" : names); quit that and try again."
  }
}
