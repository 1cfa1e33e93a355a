internal import Foundation
internal import FoundationExtras

/// A photo, film or recording in the library, as it was when it was fetched.
///
/// Thread-safe. Apple: `PHAsset`.
open class PHAsset: PHObject, @unchecked Sendable {  // Safe because it is constant after init.
  /// How an asset is shown.
  ///
  /// Apple: `PHAsset.PlaybackStyle`.
  public enum PlaybackStyle: Int, Sendable {
    /// Not at all.
    case unsupported = 0
    /// As a picture.
    case image = 1
    /// As a picture that moves.
    case imageAnimated = 2
    /// As a photo with a short film.
    case livePhoto = 3
    /// As a film.
    case video = 4
    /// As a film that begins anew at its end.
    case videoLooping = 5
  }

  /// What the catalogue says of it.
  package let row: AssetRow

  init(_ row: AssetRow) {
    self.row = row
    super.init(key: row.key, asset: row.uuid)
  }

  /// What it is.
  open var mediaType: PHAssetMediaType { PHAssetMediaType(rawValue: row.mediaType) ?? .unknown }
  /// What is special about it.
  open var mediaSubtypes: PHAssetMediaSubtype { PHAssetMediaSubtype(rawValue: UInt(max(0, row.subtypes))) }
  /// Pixels along x, as shown.
  open var pixelWidth: Int { row.width }
  /// Pixels along y, as shown.
  open var pixelHeight: Int { row.height }
  /// When it was taken; `nil` when unknown.
  open var creationDate: Date? { row.created.map { Date(timeIntervalSinceReferenceDate: $0) } }
  /// When it was last changed.
  open var modificationDate: Date? { row.modified.map { Date(timeIntervalSinceReferenceDate: $0) } }
  /// When it came into the library.
  open var addedDate: Date? { Date(timeIntervalSinceReferenceDate: row.added) }
  /// Where it was taken; `nil` when unknown.
  open var location: CLLocation? {
    row.location.map { place in
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: place.latitude, longitude: place.longitude),
        altitude: place.altitude, horizontalAccuracy: place.accuracy, verticalAccuracy: place.accuracy,
        timestamp: Date(timeIntervalSinceReferenceDate: place.time))
    }
  }
  /// Seconds; 0 for a picture.
  open var duration: TimeInterval { row.duration }
  /// Whether it is shown in the album of what is hidden only.
  open var isHidden: Bool { row.isHidden }
  /// Whether the user marked it as a favourite.
  open var isFavorite: Bool { row.isFavorite }
  /// Where it comes from.
  open var sourceType: PHAssetSourceType { .typeUserLibrary }
  /// How it is shown.
  open var playbackStyle: PlaybackStyle {
    switch mediaType {
    case .image:
      row.marks.contains(.animated)
        ? .imageAnimated : mediaSubtypes.contains(.photoLive) ? .livePhoto : .image
    case .video: .video
    case .audio, .unknown: .unsupported
    }
  }
  /// Whether the user has changed its picture or film.
  open var hasAdjustments: Bool { row.marks.contains(.adjusted) }
  /// What names the photos of its burst; `nil` for none.
  open var burstIdentifier: String? { row.burst }
  /// How it was picked among the photos of its burst.
  open var burstSelectionTypes: PHAssetBurstSelectionType {
    PHAssetBurstSelectionType(rawValue: UInt(max(0, row.burstTypes)))
  }
  /// Whether it stands for its burst.
  open var representsBurst: Bool { row.isBurstKey }

  /// Whether something can be done with it: everything, where the library can be written.
  open func canPerform(_ editOperation: PHAssetEditOperation) -> Bool {
    guard let store = try? SharedLibrary.store(), store.isWritable else { return false }
    return editOperation != .content || mediaType != .audio
  }
}
