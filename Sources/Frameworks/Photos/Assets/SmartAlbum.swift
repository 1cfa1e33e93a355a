internal import Foundation

/// An album by a rule.
package struct SmartAlbum: Sendable {
  let subtype: PHAssetCollectionSubtype
  let title: String
  let condition: String
  var order = "created, id"
  var showsHidden = false

  /// Those that a library has, in the order in which they are listed.
  package static let all: [SmartAlbum] = [
    SmartAlbum(subtype: .smartAlbumUserLibrary, title: "Recents", condition: "1", order: "added, id"),
    SmartAlbum(subtype: .smartAlbumFavorites, title: "Favorites", condition: "is_favorite"),
    SmartAlbum(subtype: .smartAlbumVideos, title: "Videos", condition: "media_type = 2"),
    SmartAlbum(subtype: .smartAlbumSelfPortraits, title: "Selfies", condition: "marks & 1"),
    SmartAlbum(subtype: .smartAlbumLivePhotos, title: "Live Photos", condition: "media_subtypes & 8"),
    SmartAlbum(subtype: .smartAlbumDepthEffect, title: "Portrait", condition: "media_subtypes & 16"),
    SmartAlbum(subtype: .smartAlbumPanoramas, title: "Panoramas", condition: "media_subtypes & 1"),
    SmartAlbum(subtype: .smartAlbumTimelapses, title: "Time-lapse", condition: "media_subtypes & 262144"),
    SmartAlbum(subtype: .smartAlbumSlomoVideos, title: "Slo-mo", condition: "media_subtypes & 131072"),
    SmartAlbum(subtype: .smartAlbumBursts, title: "Bursts", condition: "burst IS NOT NULL"),
    SmartAlbum(subtype: .smartAlbumScreenshots, title: "Screenshots", condition: "media_subtypes & 4"),
    SmartAlbum(
      subtype: .smartAlbumScreenRecordings, title: "Screen Recordings", condition: "media_subtypes & 524288"),
    SmartAlbum(subtype: .smartAlbumLongExposures, title: "Long Exposure", condition: "marks & 4"),
    SmartAlbum(subtype: .smartAlbumAnimated, title: "Animated", condition: "marks & 2"),
    SmartAlbum(subtype: .smartAlbumRAW, title: "RAW", condition: "marks & 8"),
    SmartAlbum(
      subtype: .smartAlbumRecentlyAdded, title: "Recently Saved",
      condition: "added > \(recently)", order: "added, id"),
    SmartAlbum(
      subtype: .smartAlbumAllHidden, title: "Hidden", condition: "is_hidden", showsHidden: true),
  ]

  /// Thirty days ago, in the catalogue's seconds.
  private static let recently = "strftime('%s', 'now') - 978307200 - 2592000"

  /// The same in every library, so that a client can keep it.
  package var uuid: UUID {
    let number = UInt8(truncatingIfNeeded: subtype.rawValue)
    return UUID(uuid: (0x0B, 0x5C, 0x0A, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
  }
}
