internal import AVFCore
internal import Foundation
internal import FoundationExtras

/// A number that names a request, to cancel it.
///
/// Apple: `PHImageRequestID`.
public typealias PHImageRequestID = Int32
/// The number of no request.
public let PHInvalidImageRequestID: PHImageRequestID = 0
/// The size of the original, in a request for a picture.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// Whether a better picture follows: a Boolean in the handler's dictionary.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
/// The request's number in the handler's dictionary.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
/// Whether the content lies elsewhere: always false here.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"
/// Whether the request was cancelled: a Boolean in the handler's dictionary.
public let PHImageCancelledKey = "PHImageCancelledKey"
/// Why there is no picture: an error in the handler's dictionary.
public let PHImageErrorKey = "PHImageErrorKey"

/// Called while something is made ready: how much of it is, why it failed, a flag that ends it, and the handler's dictionary.
///
/// Apple: `PHAssetImageProgressHandler`.
public typealias PHAssetImageProgressHandler =
  @Sendable (Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?) -> Void
/// As ``PHAssetImageProgressHandler``, for videos.
///
/// Apple: `PHAssetVideoProgressHandler`.
public typealias PHAssetVideoProgressHandler = PHAssetImageProgressHandler

/// The options of a request for a picture.
///
/// Apple: `PHImageRequestOptions`.
open class PHImageRequestOptions: NSObject, NSCopying {
  /// Which version.
  open var version = PHImageRequestOptionsVersion.current
  /// The delivery mode: whether speed or quality matters more.
  open var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// How exactly the size is kept.
  open var resizeMode = PHImageRequestOptionsResizeMode.fast
  /// The part that is wanted, from 0 to 1 from the top left; the whole when empty.
  ///
  /// Needs the resize mode `exact`.
  open var normalizedCropRect = CGRect.zero
  /// Whether missing files may be loaded; all are on this machine.
  open var isNetworkAccessAllowed = false
  /// Whether the request blocks until the handler was called, once, on the calling thread, with the best picture.
  open var isSynchronous = false
  /// Whether a second picture may come before the final one, where that takes long: of a photo that must be finished first.
  open var allowSecondaryDegradedImage = false
  /// Called while a photo is finished.
  open var progressHandler: PHAssetImageProgressHandler?

  /// Options for several pictures, each better than the last.
  public override init() {}

  /// Options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHImageRequestOptions()
    copy.version = version
    copy.deliveryMode = deliveryMode
    copy.resizeMode = resizeMode
    copy.normalizedCropRect = normalizedCropRect
    copy.isNetworkAccessAllowed = isNetworkAccessAllowed
    copy.isSynchronous = isSynchronous
    copy.allowSecondaryDegradedImage = allowSecondaryDegradedImage
    copy.progressHandler = progressHandler
    return copy
  }
}

/// The options of a request for a video.
///
/// Apple: `PHVideoRequestOptions`.
open class PHVideoRequestOptions: NSObject, NSCopying {
  /// Whether missing files may be loaded; all are on this machine.
  open var isNetworkAccessAllowed = false
  /// Which version.
  open var version = PHVideoRequestOptionsVersion.current
  /// How good it has to be; the library has one video of each version.
  open var deliveryMode = PHVideoRequestOptionsDeliveryMode.automatic
  /// Called when the video is ready.
  open var progressHandler: PHAssetVideoProgressHandler?

  /// Options for the current version.
  public override init() {}

  /// Options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHVideoRequestOptions()
    copy.isNetworkAccessAllowed = isNetworkAccessAllowed
    copy.version = version
    copy.deliveryMode = deliveryMode
    copy.progressHandler = progressHandler
    return copy
  }
}
