internal import Foundation

/// An album by a rule.
package struct SmartAlbum: Sendable {
  let subtype: PHAssetCollectionSubtype
  let title: String
  private let condition: String
  /// How long ago its assets were added at most, in seconds; `nil` for whenever.
  private var age: Double?
  var order = "created, id"
  var showsHidden = false

  /// Those that a library has, in the order in which they are listed.
  package static let all: [SmartAlbum] = [
    SmartAlbum(subtype: .smartAlbumUserLibrary, title: "Recents", condition: "1", order: "added, id"),
    SmartAlbum(subtype: .smartAlbumFavorites, title: "Favorites", condition: "is_favorite"),
    SmartAlbum(
      subtype: .smartAlbumVideos, title: "Videos",
      condition: "media_type = \(PHAssetMediaType.video.rawValue)"),
    SmartAlbum(subtype: .smartAlbumSelfPortraits, title: "Selfies", condition: has(.front)),
    SmartAlbum(subtype: .smartAlbumLivePhotos, title: "Live Photos", condition: has(.photoLive)),
    SmartAlbum(subtype: .smartAlbumDepthEffect, title: "Portrait", condition: has(.photoDepthEffect)),
    SmartAlbum(subtype: .smartAlbumPanoramas, title: "Panoramas", condition: has(.photoPanorama)),
    SmartAlbum(subtype: .smartAlbumTimelapses, title: "Time-lapse", condition: has(.videoTimelapse)),
    SmartAlbum(subtype: .smartAlbumSlomoVideos, title: "Slo-mo", condition: has(.videoHighFrameRate)),
    SmartAlbum(subtype: .smartAlbumBursts, title: "Bursts", condition: "burst IS NOT NULL"),
    SmartAlbum(subtype: .smartAlbumScreenshots, title: "Screenshots", condition: has(.photoScreenshot)),
    SmartAlbum(
      subtype: .smartAlbumScreenRecordings, title: "Screen Recordings", condition: has(.videoScreenRecording)),
    SmartAlbum(subtype: .smartAlbumLongExposures, title: "Long Exposure", condition: has(.longExposure)),
    SmartAlbum(subtype: .smartAlbumAnimated, title: "Animated", condition: has(.animated)),
    SmartAlbum(subtype: .smartAlbumRAW, title: "RAW", condition: has(.raw)),
    SmartAlbum(
      subtype: .smartAlbumRecentlyAdded, title: "Recently Saved",
      condition: "1", age: 30 * 86_400, order: "added, id"),
    SmartAlbum(
      subtype: .smartAlbumAllHidden, title: "Hidden", condition: "is_hidden", showsHidden: true),
  ]

  private static func has(_ subtype: PHAssetMediaSubtype) -> String { "media_subtypes & \(subtype.rawValue)" }
  private static func has(_ mark: AssetRow.Marks) -> String { "marks & \(mark.rawValue)" }

  /// What is so of its assets at a moment.
  func condition(at date: Date) -> String {
    age.map { "\(condition) AND added > \(date.timeIntervalSinceReferenceDate - $0)" } ?? condition
  }

  /// The same in every library, so that a client can keep it.
  package var uuid: UUID {
    let number = UInt8(truncatingIfNeeded: subtype.rawValue)
    return UUID(uuid: (0x0B, 0x5C, 0x0A, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
  }
}
