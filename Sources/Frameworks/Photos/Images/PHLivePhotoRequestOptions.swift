internal import Foundation

/// The options of a request for a photo with its short video.
///
/// Apple: `PHLivePhotoRequestOptions`.
open class PHLivePhotoRequestOptions: NSObject, NSCopying {
  /// Which version.
  open var version = PHImageRequestOptionsVersion.current
  /// The delivery mode: whether speed or quality matters more.
  open var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// Whether missing files may be loaded; all are on this machine.
  open var isNetworkAccessAllowed = false
  /// Called while a photo is finished.
  open var progressHandler: PHAssetImageProgressHandler?

  /// Options for several results, each better than the last.
  public override init() {}

  /// Options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHLivePhotoRequestOptions()
    copy.version = version
    copy.deliveryMode = deliveryMode
    copy.isNetworkAccessAllowed = isNetworkAccessAllowed
    copy.progressHandler = progressHandler
    return copy
  }

  /// The options of its picture.
  var ofPicture: PHImageRequestOptions {
    let options = PHImageRequestOptions()
    options.version = version
    options.deliveryMode = deliveryMode
    options.progressHandler = progressHandler
    return options
  }
}
