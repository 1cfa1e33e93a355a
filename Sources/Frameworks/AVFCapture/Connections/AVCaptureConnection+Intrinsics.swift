internal import CaptureDevice
internal import FoundationExtras

extension AVCaptureConnection {
  /// Whether frames can carry the camera's intrinsic matrix: those of a camera whose lens is known, on their way to a video
  /// data output, while ``preferredVideoStabilizationMode`` is `off`.
  ///
  /// Apple: `AVCaptureConnection.isCameraIntrinsicMatrixDeliverySupported`.
  public var isCameraIntrinsicMatrixDeliverySupported: Bool {
    guard sink?.requirements.role.kind == .videoData, settings.stabilization == .off else { return false }
    return inputPorts.first?.cameraFacts?.lens != nil
  }

  /// Whether every sample buffer carries `kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix`; `false` at first.
  ///
  /// The attachment is a `matrix_float3x3` as `Data`, made for the very pixels of its buffer: the format, zoom and the lens of
  /// a virtual camera count in it, as do the connection's turn and mirroring and the output's own size, which change focal
  /// lengths and the principal point as they move pixels. Focal lengths stay positive in mirrored pictures, which show the
  /// mirrored scene. Pixels count from the upper left corner of the frame, so the middle of the first pixel lies at a half. A
  /// lens that bends straight lines, see `AVCaptureDevice.isGeometricDistortionCorrectionEnabled`, has the focal length of
  /// the picture's middle.
  ///
  /// Frames that a device steadies because another connection prefers that carry none, nor do those of Center Stage. Setting it to `true` where
  /// ``isCameraIntrinsicMatrixDeliverySupported`` is `false` is a programming mistake without effect. Observable.
  ///
  /// - Note: Unlike AVFoundation, it may also be set while the session runs; frames carry it from the commit on.
  ///
  /// Apple: `AVCaptureConnection.isCameraIntrinsicMatrixDeliveryEnabled`.
  public var isCameraIntrinsicMatrixDeliveryEnabled: Bool {
    get {
      observerTable.access(\AVCaptureConnection.isCameraIntrinsicMatrixDeliveryEnabled)
      return settings.deliversIntrinsics
    }
    set {
      guard !newValue || isCameraIntrinsicMatrixDeliverySupported else {
        return ProgrammingMistake.report(
          rule: "isCameraIntrinsicMatrixDeliveryEnabled cannot be set on this connection; "
            + "ask isCameraIntrinsicMatrixDeliverySupported first.")
      }
      change(\AVCaptureConnection.isCameraIntrinsicMatrixDeliveryEnabled, to: newValue) {
        $0.deliversIntrinsics = newValue
      }
    }
  }

  /// Ends the delivery, because the connection shall stabilize frames.
  func endIntrinsics() {
    if settings.deliversIntrinsics { isCameraIntrinsicMatrixDeliveryEnabled = false }
  }
}
