internal import CaptureDevice
public import CoreMedia

extension AVCaptureDevice {
  /// Stops by which auto exposure makes it brighter than it would.
  ///
  /// Affects what is exposed in every mode but `custom`, where it only shifts ``exposureTargetOffset``. 0 until it is set with
  /// ``setExposureTargetBias(_:completionHandler:)``. Observable.
  ///
  /// Apple: `AVCaptureDevice.exposureTargetBias`.
  public var exposureTargetBias: Float {
    observerTable.access(\AVCaptureDevice.exposureTargetBias)
    return controls.exposureBias
  }

  /// The least bias, in stops; 0 where the device has none.
  ///
  /// Apple: `AVCaptureDevice.minExposureTargetBias`.
  public var minExposureTargetBias: Float { capabilities.exposureBias?.lowerBound ?? 0 }

  /// The greatest bias, in stops; 0 where the device has none.
  ///
  /// Apple: `AVCaptureDevice.maxExposureTargetBias`.
  public var maxExposureTargetBias: Float { capabilities.exposureBias?.upperBound ?? 0 }

  /// Stops by which the latest frame is brighter than it should be; 0 where the device does not report it.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.exposureTargetOffset`.
  public var exposureTargetOffset: Float {
    observerTable.access(\AVCaptureDevice.exposureTargetOffset)
    return controls.exposureOffset
  }

  /// Instead of a bias: the one that the device has.
  ///
  /// Apple: `AVCaptureDevice.currentExposureTargetBias`.
  public class var currentExposureTargetBias: Float { .greatestFiniteMagnitude }

  /// Makes it brighter or darker than auto exposure would.
  ///
  /// A bias outside of the range, and a call without the lock, are programming mistakes without effect, for which the handler
  /// gets `CMTime.invalid`.
  ///
  /// - Parameters:
  ///   - bias: Stops within ``minExposureTargetBias`` and ``maxExposureTargetBias``, or ``currentExposureTargetBias``.
  ///   - handler: Called once, with the timestamp of the first frame exposed so; the rules of
  ///     ``setFocusModeLocked(lensPosition:completionHandler:)`` hold.
  ///
  /// Apple: `AVCaptureDevice.setExposureTargetBias(_:completionHandler:)`.
  public func setExposureTargetBias(_ bias: Float, completionHandler handler: ((CMTime) -> Void)? = nil) {
    guard mayChange("setExposureTargetBias(_:)", handler) else { return }
    let wanted = bias == Self.currentExposureTargetBias ? controls.exposureBias : bias
    guard capabilities.exposureBias?.contains(wanted) == true else {
      return refuse(
        "setExposureTargetBias(_:) cannot set \(bias) on \(localizedName); stay between minExposureTargetBias "
          + "\(minExposureTargetBias) and maxExposureTargetBias \(maxExposureTargetBias).", handler)
    }
    change("the exposure bias \(wanted)", .exposureBias(wanted), completion: handler)
  }

  /// Makes it brighter or darker than auto exposure would, and returns the timestamp of the first frame exposed so.
  ///
  /// As ``setExposureTargetBias(_:completionHandler:)``.
  @discardableResult
  public nonisolated(nonsending) func setExposureTargetBias(_ bias: Float) async -> CMTime {
    await completed { setExposureTargetBias(bias, completionHandler: $0) }
  }
}
