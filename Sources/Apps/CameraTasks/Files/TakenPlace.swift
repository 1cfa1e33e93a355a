package import Foundation
internal import Linux

/// A place for a file that a program makes itself, and that no other command takes meanwhile.
package struct TakenPlace: Sendable {
  /// The path of the file.
  package let url: URL
  /// Whether a file is there that gives way.
  package let replaces: Bool
  /// Keeps others from the name until there is a file.
  let claim: NameClaim

  /// Whether the claim has done its work: a file that is written has the name.
  var hasFile: Bool { GrowingFile.isWritten(url.path) }
}
