internal import AVFoundation
internal import Foundation
internal import Glibc
internal import MediaStreaming

/// Where a stream goes, in the words of the library that sends.
struct StreamAddress: Sendable {
  private static let containers = [
    "rtsp": "rtsp", "rtsps": "rtsp", "rtmp": "flv", "rtmps": "flv", "srt": "mpegts",
  ]

  /// The address with the secret, for the library alone.
  let whole: String
  /// FFmpeg's name of the container.
  let container: String
  let options: [String: String]
  /// Whether a connection that was lost is made again.
  let comesBack: Bool
  private let descriptor: Int32?

  /// An open descriptor, which stays the caller's.
  init(descriptor: Int32, _ container: LiveStream.Container) {
    whole = "pipe:\(descriptor)"
    self.container = container.name
    options = container == .mkv ? ["live": "1", "cluster_time_limit": "250"] : [:]
    comesBack = false
    self.descriptor = descriptor
  }

  /// - Throws: ``LiveStreamError``.
  init(_ url: URL, _ settings: LiveStream.Settings) throws(LiveStreamError) {
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let scheme = components.scheme?.lowercased(), let container = Self.containers[scheme],
      let host = components.host, !host.isEmpty
    else {
      throw LiveStreamError(
        "A stream goes to an address with a protocol (rtsp, rtsps, rtmp, rtmps or srt) and a host, as in rtmp://server/live."
      )
    }
    guard components.password == nil else {
      throw LiveStreamError(
        "The address of \(host) holds a password, which every program of this machine can read there; give it as the secret."
      )
    }
    if container == "flv", settings.codec != .h264 {
      throw LiveStreamError("RTMP carries no HEVC here; send H.264, or send by RTSP or SRT.")
    }
    var options: [String: String] = [:]
    switch scheme {
    case "rtsp", "rtsps":
      options["rtsp_transport"] = "tcp"
      options["timeout"] = "5000000"
      if let secret = settings.secret {
        let parts = secret.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
          throw LiveStreamError("The secret of an RTSP server is name:password.")
        }
        (components.user, components.password) = (parts[0], parts[1])
      }
    case "rtmp", "rtmps":
      options["flvflags"] = "no_duration_filesize"
      options["rtmp_live"] = "live"
      options["tcp_nodelay"] = "1"
      options["rw_timeout"] = "5000000"
      if let key = settings.secret {
        components.path += (components.path.hasSuffix("/") ? "" : "/") + key
      }
    default:
      options["rw_timeout"] = "5000000"
      options["max_delay"] = "0"
      if let passphrase = settings.secret {
        guard (10...79).contains(passphrase.utf8.count) else {
          throw LiveStreamError("The secret of SRT is a passphrase of 10 to 79 characters.")
        }
        options["passphrase"] = passphrase
      }
    }
    if ["rtsps", "rtmps"].contains(scheme), !settings.trustsAnyCertificate {
      options.merge(try Self.verification(container, settings)) { $1 }
    }
    comesBack = true
    descriptor = nil
    self.container = container
    self.options = options
    whole = components.string ?? url.absoluteString
  }

  /// The options by which a server's certificate is checked.
  private static func verification(
    _ container: String, _ settings: LiveStream.Settings
  ) throws(LiveStreamError) -> [String: String] {
    guard NetworkOutput.checksCertificates(container: container) else {
      throw LiveStreamError(
        "This machine's FFmpeg cannot check the certificate of a server of RTSP over TLS; send by RTMPS or SRT, or take any certificate where the network can be trusted."
      )
    }
    let path = settings.certificates?.path ?? CertificateFile.ofMachine
    if let problem = CertificateFile.problem(at: path) {
      throw LiveStreamError("The file of certificates '\(path)' \(problem); name one in PEM.")
    }
    return CertificateFile.verification(by: path)
  }

  /// Whether the reader of a pipe has hung up, which otherwise only the next write tells.
  var isHungUp: Bool {
    guard let descriptor else { return false }
    var look = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&look, 1, 0) > 0 && look.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }
}
