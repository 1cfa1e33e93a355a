internal import Foundation

/// An address by RTSP, as it is asked for: without name and password.
package struct RTSPAddress: Sendable, Hashable {
  /// The whole address.
  package let text: String
  /// Whether the connection is by TLS.
  let isSecure: Bool
  /// The machine, of version 6 in brackets.
  package let host: String
  let port: UInt16

  /// Reads an address; `nil` for one of another protocol.
  package init?(_ text: String) {
    guard text.utf8.count <= 4096, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      var components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
      ["rtsp", "rtsps"].contains(scheme), let host = components.host, !host.isEmpty,
      host.utf8.allSatisfy(Self.isOfHost),
      let port = UInt16(exactly: components.port ?? (scheme == "rtsps" ? 322 : 554)), port > 0
    else { return nil }
    components.user = nil
    components.password = nil
    components.fragment = nil
    guard let plain = components.string else { return nil }
    self.text = plain
    self.host = host
    self.port = port
    isSecure = scheme == "rtsps"
  }

  /// Whether a byte may be in the name of a machine, or its number; others would mean something to the library that connects.
  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: ".-_:[]%".utf8.contains(byte)
    }
  }

  /// An address that is written in relation to a base; the base for none, or `*`.
  ///
  /// What is no address of its own stands behind the base, with a slash between them, as cameras mean it; also behind a query.
  package static func resolve(_ control: String?, base: String) -> String {
    guard let control, !control.isEmpty, control != "*" else { return base }
    // One that is whole is given back as the camera writes it; a name and a password that some put into it are not.
    if control.lowercased().hasPrefix("rtsp"), control.contains("://") {
      guard let address = RTSPAddress(control) else { return base }
      return control.contains("@") ? address.text : control
    }
    if control.hasPrefix("/"), let address = RTSPAddress(base),
      var components = URLComponents(string: address.text)
    {
      components.path = ""
      components.query = nil
      if let root = components.string { return root + control }
    }
    return base + (base.hasSuffix("/") ? "" : "/") + control
  }
}
