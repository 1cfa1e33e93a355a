internal import AVFoundation
internal import CameraTasks
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import Photos

/// The pictures of a press as files, or on their way to one.
struct PressedPictures {
  /// The paths of their files; of those that are not kept there is none.
  struct Paths {
    var photo: String
    var raw: String?
    var film: String?
  }

  var photo: AVCapturePhoto
  /// The format of `data`.
  var format: PhotoPlan.Format
  var data: Data
  /// The raw picture beside it.
  var raw: Data?
  /// The file of its movie, which is moved or copied.
  var film: URL?
  var delivered = WorldTime.current.now
  var place: PressSchedule.Place?

  /// The raw picture as the photo itself, where that cannot be kept; `nil` without one.
  mutating func takeRaw() -> PressedPictures? {
    guard let raw = raw.take() else { return nil }
    var other = self
    (other.format, other.data) = (.dng, raw)
    return other
  }

  // MARK: The library

  /// Puts them into the library as one asset; what does not fit beside the photo is left out, and said.
  /// - Throws: why the photo itself is not kept.
  func keepInLibrary(_ failures: Failures) throws -> Paths {
    do {
      return try add()
    } catch {
      // All of an asset comes into the library or none: which part it was that failed shows without it.
      let error = CommandError(error)
      for (hasRaw, hasFilm) in [(false, true), (true, false), (false, false)] {
        guard raw != nil || !hasRaw, film != nil || !hasFilm, (hasRaw, hasFilm) != (raw != nil, film != nil)
        else { continue }
        var fewer = self
        if !hasRaw { fewer.raw = nil }
        if !hasFilm { fewer.film = nil }
        guard let paths = try? fewer.add() else { continue }
        if raw != nil, !hasRaw { failures.report(error.leavingOut("its raw picture")) }
        if film != nil, !hasFilm { failures.report(error.leavingOut("its movie")) }
        return paths
      }
      throw error
    }
  }

  private func add() throws -> Paths {
    var name = ""
    try PHPhotoLibrary.shared().performChangesAndWait {
      let asset = PHAssetCreationRequest.forAsset()
      asset.addResource(with: .photo, data: data, options: format == .dng ? Self.rawOptions : nil)
      if let raw { asset.addResource(with: .alternatePhoto, data: raw, options: Self.rawOptions) }
      if let film {
        let options = PHAssetResourceCreationOptions()
        options.shouldMoveFile = true
        asset.addResource(with: .pairedVideo, fileURL: film, options: options)
      }
      name = asset.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    let asset = PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject
    let resources = asset.map { PHAssetResource.assetResources(for: $0) } ?? []
    return Paths(
      photo: resources.first?.path ?? name, raw: resources.first { $0.type == .alternatePhoto }?.path,
      film: resources.first { $0.type == .pairedVideo }?.path)
  }

  private static var rawOptions: PHAssetResourceCreationOptions {
    let options = PHAssetResourceCreationOptions()
    options.uniformTypeIdentifier = "com.adobe.raw-image"
    return options
  }
}

extension CommandError {
  /// The same failure of a part without which a photo is kept.
  fileprivate func leavingOut(_ part: String) -> CommandError {
    CommandError(exitCode, "The photo is kept without \(part): \(message)")
  }
}
