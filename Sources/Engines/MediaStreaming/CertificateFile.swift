internal import Foundation

/// A file of certificates by which a server's own is checked.
package enum CertificateFile {
  /// That of the machine's authorities.
  package static let ofMachine = "/etc/ssl/certs/ca-certificates.crt"

  /// FFmpeg's options by which a server's certificate is checked.
  ///
  /// - Parameter path: The file to check it by; `nil` for the machine's.
  package static func verification(by path: String?) -> [String: String] {
    ["tls_verify": "1", "ca_file": path ?? ofMachine]
  }

  /// What is wrong with a file, as the end of a sentence; `nil` where it holds a certificate in PEM.
  package static func problem(at path: String) -> String? {
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
      let isPEM = data.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil
      return isPEM ? nil : "holds none in PEM"
    } catch {
      return "cannot be read"
    }
  }
}
