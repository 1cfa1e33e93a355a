package import Foundation

/// One item of metadata of a movie or a track.
package struct MovieMetadata: Sendable, Hashable {
  /// A key space of metadata, as Apple has them.
  package enum KeySpace: String, Sendable, Hashable {
    /// QuickTime's metadata, with keys such as `com.apple.quicktime.make`.
    case quickTimeMetadata = "mdta"
    /// QuickTime's user data, with keys such as `©nam`.
    case quickTimeUserData = "udta"
    /// iTunes' list, with keys such as `©nam`.
    case iTunes = "itsk"
    /// ISO user data.
    case isoUserData = "uiso"
  }

  /// The value.
  package enum Value: Sendable, Hashable {
    case text(String)
    case integer(Int)
    case number(Double)
    case data(Data)
  }

  /// The key space of its key.
  package var keySpace: KeySpace
  /// Its key.
  package var key: String
  /// Its value.
  package var value: Value
  /// A language by RFC 4646; `nil` when unknown.
  package var language: String?

  /// An item of metadata.
  package init(keySpace: KeySpace, key: String, value: Value, language: String? = nil) {
    self.keySpace = keySpace
    self.key = key
    self.value = value
    self.language = language
  }
}
