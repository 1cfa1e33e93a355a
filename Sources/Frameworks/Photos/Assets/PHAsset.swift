internal import Foundation
internal import FoundationExtras

/// A photo, video or recording in the library, as it was when it was fetched.
///
/// Thread-safe. Apple: `PHAsset`.
open class PHAsset: PHObject, @unchecked Sendable {  // Safe because it is constant after init.
  /// The style in which an asset is shown.
  ///
  /// Apple: `PHAsset.PlaybackStyle`.
  public enum PlaybackStyle: Int, Sendable {
    /// Not at all.
    case unsupported = 0
    /// As a picture.
    case image = 1
    /// As a picture that moves.
    case imageAnimated = 2
    /// As a photo with a short video.
    case livePhoto = 3
    /// As a video.
    case video = 4
    /// As a video that begins anew at its end.
    case videoLooping = 5
  }

  /// The asset's row in the catalogue.
  package let row: AssetRow

  init(_ row: AssetRow) {
    self.row = row
    super.init(key: row.key, asset: row.uuid)
  }

  /// The kind of media.
  open var mediaType: PHAssetMediaType { row.mediaType }
  /// The subtypes of the media.
  open var mediaSubtypes: PHAssetMediaSubtype { row.subtypes }
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
  /// The place where it was taken; `nil` when unknown.
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
  /// The source of the asset.
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
  /// Whether the user has changed its picture or video.
  open var hasAdjustments: Bool { row.marks.contains(.adjusted) }
  /// The name of its burst, which all photos of the burst share; `nil` for none.
  open var burstIdentifier: String? { row.burst }
  /// How it was picked among the photos of its burst.
  open var burstSelectionTypes: PHAssetBurstSelectionType { row.burstTypes }
  /// Whether it stands for its burst.
  open var representsBurst: Bool { row.isBurstKey }

  /// Whether something can be done with it: everything, where the library can be written.
  open func canPerform(_ editOperation: PHAssetEditOperation) -> Bool {
    guard let store = try? SharedLibrary.store(), store.isWritable else { return false }
    return editOperation != .content || mediaType != .audio
  }
}
