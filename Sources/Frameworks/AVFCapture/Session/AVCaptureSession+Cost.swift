internal import AVFCore
internal import CaptureDevice

extension AVCaptureSession {
  /// The share of the cameras' hardware that the configuration takes; above 1 it cannot run.
  ///
  /// 0 without cameras that deliver to a client. It grows with the size of the active formats and with the most frames a
  /// second that they may have to deliver, unless `AVCaptureDeviceInput.videoMinFrameDurationOverride` says that fewer will
  /// do, and is smaller for binned formats. The whole is 500 million pixels a second; one camera alone never takes more
  /// than all of it.
  ///
  /// An ``AVCaptureMultiCamSession`` always computes it; another session only while it has several video data outputs, and is
  /// 0 otherwise.
  ///
  /// Apple: `AVCaptureSession.hardwareCost`.
  public var hardwareCost: Float {
    let (structure, plan) = present
    let videoOutputs = structure.outputs.count { $0.requirements.role.kind == .videoData }
    guard let plan, takesSeveralCameras || videoOutputs > 1 else { return 0 }
    return SessionCost.hardware(plan, shortest: structure.shortestFrameDurations)
  }
}

extension SessionStructure {
  /// The overrides of the inputs, by device.
  var shortestFrameDurations: [String: FrameDuration] {
    var shortest: [String: FrameDuration] = [:]
    for case let input as AVCaptureDeviceInput in inputs {
      shortest[input.device.uniqueID] = input.shortestFrameDuration
    }
    return shortest
  }

  /// Why the plan cannot run beside its own parts, or `nil` when it can.
  func overload(of plan: CapturePlan) -> AVError? {
    let cameras = plan.streams.filter { !$0.value.isAudio }
    if cameras.count > 1,
      let misfit = cameras.sorted(by: { $0.key < $1.key }).first(where: { !$0.value.format.supportsMultiCam }
      ),
      let device = devices.first(where: { $0.uniqueID == misfit.key })
    {
      return AVError(
        .unsupportedDeviceActiveFormat,
        because:
          "\(device.localizedName) cannot stream \(misfit.value.format.size) beside another camera; choose a format "
          + "with isMultiCamSupported.", device: device)
    }
    let cost = SessionCost.hardware(plan, shortest: shortestFrameDurations)
    guard cost > 1 else { return nil }
    return AVError(
      .sessionHardwareCostOverage,
      because:
        "The cameras cannot run together because their hardware cost is \(cost) and may be 1 at most; choose smaller "
        + "formats, set videoMinFrameDurationOverride, or use fewer cameras.")
  }

  /// Why a camera cannot come beside those that are there, or `nil` when it can.
  func multiCamRefusal(of device: AVCaptureDevice) -> String? {
    guard device.hasMediaType(.video) else { return nil }
    guard device.activeFormat.isMultiCamSupported else {
      return
        "\(device.localizedName) cannot stream its active format beside another camera; "
        + "choose one with isMultiCamSupported first."
    }
    let other = devices.first {
      $0.hasMediaType(.video) && !MultiCamDevices.canStreamTogether($0.facts, device.facts)
    }
    return other.map {
      "\(device.localizedName) and \($0.localizedName) use the same camera; see supportedMultiCamDeviceSets."
    }
  }
}
