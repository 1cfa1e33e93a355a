internal import CaptureDevice
public import CoreMedia
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// In which way depth is measured while a session has an `AVCaptureDepthDataOutput` for the device; `nil` where the active
  /// format measures none.
  ///
  /// Settable to one of the active format's `supportedDepthDataFormats`; `nil` chooses the device's own choice again, as a new
  /// active format does. Where a session's preset moves the device to another format, the pixel format that was set stays,
  /// in the size nearest to what was set. A format that the active one lacks, and setting without the lock, are programming
  /// mistakes without effect. Observable.
  ///
  /// The device's own choice is the last of the list: half floats of the largest size. Apple's documentation is silent about it.
  ///
  /// Apple: `AVCaptureDevice.activeDepthDataFormat`.
  public var activeDepthDataFormat: Format? {
    get {
      observerTable.access(\AVCaptureDevice.activeDepthDataFormat)
      return presentDepthFormat
    }
    set {
      guard mayChange("activeDepthDataFormat") else { return }
      let depth = newValue?.depthFormat
      if newValue != nil {
        guard let depth, activeFormat.supportedDepthDataFormats.contains(where: { $0.depthFormat == depth })
        else {
          return ProgrammingMistake.report(
            rule: "activeDepthDataFormat cannot be a format that the active format lacks; "
              + "see its supportedDepthDataFormats.")
        }
      }
      let duration = presentDepthDuration
      observerTable.changing(\AVCaptureDevice.activeDepthDataFormat, of: self) {
        state.withLock { state in
          guard state.settings.depthFormat != depth else { return }
          state.settings.depthFormat = depth
          state.settings.minimumDepthDuration = nil
          state.settings.measuresNoDepth = false
        }
      }
      let now = presentDepthDuration
      if duration != now {
        observerTable.changed(
          \AVCaptureDevice.activeDepthDataMinFrameDuration, of: self, from: duration, to: now)
      }
      for user in users { user.somethingChanged() }
    }
  }

  /// The shortest time from one depth map to the next; invalid where the active format measures none.
  ///
  /// Maps come no faster than frames where one sensor makes both. `CMTime.invalid` resets it to the frames' own, as a new
  /// ``activeDepthDataFormat`` does, and `CMTime.positiveInfinity` is a rate of 0: no maps are measured until it is reset. A value outside
  /// that format's ranges, and setting without the lock, are programming mistakes without effect. Changing it while maps come
  /// restarts the device's stream. Observable.
  ///
  /// Apple: `AVCaptureDevice.activeDepthDataMinFrameDuration`.
  public var activeDepthDataMinFrameDuration: CMTime {
    get {
      observerTable.access(\AVCaptureDevice.activeDepthDataMinFrameDuration)
      return presentDepthDuration
    }
    set {
      guard mayChange("activeDepthDataMinFrameDuration") else { return }
      var duration: FrameDuration?
      let isNever = newValue.isPositiveInfinity && presentDepthFormat != nil
      if newValue.isValid, !isNever {
        duration = presentDepthFormat?.depthFormat?.frameDurations.duration(nearest: newValue)
        guard duration != nil else {
          return ProgrammingMistake.report(
            rule:
              "activeDepthDataMinFrameDuration cannot be \(newValue.seconds) s, which the active depth data "
              + "format lacks; see its videoSupportedFrameRateRanges.")
        }
      }
      observerTable.changing(\AVCaptureDevice.activeDepthDataMinFrameDuration, of: self) {
        state.withLock { state in
          state.settings.minimumDepthDuration = duration
          state.settings.measuresNoDepth = isNever
        }
      }
      for user in users { user.somethingChanged() }
    }
  }

  /// ``activeDepthDataFormat``, without noting a read for observers.
  private var presentDepthFormat: Format? {
    state.withLock { state in
      guard let format = state.settings.format(of: state.facts),
        let depth = format.depthFormat(like: state.settings.depthFormat)
      else { return nil }
      return state.formats[state.settings.format].supportedDepthDataFormats.first { $0.depthFormat == depth }
    }
  }

  private var presentDepthDuration: CMTime {
    state.withLock { state in
      guard let format = state.settings.format(of: state.facts) else { return .invalid }
      if state.settings.measuresNoDepth { return .positiveInfinity }
      let video = GraphPlanner.frameDuration(
        of: format, minimum: state.settings.minimumFrameDuration,
        maximum: state.settings.maximumFrameDuration)
      return GraphPlanner.depth(of: format, state.settings, beside: video).map { CMTime($0.frameDuration) }
        ?? .invalid
    }
  }

  /// The depth properties that depend on the active format, to be reported when that has changed.
  struct DepthChange: Sendable {
    private let format: Format?
    private let duration: CMTime

    /// Notes the values before a change.
    init(_ device: AVCaptureDevice) {
      format = device.presentDepthFormat
      duration = device.presentDepthDuration
    }

    /// Notifies observers of the values that differ after it.
    func notify(_ device: AVCaptureDevice) {
      let now = DepthChange(device)
      if format !== now.format {
        device.observerTable.changed(
          \AVCaptureDevice.activeDepthDataFormat, of: device, from: format, to: now.format)
      }
      if duration != now.duration {
        device.observerTable.changed(
          \AVCaptureDevice.activeDepthDataMinFrameDuration, of: device, from: duration, to: now.duration)
      }
    }
  }
}
