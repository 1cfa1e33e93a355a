/// The request for the raw picture of a photo.
package struct RawPhotoRequest: Sendable, Hashable, Codable {
  /// Whether no processed picture comes beside it.
  package var isAlone: Bool
  /// The thumbnail that its file shall hold; `nil` leaves that to the file's writer.
  package var thumbnail: PhotoThumbnailRequest?

  /// A raw picture with a processed one beside it, unless it is alone.
  package init(isAlone: Bool = false, thumbnail: PhotoThumbnailRequest? = nil) {
    self.isAlone = isAlone
    self.thumbnail = thumbnail
  }

  /// How many results one exposure has.
  package var resultCount: Int { isAlone ? 1 : 2 }
}

extension PhotoProcessingRequest {
  /// How many results one exposure of the photo has.
  package var resultCount: Int { raw?.resultCount ?? 1 }

  /// Whether there is a processed picture.
  package var isProcessed: Bool { raw?.isAlone != true }
}
