internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import ImageCore

/// A number that names a request for a photo with its short video, to cancel it.
///
/// Apple: `PHLivePhotoRequestID`.
public typealias PHLivePhotoRequestID = Int32
/// The number of no request.
public let PHLivePhotoRequestIDInvalid: PHLivePhotoRequestID = 0

/// Why there is none: an error in the handler's dictionary.
public let PHLivePhotoInfoErrorKey = "PHLivePhotoInfoErrorKey"
/// Whether a better one follows: a Boolean in the handler's dictionary.
public let PHLivePhotoInfoIsDegradedKey = "PHLivePhotoInfoIsDegradedKey"
/// Whether the request was cancelled: a Boolean in the handler's dictionary.
public let PHLivePhotoInfoCancelledKey = "PHLivePhotoInfoCancelledKey"

/// A photo with the short video of the moments around it.
///
/// Apple: `PHLivePhoto`.
open class PHLivePhoto: NSObject, NSCopying, @unchecked Sendable {  // Safe because it is constant after init.
  /// The paths of its two files.
  struct Files: Sendable {
    var photo: String
    var film: String
  }

  private static let requests = ImageRequests()
  /// The upright picture in the size that was asked for.
  let image: CGImage
  let files: Files
  /// The asset's own; none of files outside of the library.
  let resources: [PHAssetResource]

  init(_ image: CGImage, _ files: Files, _ resources: [PHAssetResource] = []) {
    self.image = image
    self.files = files
    self.resources = resources
  }

  /// The size of its picture in pixels.
  ///
  /// Apple: `PHLivePhoto.size`.
  open var size: CGSize { CGSize(width: image.width, height: image.height) }

  /// The photo itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Makes one of a picture file and a video file.
  ///
  /// - Parameters:
  ///   - fileURLs: The picture and the video, in any order, and nothing else. Where both have the name of a Live Photo inside it is the
  ///     same; else they are believed.
  ///   - placeholderImage: What is shown until the files are read: with it the handler is called at once, with a degraded result.
  ///   - targetSize: Pixels; a picture is never made larger. Zero for the original's.
  ///   - resultHandler: Called on the main queue; gets `nil` and the reason in the dictionary when the files are no such pair.
  /// - Returns: A number for ``cancelRequest(withRequestID:)``.
  ///
  /// Apple: `PHLivePhoto.request(withResourceFileURLs:placeholderImage:targetSize:contentMode:resultHandler:)`.
  @discardableResult
  open class func request(
    withResourceFileURLs fileURLs: [URL], placeholderImage image: UIImage?, targetSize: CGSize,
    contentMode: PHImageContentMode, resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]) -> Void
  ) -> PHLivePhotoRequestID {
    let id = requests.begin()
    let handler = QueueHandler<(PHLivePhoto?, [AnyHashable: Any])> { resultHandler($0.0, $0.1) }
    let paths = fileURLs.map(\.path)
    let sizing = PictureSizing(targetSize, contentMode, nil)
    let placeholder = image?.cgImage
    PHImageManager.work.addOperation(
      InFlight.carried {
        let facts = paths.map { MediaFacts(path: $0) }
        let kinds = facts.map { $0?.mediaType }
        var pair: Files?
        var refusal = "they are no picture and video that can be read; pass one of each, of known formats"
        if paths.count == 2, let photo = kinds.firstIndex(of: .image),
          let film = kinds.firstIndex(of: .video),
          let (own, other) = facts[photo].flatMap({ own in facts[film].map { (own, $0) } })
        {
          if let reason = LivePairs.refusal(photo: own, film: other) {
            refusal = reason
          } else {
            pair = Files(photo: paths[photo], film: paths[film])
          }
        }
        let known = (pair: pair, refusal: refusal)
        if let pair = known.pair, let placeholder {
          let degraded = PHLivePhoto(placeholder, pair)
          DispatchQueue.main.async {
            guard requests.isActive(id) else { return }
            handler.call((degraded, [PHLivePhotoInfoIsDegradedKey: true]))
          }
        }
        let made = known.pair.flatMap { pair in
          sizing.picture(ofFile: pair.photo).map { PHLivePhoto($0, pair) }
        }
        DispatchQueue.main.async {
          guard requests.end(id) else { return handler.call((nil, [PHLivePhotoInfoCancelledKey: true])) }
          if let made { return handler.call((made, [PHLivePhotoInfoIsDegradedKey: false])) }
          let error = PHPhotosError(
            .invalidResource,
            because: "The files make no Live Photo because \(known.refusal).")
          handler.call((nil, [PHLivePhotoInfoErrorKey: error]))
        }
      })
    return id
  }

  /// Ends a request; its handler is called once more, with ``PHLivePhotoInfoCancelledKey``, unless it has had its result.
  ///
  /// Apple: `PHLivePhoto.cancelRequest(withRequestID:)`.
  open class func cancelRequest(withRequestID requestID: PHLivePhotoRequestID) {
    requests.end(requestID)
  }
}

extension PHAssetResource {
  /// The two files of a photo with its short video that the library has; none for one that was made of other files.
  public class func assetResources(for livePhoto: PHLivePhoto) -> [PHAssetResource] { livePhoto.resources }
}

extension PHContentEditingInput {
  /// The photo with its short video; `nil` for what has none.
  public var livePhoto: PHLivePhoto? { livePicture as? PHLivePhoto }
}

extension PHImageManager {
  /// Gets a photo with its short video.
  ///
  /// Pictures come as with ``requestImage(for:targetSize:contentMode:options:resultHandler:)``, each in a photo of its own.
  /// - Parameters:
  ///   - targetSize: Pixels; a picture is never made larger.
  ///   - resultHandler: Gets `nil` and `PHImageErrorKey` for an asset that has no such video.
  ///
  /// Apple: `PHImageManager.requestLivePhoto(for:targetSize:contentMode:options:resultHandler:)`.
  @discardableResult
  public func requestLivePhoto(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHLivePhotoRequestOptions?,
    resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let options = (options ?? PHLivePhotoRequestOptions()).ofPicture
    let delivery = PictureDelivery(asset, PictureSizing(targetSize, contentMode, options), options, cache)
    let handler = QueueHandler<(PHLivePhoto?, [AnyHashable: Any])> { resultHandler($0.0, $0.1) }
    return run(false, handler) { id, deliver in
      do throws(PHPhotosError) {
        let pair = try LivePhotoFiles(asset, delivery.version)
        try delivery.run(Self.control(id)) { image, stage in
          deliver(
            (
              PHLivePhoto(image, pair.files, pair.resources),
              Self.information(id, isDegraded: stage == .degraded)
            ),
            stage == .final)
        }
        return nil
      } catch {
        return error
      }
    }
  }
}

/// The picture and the video of an asset that has both.
struct LivePhotoFiles: Sendable {
  let files: PHLivePhoto.Files
  let resources: [PHAssetResource]

  init(_ asset: PHAsset, _ version: PHImageRequestOptionsVersion) throws(PHPhotosError) {
    let found = try AssetFiles(asset)
    let film = found.first(
      version == .current ? [.fullSizePairedVideo, .pairedVideo] : [.pairedVideo])
    let photo = found.picture(version)
    guard let film, let photo else {
      throw PHPhotosError(
        .missingResource, because: "The asset has no short movie beside its photo; ask for an image.")
    }
    files = PHLivePhoto.Files(photo: try found.path(photo), film: try found.path(film))
    resources = [photo, film].map { PHAssetResource($0, found.store, asset.localIdentifier) }
  }
}
