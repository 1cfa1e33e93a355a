package import CaptureDevice

/// The diagnosis of libcamera on this machine.
package struct LibcameraDiagnosis {
  private let library: any CameraLibrary
  private let nodes: VideoNodes

  /// A diagnosis of a library.
  package init(_ library: any CameraLibrary, _ nodes: VideoNodes = VideoNodes()) {
    (self.library, self.nodes) = (library, nodes)
  }

  /// Whether the library starts, which cameras it has, and which of them are listed elsewhere, and why.
  package var findings: [BackendFinding] {
    let cameras: [any LibraryCamera]
    do throws(LibraryRefusal) {
      cameras = try library.cameras()
    } catch {
      return [BackendFinding(.trouble, error.error("libcamera", "does not start").message)]
    }
    let (own, onUSB) = (cameras.filter { !isOnUSB($0) }, cameras.filter(isOnUSB))
    let names = own.map { $0.identity.model.isEmpty ? $0.identity.id : $0.identity.model }
    let first =
      names.isEmpty
      ? "libcamera \(library.version) starts, and has no camera beside the kernel's."
      : "libcamera \(library.version) has \(names.joined(separator: ", "))."
    return [BackendFinding(.fine, first)] + onUSB.compactMap(shared)
  }

  private func isOnUSB(_ camera: any LibraryCamera) -> Bool {
    nodes.nodes(of: camera).contains(where: \.isOnUSB)
  }

  private func shared(_ camera: any LibraryCamera) -> BackendFinding? {
    guard let node = nodes.nodes(of: camera).first else { return nil }
    return BackendFinding(
      .fine,
      "\(camera.identity.model) of libcamera is the camera at \(node.path), which is listed once, as the kernel's, because that has all of a USB camera's controls."
    )
  }
}
