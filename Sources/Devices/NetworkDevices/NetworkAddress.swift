package import CaptureDevice
internal import Foundation
internal import MediaStreaming

/// The address of a stream, with what is needed to read it.
///
/// Only ``withPassword`` holds the password; every other part may be shown.
package struct NetworkAddress: Sendable, Hashable {
  /// The protocols that are read, with their usual ports.
  static let ports: [String: UInt16] = [
    "rtsp": 554, "rtsps": 322, "http": 80, "https": 443, "rtmp": 1935, "rtmps": 443, "srt": 0,
  ]

  /// In small letters.
  let scheme: String
  let host: String
  let port: UInt16
  /// The address without name and password.
  package let shown: String
  /// The name of a user; `nil` for none.
  let user: String?
  /// A password; `nil` for none.
  package var password: String?
  /// Whether RTSP is asked for by UDP; else by TCP, and by UDP where that is refused.
  package var usesUDP = false
  /// Whether a certificate that no authority has signed is taken.
  var trustsAnyCertificate = false
  /// The file of the certificates, in PEM, by which the camera's own is checked; `nil` for those of the machine.
  var certificates: String?
  private let components: URLComponents

  /// Reads an address.
  ///
  /// - Throws: `invalidScene` with what is wrong, never with a password.
  package init(_ text: String) throws(CaptureDeviceError) {
    guard var components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
      let usual = Self.ports[scheme], let host = components.host, !host.isEmpty
    else {
      throw CaptureDeviceError(
        .invalidScene,
        "A network camera's address has a protocol (rtsp, rtsps, http, https, rtmp, rtmps or srt), a host and a path, as in "
          + "rtsp://camera.local/stream.")
    }
    guard components.password == nil else {
      throw CaptureDeviceError(
        .invalidScene,
        "The address of \(host) holds a password, which every program of this machine can read there; put the camera into "
          + "cameras.json instead, with its password.")
    }
    let port = components.port.map { UInt16(exactly: $0) } ?? usual
    guard let port, port > 0 else {
      throw CaptureDeviceError(.invalidScene, "The address of \(host) has no port that can be.")
    }
    self.scheme = scheme
    self.host = host
    self.port = port
    user = components.user
    components.user = nil
    self.components = components
    shown = components.string ?? "\(scheme)://\(host)"
  }

  /// Whether both name one stream, also where only one of them names the usual port.
  func isSameStream(_ other: NetworkAddress) -> Bool {
    guard shown != other.shown else { return true }
    func plain(_ components: URLComponents) -> String? {
      var components = components
      components.scheme = nil
      components.port = nil
      components.host = components.host?.lowercased()
      return components.string
    }
    return scheme == other.scheme && port == other.port && plain(components) == plain(other.components)
  }

  /// The address with name and password, for the library that connects alone.
  package var withPassword: String {
    var whole = components
    whole.user = user
    whole.password = user == nil ? nil : password
    return whole.string ?? shown
  }

  /// A kind of what a camera sends.
  enum Medium: Sendable {
    case video, audio
  }

  /// What is asked for by RTSP; `nil` for another protocol.
  func source(for media: Set<Medium>) -> RTSPSource? {
    guard ["rtsp", "rtsps"].contains(scheme) else { return nil }
    var source = RTSPSource(shown)
    (source.user, source.password) = (user, password)
    source.wantsVideo = media.contains(.video)
    source.wantsAudio = media.contains(.audio)
    source.usesUDP = usesUDP
    source.trustsAnyCertificate = trustsAnyCertificate
    source.certificates = certificates
    return source
  }

  /// FFmpeg's options for reading by another protocol than RTSP.
  var options: [String: String] {
    var options = [
      "analyzeduration": "3000000", "probesize": "1000000", "fpsprobesize": "0", "rw_timeout": "6000000",
      // An answer leads to no file, and to no program's other formats.
      "format_whitelist": "rtsp,sdp,rtp,mpjpeg,mjpeg,mpegts,flv,live_flv,h264,hevc",
      "protocol_whitelist": "rtp,tcp,udp,tls,http,https,httpproxy,rtmp,rtmps,srt,crypto",
    ]
    if scheme.hasPrefix("http") { options["user_agent"] = "Obscura" }
    if ["https", "rtmps"].contains(scheme), !trustsAnyCertificate {
      options.merge(CertificateFile.verification(by: certificates)) { $1 }
    }
    return options
  }
}
