/// The request for the mattes of parts of the people in a photo.
package struct PartMattesRequest: Sendable, Hashable {
  package var types: [AVSemanticSegmentationMatte.MatteType]
  /// Whether the photo's file holds the mattes, too.
  package var isEmbedded: Bool
}
