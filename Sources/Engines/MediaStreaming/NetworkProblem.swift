internal import CFFmpeg

/// An error of a stream of the network: its kind, and half a sentence for people.
///
/// Never names the address, which may hold a password.
package struct NetworkProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a problem.
  package enum Kind: Sendable, Hashable {
    /// Nothing listens at the address.
    case refused
    /// There is no way to the machine, or no machine of that name.
    case unreachable
    /// It did not answer in time, or stopped sending.
    case silent
    /// Another name and password are wanted.
    case unauthorized
    /// It has no such stream.
    case missing
    /// Its certificate is of another host, or of no authority that is trusted.
    case untrusted
    /// It does not send by UDP, as it was asked to.
    case noDatagrams
    /// FFmpeg was built without the protocol.
    case unsupported
    /// The caller ended the wait.
    case over
    /// The sender ended the stream.
    case ended
    /// Another failure.
    case other
  }

  /// The kind.
  package let kind: Kind
  /// Half a sentence: `nothing listens there`.
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// What FFmpeg's error says.
  init(status: Int32) {
    switch cam_network_problem_of(status) {
    case cam_network_refused: self.init(.refused, "nothing listens there")
    case cam_network_unreachable:
      self.init(.unreachable, "there is no machine of that name, or no way to it")
    case cam_network_silent: self.init(.silent, "it does not answer")
    case cam_network_unauthorized: self.init(.unauthorized, "it wants another name and password")
    case cam_network_missing: self.init(.missing, "it has no stream of that path")
    case cam_network_untrusted:
      self.init(.untrusted, "its certificate is of another host, or of no authority that is trusted here")
    case cam_network_without_tls:
      self.init(.other, "it does not answer by TLS at that port, or not as this machine asks for it")
    case cam_network_unsupported: self.init(.unsupported, "this FFmpeg is built without the protocol")
    case cam_network_over: self.init(.over, "the wait was ended")
    default:
      var text = [CChar](repeating: 0, count: 256)
      cam_describe(status, &text, text.count)
      let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      self.init(.other, "the connection failed (\(String(decoding: bytes, as: UTF8.self)))")
    }
  }
}
