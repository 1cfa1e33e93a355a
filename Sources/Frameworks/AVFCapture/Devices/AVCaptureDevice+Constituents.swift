public import Foundation

extension AVCaptureDevice {
  /// From which zoom factor on a camera of two lenses uses the narrower; 1 for other devices.
  ///
  /// Apple: `AVCaptureDevice.dualCameraSwitchOverVideoZoomFactor`; deprecated there.
  public var dualCameraSwitchOverVideoZoomFactor: CGFloat {
    deviceType == .builtInDualCamera
      ? CGFloat(virtualDeviceSwitchOverVideoZoomFactors.first?.doubleValue ?? 1) : 1
  }

  /// Where one camera sees from, against another: a `matrix_float4x3`, the rotation's three columns and the place in millimetres.
  ///
  /// Known of the cameras under one simulated virtual camera, which see from one place: the rotation is none, and the place 0.
  ///
  /// - Returns: `nil` for cameras whose places are not known, and for two that are not cameras of one machine.
  ///
  /// Apple: `AVCaptureDevice.extrinsicMatrix(from:to:)`.
  public class func extrinsicMatrix(from fromDevice: AVCaptureDevice, to toDevice: AVCaptureDevice) -> Data? {
    guard fromDevice !== toDevice else { return nil }
    let known = DeviceRegistry.shared.connected().contains { virtual in
      let parts = virtual.facts.constituents
      return virtual.facts.sharesViewpoint && parts.contains(fromDevice.uniqueID)
        && parts.contains(toDevice.uniqueID)
    }
    guard known else { return nil }
    // Each column of three floats is as long as one of four.
    let columns: [SIMD4<Float>] = [
      SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 0),
    ]
    return columns.withUnsafeBytes { Data($0) }
  }
}
