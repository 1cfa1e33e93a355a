/// A stream by RTSP that is asked for, with what is needed for it.
package struct RTSPSource: Sendable {
  /// The address, without name and password.
  package var address: String
  /// The name of a user; `nil` for none.
  package var user: String?
  /// A password; `nil` for none.
  package var password: String?
  /// Whether pictures are wanted.
  package var wantsVideo = true
  /// Whether sound is wanted.
  package var wantsAudio = true
  /// Whether it is asked for by UDP first, else by TCP; the other one is asked for where that is refused.
  package var usesUDP = false
  /// Whether a certificate that no authority has signed is taken.
  package var trustsAnyCertificate = false

  package init(_ address: String) {
    self.address = address
  }
}
