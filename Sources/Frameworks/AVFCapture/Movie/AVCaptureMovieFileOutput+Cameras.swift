internal import AVFCore
internal import CaptureDevice
internal import FoundationExtras
internal import Linux

/// How recordings choose among the cameras of a virtual one.
struct RecordingCameraChoice: Equatable {
  var behavior = AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior.restricted
  var conditions: AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions = [
    .videoZoomChanged, .focusModeChanged, .exposureModeChanged,
  ]
}

extension AVCaptureMovieFileOutput {
  /// Whether recordings choose among the cameras of a virtual one as is set here, and not as the device does.
  ///
  /// `true` at first with a device that switches, `false` with others. What is set here holds from a recording's begin to its end.
  ///
  /// Apple: `AVCaptureMovieFileOutput.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled`.
  public var isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled: Bool {
    get { wishes.withLock { $0.choosesCameras } ?? switches }
    set { wishes.withLock { $0.choosesCameras = newValue } }
  }

  /// How recordings choose among the cameras of a virtual one: `restricted` at first.
  ///
  /// Apple: `AVCaptureMovieFileOutput.primaryConstituentDeviceSwitchingBehaviorForRecording`.
  public var primaryConstituentDeviceSwitchingBehaviorForRecording:
    AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior
  { wishes.withLock { $0.cameraChoice.behavior } }

  /// When a restricted recording may go to another camera: when zoom, focus mode or exposure mode are set, at first.
  ///
  /// Apple: `AVCaptureMovieFileOutput.primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording`.
  public var primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording:
    AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  { wishes.withLock { $0.cameraChoice.conditions } }

  /// Sets how recordings choose among the cameras of a virtual one, from the next one on.
  ///
  /// `unsupported`, conditions for another behaviour than `restricted`, and a device that does not switch are programming mistakes without
  /// effect.
  ///
  /// Apple: `AVCaptureMovieFileOutput.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(_:restrictedSwitchingBehaviorConditions:)`.
  public func setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
    _ switchingBehavior: AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior,
    restrictedSwitchingBehaviorConditions: AVCaptureDevice
      .PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  ) {
    let method =
      "setPrimaryConstituentDeviceSwitchingBehaviorForRecording(_:restrictedSwitchingBehaviorConditions:)"
    guard switches else {
      return ProgrammingMistake.report(
        rule: "\(method) needs a virtual camera that switches; connect one first.")
    }
    guard switchingBehavior != .unsupported,
      restrictedSwitchingBehaviorConditions.isEmpty || switchingBehavior == .restricted
    else {
      return ProgrammingMistake.report(
        rule: "\(method) takes auto, restricted or locked, and conditions with the behavior restricted only.")
    }
    let choice = RecordingCameraChoice(
      behavior: switchingBehavior, conditions: restrictedSwitchingBehaviorConditions)
    wishes.withLock { $0.cameraChoice = choice }
  }

  private var recordedCamera: AVCaptureDevice? { connection(with: .video)?.inputPorts.first?.device }

  private var switches: Bool {
    guard let camera = recordedCamera else { return false }
    return camera.primaryConstituentDeviceSwitchingBehavior != .unsupported
  }

  /// Has the output's choice hold for a recording that begins; the device whose it holds instead of.
  func chooseCameras() -> AVCaptureDevice? {
    guard isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled, let camera = recordedCamera else {
      return nil
    }
    let wish = wishes.withLock { $0.cameraChoice }
    guard let choice = ConstituentChoice(wish.behavior, wish.conditions), camera.beginSwitching(choice) else {
      return nil
    }
    return camera
  }
}
