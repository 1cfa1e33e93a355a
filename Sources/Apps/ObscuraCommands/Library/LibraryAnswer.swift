internal import Foundation
internal import FoundationExtras
internal import Photos

/// The JSON object of `obscura library --json` for a photo or video.
struct LibraryAnswer: Encodable, Sendable {
  struct File: Encodable, Sendable {
    var type: String
    var path: String?
    var name: String
    var bytes: Int?
    var uniformType: String
  }

  struct Place: Encodable, Sendable {
    var latitude: Double
    var longitude: Double
    var altitude: Double
  }

  var schema = "obscura.library-asset"
  var version = 1
  var identifier: String
  var kind: String
  var created: String?
  var modified: String?
  var width: Int
  var height: Int
  /// Seconds; only of videos and audio recordings.
  var duration: Double?
  var isFavorite: Bool
  var isHidden: Bool
  var isEdited: Bool
  /// Whether its processing is not finished yet.
  var isUnfinished: Bool
  var isDeleted: Bool?
  var burst: String?
  var place: Place?
  var files: [File]

  init(_ asset: PHAsset, isDeleted: Bool? = nil) {
    identifier = LibraryAssets.name(asset)
    kind = asset.mediaType == .image ? "photo" : asset.mediaType == .video ? "video" : "audio"
    created = asset.creationDate.map(Self.text)
    modified = asset.modificationDate.map(Self.text)
    width = asset.pixelWidth
    height = asset.pixelHeight
    duration = asset.mediaType == .image ? nil : asset.duration
    isFavorite = asset.isFavorite
    isHidden = asset.isHidden
    isEdited = asset.hasAdjustments
    burst = asset.burstIdentifier
    place = asset.location.map {
      Place(latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude, altitude: $0.altitude)
    }
    self.isDeleted = isDeleted
    let resources = isDeleted == true ? [] : PHAssetResource.assetResources(for: asset)
    isUnfinished = resources.contains { $0.type == .photoProxy }
    files = resources.map { resource in
      File(
        type: "\(resource.type)", path: resource.path, name: resource.originalFilename,
        bytes: resource.byteCount,
        uniformType: resource.uniformTypeIdentifier)
    }
  }

  private static func text(_ date: Date) -> String { WrittenDate.text(of: date) }

  /// The line for people: name, date, size, and the file.
  var line: String {
    var parts = [String(identifier.prefix(8)), created ?? "no date", "\(width)×\(height)"]
    if let duration { parts.append(String(format: "%.1f s", duration)) }
    if isFavorite { parts.append("favourite") }
    if isHidden { parts.append("hidden") }
    if isEdited { parts.append("edited") }
    if isUnfinished { parts.append("unfinished") }
    if let path = files.first?.path { parts.append(path) }
    return parts.joined(separator: "  ")
  }
}
