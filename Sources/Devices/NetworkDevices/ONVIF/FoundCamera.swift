/// A camera that a search found, with what it says of itself and of its streams.
package struct FoundCamera: Sendable, Hashable {
  /// One of its streams.
  package struct Profile: Sendable, Hashable {
    /// Its name in the camera's settings.
    package var name: String
    /// Where it is read, without a name; `nil` where the camera gives no address that can be, or one with a password in it.
    package var address: NetworkAddress?
    /// The picture's size; `nil` where the camera does not say.
    package var width: Int?
    /// As ``width``.
    package var height: Int?
    /// The codec in the camera's words: `H264`, `JPEG`; `nil` where it does not say.
    package var codec: String?
    /// The most frames in a second; `nil` where the camera does not say.
    package var rate: Int?
  }

  /// A camera's answer to the question for its streams.
  package enum Access: Sendable, Hashable {
    /// It told.
    case told
    /// It wants a name and a password, and there are none for it.
    case wantsLogin
    /// It refused the name and the password that there are.
    case refusedLogin
    /// It wants a login whose password may be in the keyring, which is locked.
    case lockedKeyring
    /// It wants a login whose password may be in the keyring, which does not answer, with half a sentence that says why.
    case silentKeyring(String)
    /// It did not tell, or not all, with half a sentence that says why.
    case failed(String)
  }

  /// Its own number; empty where it has none.
  package var id: String
  /// The address of the machine that answered.
  package var host: String
  /// Its name: the one in its settings, else what it is, else its address.
  package var name: String
  /// The company that made it; `nil` where it does not say.
  package var manufacturer: String?
  /// What the company calls it; `nil` where it does not say.
  package var model: String?
  /// How the question for its streams went.
  package var access: Access
  /// The name for its login; `nil` where there is none, or it wanted none.
  package var user: String?
  /// Its streams, in its order.
  package var profiles: [Profile]
  /// How many more it has, which were not asked for, or in vain.
  package var leftOut: Int
}
