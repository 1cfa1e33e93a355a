// What no model here finds: code that asks for it compiles, and learns from `availableMetadataObjectTypes` that it will not come.

/// A cat's body; never found.
///
/// Apple: `AVMetadataCatBodyObject`.
open class AVMetadataCatBodyObject: AVMetadataBodyObject, @unchecked Sendable {}  // Safe: constants.

/// A dog's body; never found.
///
/// Apple: `AVMetadataDogBodyObject`.
open class AVMetadataDogBodyObject: AVMetadataBodyObject, @unchecked Sendable {}  // Safe: constants.

/// What a viewer looks at first; never found.
///
/// Apple: `AVMetadataSalientObject`.
open class AVMetadataSalientObject: AVMetadataObject, @unchecked Sendable {  // Safe: constants.
  /// Its number, which stays while it is in the picture.
  ///
  /// Apple: `AVMetadataSalientObject.objectID`.
  public var objectID: Int { 0 }
}
