internal import Foundation

/// The options for a resource that is taken into the library.
///
/// Apple: `PHAssetResourceCreationOptions`.
open class PHAssetResourceCreationOptions: NSObject, NSCopying {
  /// The name that the resource has outside; the library keeps it beside its own.
  open var originalFilename: String?
  /// The uniform type identifier of the resource; read from the content when `nil`.
  open var uniformTypeIdentifier: String?
  /// Whether the file moves into the library; otherwise it is copied.
  ///
  /// It is removed once the change is kept.
  open var shouldMoveFile = false

  /// Options that copy the file.
  public override init() {}

  /// Options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHAssetResourceCreationOptions()
    copy.originalFilename = originalFilename
    copy.uniformTypeIdentifier = uniformTypeIdentifier
    copy.shouldMoveFile = shouldMoveFile
    return copy
  }
}
