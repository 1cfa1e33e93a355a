import Foundation
import Photos

/// Questions to the photo library that block; for queues other than the main one.
enum LibraryAccess {
  /// Whether the library takes photos now.
  static var isUsable: Bool { PHPhotoLibrary.authorizationStatus(for: .readWrite) == .authorized }

  static func asset(_ identifier: String) -> PHAsset? {
    PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject
  }

  static func assets(_ identifiers: [String]) -> [PHAsset] {
    let found = PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil)
    return (0..<found.count).map { found[$0] }
  }

  /// The newest photo or video.
  static func newest() -> PHAsset? {
    let options = newestFirst()
    options.fetchLimit = 1
    return PHAsset.fetchAssets(with: options).firstObject
  }

  static func newestFirst() -> PHFetchOptions {
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.includeAllBurstAssets = true
    return options
  }

  /// The identifiers of the newest photos, at most so many.
  static func newestPhotos(_ count: Int) -> [String] {
    let options = newestFirst()
    options.fetchLimit = count
    let found = PHAsset.fetchAssets(with: .image, options: options)
    return (0..<found.count).map { found[$0].localIdentifier }
  }

  /// Whether the photo stands for one that is finished later.
  static func isUnfinished(_ asset: PHAsset) -> Bool {
    asset.mediaType == .image
      && PHAssetResource.assetResources(for: asset).contains { $0.type == .photoProxy }
  }

  /// Finishes a photo that stands for one that is finished later.
  static func finish(_ asset: PHAsset) {
    guard isUnfinished(asset) else { return }
    let options = PHImageRequestOptions()
    options.isSynchronous = true
    options.deliveryMode = .highQualityFormat
    PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) { _, _, _, _ in }
  }

  /// An upright picture of at most so many pixels on the longer side; a photo that is not finished is shown as it is.
  static func picture(of asset: PHAsset, longerSide: Int, manager: PHImageManager = .default()) -> Thumbnail?
  {
    let options = PHImageRequestOptions()
    options.isSynchronous = true
    options.deliveryMode = isUnfinished(asset) ? .fastFormat : .highQualityFormat
    var result: Thumbnail?
    manager.requestImage(
      for: asset, targetSize: CGSize(width: longerSide, height: longerSide), contentMode: .aspectFit,
      options: options
    ) { image, _ in
      result = image?.cgImage.flatMap(PictureReader.thumbnail(of:)) ?? result
    }
    return result
  }

  /// A copy of the movie of a Live Photo, which the caller removes; `nil` for a photo without one.
  static func moments(_ identifier: String) async -> URL? {
    guard let asset = asset(identifier) else { return nil }
    let all = PHAssetResource.assetResources(for: asset)
    guard
      let film = all.first(where: { $0.type == .fullSizePairedVideo })
        ?? all.first(where: { $0.type == .pairedVideo })
    else { return nil }
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent(
      "obscura-camera-\(UUID().uuidString).mov")
    return await withCheckedContinuation { done in
      PHAssetResourceManager.default().writeData(for: film, toFile: copy, options: nil) { error in
        done.resume(returning: error == nil ? copy : nil)
      }
    }
  }

  /// The file of an asset; finishes the photo first where that is needed.
  static func url(of asset: PHAsset) async -> URL? {
    // Safe because the handler of either request is called once.
    await withCheckedContinuation { (done: CheckedContinuation<URL?, Never>) in
      if asset.mediaType == .video {
        PHImageManager.default().requestAVAsset(forVideo: asset, options: nil) { film, _, _ in
          done.resume(returning: (film as? AVURLAsset)?.url)
        }
      } else {
        asset.requestContentEditingInput(with: nil) { input, _ in
          done.resume(returning: input?.fullSizeImageURL)
        }
      }
    }
  }
}
