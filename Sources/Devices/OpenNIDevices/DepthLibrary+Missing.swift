internal import CaptureDevice

extension DepthLibrary {
  /// That the library cannot be used, in a sentence; `nil` when it can.
  var missing: CaptureDeviceError? {
    obstacle.map { reason in
      CaptureDeviceError(
        .ioFailure,
        "OpenNI's depth cameras and recordings cannot be used, because its library cannot (\(reason)); install the package libopenni2-0."
      )
    }
  }
}
