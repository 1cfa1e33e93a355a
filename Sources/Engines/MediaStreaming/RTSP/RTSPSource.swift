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
  /// Whether it is asked for by UDP; else by TCP, and by UDP where that is refused.
  package var usesUDP = false
  /// Whether a certificate that no authority has signed is taken.
  package var trustsAnyCertificate = false
  /// The file of the certificates, in PEM, by which the camera's own is checked; `nil` for those of the machine.
  package var certificates: String?

  package init(_ address: String) {
    self.address = address
  }
}
