internal import Dispatch
public import Foundation
internal import FoundationExtras

/// A control that zooms a camera within what it has available.
///
/// The control itself locks the device to change it; where another program holds the lock, nothing changes. It follows
/// changes that others make.
///
/// Source:
/// [AVCaptureSystemZoomSlider](https://developer.apple.com/documentation/avfoundation/avcapturesystemzoomslider).
open class AVCaptureSystemZoomSlider: AVCaptureControl, @unchecked Sendable {  // Safe: constants.
  private let device: AVCaptureDevice
  private let action: (@MainActor (CGFloat) -> Void)?
  private let follower = DeviceFollower()

  /// A slider for the zoom factor of `device`.
  ///
  /// Apple: `AVCaptureSystemZoomSlider.init(device:)`.
  public convenience init(device: AVCaptureDevice) {
    self.init(device, nil)
  }

  /// A slider for the zoom factor of `device`; `action` gets the new factor whenever people have moved it.
  ///
  /// Apple: `AVCaptureSystemZoomSlider.init(device:action:)`.
  public convenience init(device: AVCaptureDevice, action: @escaping @MainActor (CGFloat) -> Void) {
    self.init(device, action)
  }

  private init(_ device: AVCaptureDevice, _ action: (@MainActor (CGFloat) -> Void)?) {
    self.device = device
    self.action = action
    super.init()
    follower.follow(device, \.videoZoomFactor, for: self)
  }

  override func makeFace() -> CaptureControlFace {
    let factor = Float(device.videoZoomFactor)
    let shown = Float(device.displayVideoZoomFactorMultiplier) * factor
    return CaptureControlFace(
      title: "Zoom", symbolName: "plus.magnifyingglass",
      kind: .slider(range: range, values: nil, value: factor),
      valueText: SliderText.text(shown, format: "%@×"),
      prominentValues: [range.lowerBound]
        + device.virtualDeviceSwitchOverVideoZoomFactors.map { Float($0.doubleValue) })
  }

  private var range: ClosedRange<Float> {
    let least = Float(device.minAvailableVideoZoomFactor)
    return least...max(least, Float(device.maxAvailableVideoZoomFactor))
  }

  override func userMoved(to value: Float) {
    // In the device's own precision: a factor rounded up would be out of its range.
    let factor = min(
      max(CGFloat(value), device.minAvailableVideoZoomFactor), device.maxAvailableVideoZoomFactor)
    guard factor != device.videoZoomFactor, device.configureForControl({ $0.videoZoomFactor = factor }) else {
      return
    }
    guard let action else { return }
    Task { @MainActor in action(factor) }
  }
}

/// A control that makes pictures brighter or darker than auto exposure would.
///
/// The control itself locks the device to change it; where another program holds the lock, nothing changes. It follows
/// changes that others make.
///
/// Source:
/// [AVCaptureSystemExposureBiasSlider](https://developer.apple.com/documentation/avfoundation/avcapturesystemexposurebiasslider).
open class AVCaptureSystemExposureBiasSlider: AVCaptureControl, @unchecked Sendable {
  // Safe because of constants alone.

  private let device: AVCaptureDevice
  private let action: (@MainActor (Float) -> Void)?
  private let follower = DeviceFollower()

  /// A slider for the exposure bias of `device`, in stops.
  ///
  /// Apple: `AVCaptureSystemExposureBiasSlider.init(device:)`.
  public convenience init(device: AVCaptureDevice) {
    self.init(device, nil)
  }

  /// A slider for the exposure bias of `device`; `action` gets the new bias whenever people have moved it.
  ///
  /// Apple: `AVCaptureSystemExposureBiasSlider.init(device:action:)`.
  public convenience init(device: AVCaptureDevice, action: @escaping @MainActor (Float) -> Void) {
    self.init(device, action)
  }

  private init(_ device: AVCaptureDevice, _ action: (@MainActor (Float) -> Void)?) {
    self.device = device
    self.action = action
    super.init()
    follower.follow(device, \.exposureTargetBias, for: self)
  }

  override func makeFace() -> CaptureControlFace {
    let bias = device.exposureTargetBias
    return CaptureControlFace(
      title: "Exposure", symbolName: "plusminus",
      kind: .slider(range: range, values: nil, value: bias),
      valueText: (bias > 0 ? "+" : "") + SliderText.text(bias, format: nil), prominentValues: [0])
  }

  private var range: ClosedRange<Float> {
    device.minExposureTargetBias...max(device.minExposureTargetBias, device.maxExposureTargetBias)
  }

  override func userMoved(to value: Float) {
    let range = range
    guard range.lowerBound < range.upperBound else { return }
    let bias = min(max(value, range.lowerBound), range.upperBound)
    guard bias != device.exposureTargetBias,
      device.configureForControl({ $0.setExposureTargetBias(bias) })
    else { return }
    guard let action else { return }
    Task { @MainActor in action(bias) }
  }
}
