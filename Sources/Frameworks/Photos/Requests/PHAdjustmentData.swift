internal import Foundation

/// The record of a user's edits, in a form that the program that wrote it understands.
///
/// Apple: `PHAdjustmentData`.
open class PHAdjustmentData: NSObject, @unchecked Sendable {  // Safe because it is constant after init.
  /// The name of the form, such as `com.example.editor`.
  public let formatIdentifier: String
  /// The version of the form.
  public let formatVersion: String
  /// The changes.
  public let data: Data

  /// Changes in a form.
  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }
}
