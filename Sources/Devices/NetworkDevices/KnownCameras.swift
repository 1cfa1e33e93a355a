package import CaptureDevice
internal import Foundation
internal import Glibc
internal import Linux
internal import MediaStreaming

/// The file of a user's network cameras: `cameras.json` in `~/.config/obscura`, or what `OBSCURA_CAMERAS` names.
///
/// ```json
/// {"cameras": [{"address": "rtsp://me@door.local/stream", "name": "Door", "password": "…"}]}
/// ```
///
/// A password may be in the ``Keyring`` instead. A camera may also have `"transport": "udp"`, and `"certificates": "…"`, a file by which its
/// own is checked, or `"trustsAnyCertificate": true`. A file that others may read must hold no password.
package struct KnownCameras: Sendable {
  /// One camera of the file.
  struct Entry: Sendable, Decodable {
    var address: String
    var name: String?
    var password: String?
    var transport: String?
    var certificates: String?
    var trustsAnyCertificate: Bool?
  }

  private struct Contents: Decodable {
    var cameras: [Entry]
  }

  /// The cameras, in the file's order.
  package let cameras: [(address: NetworkAddress, name: String?)]

  /// The place of the file in an environment.
  package static func path(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    if let own = environment["OBSCURA_CAMERAS"], !own.isEmpty { return own }
    return UserFolders(environment).configuration("obscura/cameras.json")
  }

  /// Reads the file; none is a file without cameras.
  ///
  /// - Throws: `invalidScene` for a file that cannot be read, holds something else, or names a file without certificates;
  ///   `permissionDenied` for a password that others may read.
  package init(path: String = Self.path()) throws(CaptureDeviceError) {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      cameras = []
      return
    }
    let contents: Contents
    do {
      contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw CaptureDeviceError(
        .invalidScene,
        "\(path) is no list of network cameras; it reads {\"cameras\": [{\"address\": \"rtsp://…\", \"name\": \"…\"}]}."
      )
    }
    if contents.cameras.contains(where: { $0.password != nil }), facts.st_mode & 0o077 != 0 {
      throw CaptureDeviceError(
        .permissionDenied,
        "\(path) holds passwords and may be read by others; run 'chmod 600 \(path)'.")
    }
    var cameras: [(NetworkAddress, String?)] = []
    for entry in contents.cameras {
      var address = try NetworkAddress(entry.address)
      address.password = entry.password
      address.trustsAnyCertificate = entry.trustsAnyCertificate ?? false
      if let certificates = entry.certificates {
        let file = UserFolders(ProcessInfo.processInfo.environment).expanded(certificates)
        if let problem = CertificateFile.problem(at: file) {
          throw CaptureDeviceError(
            .invalidScene,
            "\(path) names the file of certificates \(file) for \(address.shown), which \(problem); name one in PEM."
          )
        }
        address.certificates = file
      }
      switch entry.transport {
      case nil, "tcp": break
      case "udp": address.usesUDP = true
      case let other?:
        throw CaptureDeviceError(
          .invalidScene, "\(path) names the transport '\(other)' for \(address.shown); use tcp or udp.")
      }
      cameras.append((address, entry.name))
    }
    self.cameras = cameras
  }

  /// The same address as in the file, with its name, where the file has it: then with password and the rest.
  package func entry(for address: NetworkAddress) -> (address: NetworkAddress, name: String?)? {
    cameras.first {
      $0.address.isSameStream(address) && (address.user == nil || $0.address.user == address.user)
    }
  }
}
