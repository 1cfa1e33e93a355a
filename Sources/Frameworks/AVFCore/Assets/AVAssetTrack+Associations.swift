extension AVAssetTrack {
  /// The type of an association between two tracks.
  ///
  /// Apple: `AVAssetTrack.AssociationType`.
  public struct AssociationType: RawRepresentable, Hashable, Sendable {
    /// Four characters.
    public let rawValue: String

    /// A type by its four characters.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Time codes of pictures or audio.
    ///
    /// Apple: `AVAssetTrack.AssociationType.timecode`.
    public static let timecode = AssociationType(rawValue: "tmcd")
  }

  /// How other tracks belong to this one.
  ///
  /// Apple: `AVAssetTrack.availableTrackAssociationTypes`.
  public var availableTrackAssociationTypes: [AssociationType] {
    references.keys.sorted().map { AssociationType(rawValue: $0) }
  }

  /// The tracks that belong to this one in some way, in the file's order of naming them.
  ///
  /// Apple: `AVAssetTrack.associatedTracks(ofType:)`.
  public func associatedTracks(ofType trackAssociationType: AssociationType) -> [AVAssetTrack] {
    (references[trackAssociationType.rawValue] ?? []).compactMap { number in
      asset?.tracks.first { Int($0.trackID) == number }
    }
  }
}
