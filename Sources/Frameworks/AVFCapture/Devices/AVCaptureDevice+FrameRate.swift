internal import FoundationExtras

// A phone lowers the rate in little light by itself. Here the exposure stays within the frame duration that a client chooses.
extension AVCaptureDevice.Format {
  /// Whether the camera can lower its frame rate in little light by itself: no, a client chooses it.
  ///
  /// Apple: `AVCaptureDevice.Format.isAutoVideoFrameRateSupported`.
  public var isAutoVideoFrameRateSupported: Bool { false }
}

extension AVCaptureDevice {
  /// Whether the camera lowers its frame rate in little light by itself.
  ///
  /// `true` is a programming mistake without effect while the active format's `isAutoVideoFrameRateSupported` is `false`.
  ///
  /// Apple: `AVCaptureDevice.isAutoVideoFrameRateEnabled`.
  public var isAutoVideoFrameRateEnabled: Bool {
    get { false }
    set {
      guard newValue else { return }
      ProgrammingMistake.report(
        rule:
          "isAutoVideoFrameRateEnabled cannot be true here; ask the active format's isAutoVideoFrameRateSupported first."
      )
    }
  }
}
