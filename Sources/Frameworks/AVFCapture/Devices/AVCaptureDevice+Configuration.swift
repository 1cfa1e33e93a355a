internal import AVFCore
internal import CaptureDevice
public import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  // MARK: The lock

  /// Takes the device's settings for this process.
  ///
  /// Every setter of the device works only while the process holds the lock, from any thread; without it a setter is a
  /// programming mistake without effect. May be nested, also by several threads; each call needs its
  /// ``unlockForConfiguration()``. Never waits.
  ///
  /// - Throws: ``AVError`` with `deviceNotConnected` when the device is unplugged.
  /// - Note: Unlike AVFoundation, it does not keep other processes from the device's settings: Linux has no such lock.
  ///
  /// Apple: `AVCaptureDevice.lockForConfiguration()`.
  public func lockForConfiguration() throws {
    guard isConnected else {
      throw AVError(
        .deviceNotConnected,
        because: "\(localizedName) cannot be configured because it is not connected; plug it in.",
        device: self)
    }
    configuration.take()
  }

  /// Gives the device's settings free; without a lock it is a programming mistake without effect.
  ///
  /// Apple: `AVCaptureDevice.unlockForConfiguration()`.
  public func unlockForConfiguration() {
    guard configuration.giveBack() else {
      return ProgrammingMistake.report(
        rule: "unlockForConfiguration() was called without a lockForConfiguration() before it; pair them.")
    }
  }

  /// Reports the setter of `property` when this process does not hold the lock; whether it does.
  func mayChange(_ property: String) -> Bool {
    if configuration.isHeld { return true }
    ProgrammingMistake.report(rule: "\(property) was set without a lock; call lockForConfiguration() before.")
    return false
  }

  /// The same for a method with a completion handler, which gets `CMTime.invalid` for the mistake.
  func mayChange(_ method: String, _ completion: ((CMTime) -> Void)?) -> Bool {
    if configuration.isHeld { return true }
    refuse("\(method) was called without a lock; call lockForConfiguration() before.", completion)
    return false
  }

  // MARK: Formats

  /// All ways in which the device can deliver, in the driver's order.
  ///
  /// Apple: `AVCaptureDevice.formats`.
  public var formats: [Format] {
    state.withLock { $0.formats }
  }

  /// How the device delivers.
  ///
  /// A session with a preset chooses it; setting it turns the presets of the sessions that have the device into
  /// `inputPriority`, resets the frame durations, the zoom factor, the longest exposure and global tone mapping, and takes effect at once or with the commit. A format of another
  /// device, and setting without the lock, are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.activeFormat`.
  public var activeFormat: Format {
    get {
      observerTable.access(\AVCaptureDevice.activeFormat)
      return state.withLock { state in
        state.formats.indices.contains(state.settings.format) ? state.formats[state.settings.format] : .none
      }
    }
    set {
      guard mayChange("activeFormat") else { return }
      guard let index = formats.firstIndex(where: { $0 === newValue }) else {
        return ProgrammingMistake.report(
          rule: "activeFormat cannot be a format of another device; choose one of the device's formats.")
      }
      let old = activeFormat
      let exposure = ExposureLimit(self), durations = frameDurations, depth = DepthChange(self)
      observerTable.changing(\AVCaptureDevice.activeFormat, of: self) {
        state.withLock { state in
          if state.settings.format != index {
            state.settings = CaptureGraph.DeviceSettings(format: index)
          }
        }
      }
      if old !== newValue {
        notifyLimits(old, newValue)
        notifyFrameDurations(durations)
        depth.notify(self)
        exposure.notify(self)
        resetControls(.format)?()
      }
      let isCamera = hasMediaType(.video)
      for user in users {
        // Presets are about pictures: a microphone's channels do not end one.
        if isCamera { user.activeFormatWasSet() } else { user.somethingChanged() }
      }
    }
  }

  /// The shortest time from one frame to the next, the inverse of the highest rate.
  ///
  /// The device streams with it unless its driver makes frames longer in the dark. `CMTime.invalid` resets it to the
  /// format's default, and so do a new active format, a new preset of the device's session, and adding its input to a
  /// session. A value outside the active format's ranges, and setting without the lock, are programming mistakes without
  /// effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.activeVideoMinFrameDuration`.
  public var activeVideoMinFrameDuration: CMTime {
    get {
      observerTable.access(\AVCaptureDevice.activeVideoMinFrameDuration)
      return frameDurations.minimum
    }
    set {
      setFrameDuration(newValue, "activeVideoMinFrameDuration", \AVCaptureDevice.activeVideoMinFrameDuration)
      {
        settings, duration in
        settings.minimumFrameDuration = duration
        if let duration, let maximum = settings.maximumFrameDuration, maximum < duration {
          settings.maximumFrameDuration = duration
        }
      }
    }
  }

  /// The longest time from one frame to the next, the inverse of the lowest rate.
  ///
  /// Same rules as ``activeVideoMinFrameDuration``. Observable.
  ///
  /// Apple: `AVCaptureDevice.activeVideoMaxFrameDuration`.
  public var activeVideoMaxFrameDuration: CMTime {
    get {
      observerTable.access(\AVCaptureDevice.activeVideoMaxFrameDuration)
      return frameDurations.maximum
    }
    set {
      setFrameDuration(newValue, "activeVideoMaxFrameDuration", \AVCaptureDevice.activeVideoMaxFrameDuration)
      {
        settings, duration in
        settings.maximumFrameDuration = duration
        if let duration, let minimum = settings.minimumFrameDuration, duration < minimum {
          settings.minimumFrameDuration = duration
        }
      }
    }
  }

  /// The colours in force; settable to one of the active format's spaces.
  ///
  /// A session that chooses wide colour by itself may overrule it at its next commit. A space that the active format
  /// lacks, and setting without the lock, are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.activeColorSpace`.
  public var activeColorSpace: AVCaptureColorSpace {
    get {
      observerTable.access(\AVCaptureDevice.activeColorSpace)
      return state.withLock { $0.settings.usesP3 } ? .P3_D65 : .sRGB
    }
    set {
      guard mayChange("activeColorSpace") else { return }
      guard activeFormat.supportedColorSpaces.contains(newValue) else {
        return ProgrammingMistake.report(
          rule:
            "activeColorSpace cannot be \(newValue), which the active format lacks; see its supportedColorSpaces."
        )
      }
      observerTable.changing(\AVCaptureDevice.activeColorSpace, of: self) {
        state.withLock { $0.settings.usesP3 = newValue == .P3_D65 }
      }
      for user in users { user.somethingChanged() }
    }
  }

  // MARK: Parts

  private var frameDurations: (minimum: CMTime, maximum: CMTime) {
    state.withLock { state in
      guard state.facts.formats.indices.contains(state.settings.format) else { return (.invalid, .invalid) }
      let usual = GraphPlanner.frameDuration(
        of: state.facts.formats[state.settings.format], minimum: state.settings.minimumFrameDuration,
        maximum: state.settings.maximumFrameDuration)
      return (CMTime(usual), CMTime(state.settings.maximumFrameDuration ?? usual))
    }
  }

  /// Notifies observers of the frame durations that have come to differ from `old`; one of them may have been reported already.
  private func notifyFrameDurations(
    _ old: (minimum: CMTime, maximum: CMTime), but reported: KeyPath<AVCaptureDevice, CMTime>? = nil
  ) {
    let new = frameDurations
    let changes = [
      (\AVCaptureDevice.activeVideoMinFrameDuration, old.minimum, new.minimum),
      (\AVCaptureDevice.activeVideoMaxFrameDuration, old.maximum, new.maximum),
    ]
    for (keyPath, from, to) in changes where from != to && keyPath != reported {
      observerTable.changed(keyPath, of: self, from: from, to: to)
    }
  }

  private func setFrameDuration(
    _ time: CMTime, _ name: String, _ keyPath: KeyPath<AVCaptureDevice, CMTime>,
    _ change: (inout CaptureGraph.DeviceSettings, FrameDuration?) -> Void
  ) {
    guard mayChange(name) else { return }
    var duration: FrameDuration?
    if time.isValid {
      duration = activeFormat.streamFormat?.frameDuration(nearest: time)
      guard duration != nil else {
        return ProgrammingMistake.report(
          rule: "\(name) cannot be \(time.seconds) s, which the active format lacks; "
            + "see its videoSupportedFrameRateRanges.")
      }
    }
    let exposure = ExposureLimit(self), durations = frameDurations, depth = DepthChange(self)
    observerTable.changing(keyPath, of: self) {
      state.withLock { change(&$0.settings, duration) }
    }
    // One limit pushes the other, and the default of both is one rate.
    notifyFrameDurations(durations, but: keyPath)
    depth.notify(self)
    exposure.notify(self)
    for user in users { user.somethingChanged() }
  }

  /// Takes the format and colours that a session's plan chose; returns the work of notifying observers, if there is any.
  func adopt(format index: Int, usesP3: Bool) -> (@Sendable () -> Void)? {
    let exposure = ExposureLimit(self), durations = frameDurations, depth = DepthChange(self)
    let (old, new) = state.withLock { state in
      let old = state.settings
      state.settings = old.moved(to: index, in: state.facts.formats)
      state.settings.usesP3 = usesP3
      return (old, state.settings)
    }
    guard old != new else { return nil }
    let reset = old.format == new.format ? nil : resetControls(.format)
    return { [weak self] in
      self?.notify(old, new)
      self?.notifyFrameDurations(durations)
      if let self {
        depth.notify(self)
        exposure.notify(self)
      }
      reset?()
    }
  }

  /// Sets back what Apple sets back when an input of the device is added to a session and when the session's preset changes:
  /// frame durations and global tone mapping; with a preset the longest exposure too.
  func resetForSession(isPreset: Bool) {
    let exposure = ExposureLimit(self), durations = frameDurations, depth = DepthChange(self)
    state.withLock { state in
      state.settings.minimumFrameDuration = nil
      state.settings.maximumFrameDuration = nil
    }
    notifyFrameDurations(durations)
    depth.notify(self)
    exposure.notify(self)
    resetControls(isPreset ? .preset : .input)?()
  }

  /// Takes the settings of the object that the device was before it was unplugged, where it can do the same as then.
  func takeSettings(of former: AVCaptureDevice) {
    let exposure = ExposureLimit(self), durations = frameDurations, depth = DepthChange(self)
    let kept = former.state.withLock { $0 }
    let (old, new) = state.withLock { state in
      let old = state.settings
      if state.facts.formats == kept.facts.formats, state.facts.capabilities == kept.facts.capabilities {
        state.settings = kept.settings
        state.flashMode = kept.flashMode
        state.adjustsHDR = kept.adjustsHDR
      }
      return (old, state.settings)
    }
    notify(old, new)
    notifyFrameDurations(durations)
    depth.notify(self)
    exposure.notify(self)
    resetControls(.input)?()
  }

  private func notify(_ old: CaptureGraph.DeviceSettings, _ new: CaptureGraph.DeviceSettings) {
    let formats = formats
    if old.format != new.format, formats.indices.contains(old.format), formats.indices.contains(new.format) {
      observerTable.changed(
        \AVCaptureDevice.activeFormat, of: self, from: formats[old.format], to: formats[new.format])
      notifyLimits(formats[old.format], formats[new.format])
    }
    if old.usesP3 != new.usesP3 {
      observerTable.changed(
        \AVCaptureDevice.activeColorSpace, of: self, from: old.usesP3 ? .P3_D65 : .sRGB,
        to: new.usesP3 ? .P3_D65 : .sRGB)
    }
  }
}

extension AVCaptureDevice {
  /// The longest exposure before a change of format or frame duration, on which the default depends.
  private struct ExposureLimit: Sendable {
    private let longest: CMTime
    /// Whether the client has set it: then it stays, or the reset for a new format reports it.
    private let isSet: Bool

    init(_ device: AVCaptureDevice) {
      let controls = device.controls
      longest = device.longestExposure(controls)
      isSet = controls.longestExposure != nil
    }

    func notify(_ device: AVCaptureDevice) {
      guard !isSet else { return }
      let now = device.longestExposure(device.controls)
      guard now != longest else { return }
      device.observerTable.changed(
        \AVCaptureDevice.activeMaxExposureDuration, of: device, from: longest, to: now)
    }
  }

  /// Notifies observers of the limits that come with a format.
  private func notifyLimits(_ old: Format, _ new: Format) {
    var (before, now) = (effectFacts, effectFacts)
    (before.format, now.format) = (old.streamFormat, new.streamFormat)
    notifyEffects(before, now)
  }
}

extension StreamFormat {
  /// See ``Swift/Array/duration(nearest:)``.
  func frameDuration(nearest time: CMTime) -> FrameDuration? { frameDurations.duration(nearest: time) }
}

extension [ClosedRange<FrameDuration>] {
  /// The duration of a range that holds `time`, or is off it by less than a rounded decimal is; `nil` when none does.
  func duration(nearest time: CMTime) -> FrameDuration? {
    guard time.isNumeric, time.seconds > 0 else { return nil }
    // Clients write 1/29.97 as 100/2997 and mean 1001/30000: one part in ten thousand is the same rate.
    let tolerance = 1e-4
    let seconds = time.seconds
    for range in self {
      let shortest = 1 / range.lowerBound.rate, longest = 1 / range.upperBound.rate
      guard seconds >= shortest * (1 - tolerance), seconds <= longest * (1 + tolerance) else { continue }
      if seconds <= shortest { return range.lowerBound }
      if seconds >= longest { return range.upperBound }
      return FrameDuration(time)
    }
    return nil
  }
}

extension CMTime {
  init(_ duration: FrameDuration) {
    self.init(value: CMTimeValue(duration.numerator), timescale: duration.denominator)
  }
}

extension FrameDuration {
  /// The same duration, or the nearest one in microseconds where the fraction is too large; `time` is above zero.
  init(_ time: CMTime) {
    if time.value > 0, time.value <= Int64(Int32.max) {
      self.init(Int32(time.value), time.timescale)
    } else {
      self.init(Int32(min(max(1, (time.seconds * 1_000_000).rounded()), Double(Int32.max))), 1_000_000)
    }
  }
}
