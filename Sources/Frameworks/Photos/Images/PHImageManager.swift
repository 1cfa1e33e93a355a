package import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import ImageCore
internal import ImageIO

/// Gets the pictures and videos of assets.
///
/// Thread-safe. Handlers of pictures are called on the main queue, unless the request is synchronous; those of videos on a queue of
/// the library. Apple: `PHImageManager`.
open class PHImageManager: NSObject, @unchecked Sendable {  // Safe because what changes is under locks.
  private static let manager = PHImageManager()
  static let requests = ImageRequests()
  /// Pictures are decoded on all processors, but not more at once than there are.
  package static let work: OperationQueue = {
    let queue = OperationQueue()
    queue.name = "obscura.image-manager"
    queue.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
    return queue
  }()
  let cache = PictureCache()

  /// A manager of its own.
  public override init() {}

  /// The manager that programs share.
  open class func `default`() -> PHImageManager { manager }

  // MARK: Pictures

  /// Gets a picture of an asset: of a video, its first frame.
  ///
  /// With the delivery mode `opportunistic`, the handler may be called first with a small picture that is there already
  /// (`PHImageResultIsDegradedKey` is true), for a photo that must be finished first then with a better one where
  /// ``PHImageRequestOptions/allowSecondaryDegradedImage`` allows it, and at last with the final one. Pictures stand upright.
  ///
  /// - Parameters:
  ///   - targetSize: Pixels; ``PHImageManagerMaximumSize`` for the original's. A picture is never made larger.
  ///   - resultHandler: Gets the picture, or `nil` and in the dictionary why: `PHImageErrorKey` or `PHImageCancelledKey`.
  /// - Returns: A number for ``cancelImageRequest(_:)``.
  @discardableResult
  open func requestImage(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?,
    resultHandler: @escaping (UIImage?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let delivery = PictureDelivery(asset, PictureSizing(targetSize, contentMode, options), options, cache)
    let handler = QueueHandler<(UIImage?, [AnyHashable: Any])> { resultHandler($0.0, $0.1) }
    return run(options?.isSynchronous ?? false, handler) { id, deliver in
      do throws(PHPhotosError) {
        try delivery.run(Self.control(id)) { image, stage in
          deliver(
            (UIImage(cgImage: image), Self.information(id, isDegraded: stage == .degraded)), stage == .final)
        }
        return nil
      } catch {
        return error
      }
    }
  }

  /// Gets the bytes of an asset's picture file, their type, and how the picture must be turned.
  ///
  /// A photo that is not finished is finished first.
  @discardableResult
  open func requestImageDataAndOrientation(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: @escaping (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let handler = QueueHandler<((Data, String, Int)?, [AnyHashable: Any])> { found, information in
      let orientation = found.flatMap { CGImagePropertyOrientation(rawValue: UInt32($0.2)) } ?? .up
      resultHandler(found?.0, found?.1, orientation, information)
    }
    return requestFile(asset, options, handler)
  }

  /// Gets the bytes of an asset's picture file, their type, and how the picture must be turned; the older form.
  @discardableResult
  open func requestImageData(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: @escaping (Data?, String?, UIImage.Orientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let handler = QueueHandler<((Data, String, Int)?, [AnyHashable: Any])> { found, information in
      // The cases stand in another order than EXIF's numbers.
      let orientations: [UIImage.Orientation] = [
        .up, .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left,
      ]
      let number = found?.2 ?? 1
      let orientation = orientations.indices.contains(number - 1) ? orientations[number - 1] : .up
      resultHandler(found?.0, found?.1, orientation, information)
    }
    return requestFile(asset, options, handler)
  }

  private func requestFile(
    _ asset: PHAsset, _ options: PHImageRequestOptions?,
    _ handler: QueueHandler<((Data, String, Int)?, [AnyHashable: Any])>
  ) -> PHImageRequestID {
    let version = options?.version ?? .current
    return run(options?.isSynchronous ?? false, handler) { id, deliver in
      do throws(PHPhotosError) {
        let file = try Self.file(of: asset, version)
        _ = deliver((file, Self.information(id, isDegraded: false)), true)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Reads the whole file of a picture.
  package static func file(of asset: PHAsset, _ version: PHImageRequestOptionsVersion) throws(PHPhotosError)
    -> (
      Data, String, Int
    )
  {
    var files = try AssetFiles(asset)
    if files.picture(version)?.type == .photoProxy,
      let finisher = DeferredFinishing.finisher
    {
      _ = try ProxyJournal(files.store, finisher).finish(asset.key)
      files = try AssetFiles(asset)
    }
    let row = files.picture(version)
    let path = try files.path(row)
    let data: Data
    do throws(FileReadError) {
      data = try InputFile.contents(of: path, atMost: InputFile.pictureBound)
    } catch {
      throw PHPhotosError(error, reading: path)
    }
    let orientation =
      CGImageSourceCreateWithData(data, nil)
      .flatMap { CGImageSourceCopyPropertiesAtIndex($0, 0, nil) }
      .flatMap { LooseNumber.integer($0[kCGImagePropertyOrientation]) } ?? 1
    return (data, row?.typeIdentifier ?? "", orientation)
  }

  /// Ends a request; its handler is called once more, with `PHImageCancelledKey`, unless it has had its final result.
  open func cancelImageRequest(_ requestID: PHImageRequestID) {
    Self.requests.end(requestID)
  }

  // MARK: Running

  /// What the pictures of a request depend on.
  static func control(_ id: PHImageRequestID) -> PictureDelivery.Control {
    PictureDelivery.Control(isWanted: { requests.isActive(id) }, stop: { requests.end(id) })
  }

  static func information(_ id: PHImageRequestID, isDegraded: Bool?) -> [AnyHashable: Any] {
    var information: [AnyHashable: Any] = [PHImageResultRequestIDKey: id, PHImageResultIsInCloudKey: false]
    if let isDegraded { information[PHImageResultIsDegradedKey] = isDegraded }
    return information
  }

  static func cancelled(_ id: PHImageRequestID) -> [AnyHashable: Any] {
    [PHImageResultRequestIDKey: id, PHImageCancelledKey: true]
  }

  static func failed(_ id: PHImageRequestID, _ error: PHPhotosError) -> [AnyHashable: Any] {
    [PHImageResultRequestIDKey: id, PHImageErrorKey: error]
  }

  /// Runs `body` here or elsewhere and hands what it delivers to the client, as long as that wants it.
  ///
  /// - Parameter body: Gets the request's number and a function that takes a result and whether it is the last, and returns
  ///   whether to go on; returns why there is no last one.
  func run<Content>(
    _ isSynchronous: Bool, _ handler: QueueHandler<(Content?, [AnyHashable: Any])>,
    _ body:
      @escaping @Sendable (PHImageRequestID, (((Content, [AnyHashable: Any]), Bool) -> Bool)) ->
      PHPhotosError?
  ) -> PHImageRequestID {
    let requests = Self.requests
    let id = requests.begin()
    if isSynchronous {
      var isDone = false
      let error = body(id) { result, isLast in
        isDone = isLast
        handler.call((result.0, result.1))
        return !isLast
      }
      if !requests.end(id) {
        guard !isDone else { return id }
        handler.call((nil, Self.cancelled(id)))
      } else if let error {
        handler.call((nil, Self.failed(id, error)))
      }
      return id
    }
    Self.work.addOperation(
      InFlight.carried {
        var isDone = false
        // One that was cancelled while it waited decodes nothing.
        let error =
          !requests.isActive(id)
          ? nil
          : body(id) { result, isLast in
            guard requests.isActive(id) else { return false }
            isDone = isLast
            let result = QueueHandler<Void> { handler.call((result.0, result.1)) }
            DispatchQueue.main.async {
              // Cancelled in the meantime: what comes then is said last.
              if isLast ? requests.end(id) : requests.isActive(id) {
                result.call(())
              } else if isLast {
                handler.call((nil, Self.cancelled(id)))
              }
            }
            return true
          }
        guard !isDone else { return }
        DispatchQueue.main.async {
          if requests.end(id) {
            // A request for a fast picture ends with that.
            if let error { handler.call((nil, Self.failed(id, error))) }
          } else {
            handler.call((nil, Self.cancelled(id)))
          }
        }
      })
    return id
  }
}
