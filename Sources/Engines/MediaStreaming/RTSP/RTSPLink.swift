internal import CFFmpeg
internal import Glibc

/// The connection to one camera, by TCP or TLS.
///
/// Used by one thread.
final class RTSPLink {
  /// How long one that does not wait rests before it looks again, in milliseconds.
  private static let rest: Int32 = 5
  private static let timeout = 6_000_000

  private let link: OpaquePointer
  private let wait: NetworkWait
  /// What is sent at the end, for which the camera is not waited for long.
  var farewell: [UInt8] = []

  /// Connects.
  ///
  /// - Parameters:
  ///   - source: What says which certificates are taken.
  ///   - waits: Whether reading waits for bytes; else it answers that nothing has come.
  ///   - isOver: As of ``NetworkInput``.
  init(
    to address: RTSPAddress, _ source: RTSPSource, waits: Bool, isOver: @escaping @Sendable () -> Bool
  ) throws(NetworkProblem) {
    let wait = NetworkWait(isOver)
    var options = ["protocol_whitelist": "tcp,tls,httpproxy"]
    if address.isSecure, !source.trustsAnyCertificate {
      options.merge(CertificateFile.verification(by: source.certificates)) { $1 }
    }
    let place =
      "\(address.isSecure ? "tls" : "tcp")://\(address.host):\(address.port)?timeout=\(Self.timeout)"
    var status: Int32 = 0
    let opened = cam_link_open(
      place, ProtocolOptions.text(options), waits, NetworkWait.callback, wait.context, &status)
    guard let opened else {
      throw isOver() ? NetworkProblem(.over, "the wait was ended") : NetworkProblem(status: status)
    }
    link = opened
    self.wait = wait
  }

  deinit { cam_link_close(link, farewell, farewell.count) }

  /// Reads into a memory; 0 where nothing has come of a link that does not wait.
  func read(_ memory: UnsafeMutableRawBufferPointer) throws(NetworkProblem) -> Int {
    var count = 0
    let status = cam_link_read(link, memory.baseAddress, memory.count, &count)
    if status == cam_again { return 0 }
    guard status == 0 else { throw problem(status) }
    return count
  }

  /// Waits a little, for a link that does not.
  func pause() throws(NetworkProblem) {
    if wait.isOver() { throw NetworkProblem(.over, "the wait was ended") }
    _ = poll(nil, 0, Self.rest)
  }

  /// Sends bytes.
  func send(_ bytes: UnsafeRawBufferPointer) throws(NetworkProblem) {
    let status = cam_link_write(link, bytes.baseAddress, bytes.count)
    guard status == 0 else { throw problem(status) }
  }

  /// Whether the wait is to end.
  var isOver: Bool { wait.isOver() }

  private func problem(_ status: Int32) -> NetworkProblem {
    if wait.isOver() { return NetworkProblem(.over, "the wait was ended") }
    if cam_network_problem_of(status) == cam_network_silent {
      return NetworkProblem(.silent, "it does not answer")
    }
    return NetworkProblem(.ended, "it has ended its stream")
  }
}
