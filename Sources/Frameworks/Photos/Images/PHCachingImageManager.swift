internal import Foundation
internal import GraphicsCore

/// Gets pictures, and makes them before they are asked for.
///
/// Apple: `PHCachingImageManager`.
open class PHCachingImageManager: PHImageManager, @unchecked Sendable {  // Safe: what changes is under locks.
  /// Whether pictures may be made ahead that are no thumbnails.
  open var allowsCachingHighQualityImages = true

  /// A manager with nothing made yet.
  public override init() {}

  private func deliveries(
    _ assets: [PHAsset], _ targetSize: CGSize, _ contentMode: PHImageContentMode,
    _ options: PHImageRequestOptions?
  ) -> [PictureDelivery] {
    let best = options?.copy() as? PHImageRequestOptions ?? PHImageRequestOptions()
    best.deliveryMode = .highQualityFormat
    return assets.map { PictureDelivery($0, PictureSizing(targetSize, contentMode, best), best, cache) }
  }

  /// Begins to make pictures; a request with the same size, mode and options then gets its picture at once.
  open func startCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?
  ) {
    guard allowsCachingHighQualityImages || max(targetSize.width, targetSize.height) <= 256 else { return }
    for delivery in deliveries(assets, targetSize, contentMode, options) {
      let key = delivery.cacheKey
      guard cache.want(key) else { continue }
      let cache = cache
      Self.work.addOperation {
        guard cache.isWanted(key) else { return }
        // What cannot be read says so when it is asked for.
        try? delivery.run(.init(isWanted: { cache.isWanted(key) }, stop: {})) { image, stage in
          if stage == .final { cache.keep(image, for: key) }
          return true
        }
      }
    }
  }

  /// Forgets pictures that were made with the same size, mode and options.
  open func stopCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?
  ) {
    cache.forget(deliveries(assets, targetSize, contentMode, options).map(\.cacheKey))
  }

  /// Forgets all pictures.
  open func stopCachingImagesForAllAssets() {
    cache.forget(nil)
  }
}
