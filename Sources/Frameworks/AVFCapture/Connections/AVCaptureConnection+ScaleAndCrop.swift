public import Foundation
internal import FoundationExtras

extension AVCaptureConnection {
  /// How far ``videoScaleAndCropFactor`` goes: 16 on the way to a photo output, 1 elsewhere.
  ///
  /// Apple names no figure; ours is how far the zoom of a phone's camera goes.
  ///
  /// Apple: `AVCaptureConnection.videoMaxScaleAndCropFactor`.
  public var videoMaxScaleAndCropFactor: CGFloat {
    sink?.requirements.takesPhotos == true ? 16 : 1
  }

  /// How many times photos are enlarged about their middle, at their size; 1 at first.
  ///
  /// The older way to zoom, in photos only: previews and data show the camera's whole picture, and its `videoZoomFactor`
  /// counts beside this one. A photo heeds what is set when it is pressed, and its file says so as a digital zoom. A factor
  /// that is not between 1 and ``videoMaxScaleAndCropFactor`` is a programming mistake without effect.
  ///
  /// Apple: `AVCaptureConnection.videoScaleAndCropFactor`.
  public var videoScaleAndCropFactor: CGFloat {
    get {
      observerTable.access(\AVCaptureConnection.videoScaleAndCropFactor)
      return CGFloat(settings.enlargement)
    }
    set {
      guard newValue >= 1, newValue <= videoMaxScaleAndCropFactor else {
        return ProgrammingMistake.report(
          rule: "videoScaleAndCropFactor cannot be \(newValue) on this connection; "
            + "stay between 1 and its videoMaxScaleAndCropFactor, \(videoMaxScaleAndCropFactor).")
      }
      change(\AVCaptureConnection.videoScaleAndCropFactor, to: newValue) { $0.enlargement = Double(newValue) }
    }
  }
}
