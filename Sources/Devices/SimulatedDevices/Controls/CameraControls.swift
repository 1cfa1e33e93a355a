internal import CaptureDevice
internal import Foundation
internal import Linux

/// The controls of one simulated camera in time: wishes come with the moment of their ``apply(_:change:at:)``, and each
/// exposed frame takes those that came before its exposure began.
///
/// A frame that begins to be exposed at *t* shows every change that was applied at *t* or before. Changes applied while no
/// stream runs hold at once.
struct CameraControls: Sendable {
  private struct Wish: Sendable {
    var controls: [CameraControl]
    var change: UInt64
    var time: MonotonicInstant
  }

  let optics: CameraOptics
  private let capabilities: CameraCapabilities
  /// The state in the newest frame, or at the start of the next stream.
  private(set) var state = ControlState()
  private var wishes: [Wish] = []
  private var zoom = ZoomControl()
  private var focus: FocusControl
  private var exposure: ExposureControl
  private var balance: WhiteBalanceControl
  private var torch: (mode: TorchMode, level: Float) = (.off, 1)
  private var exposurePoint = FramePoint()
  private var meteringPoint = FramePoint()
  /// Whether automatics prefer faces: what was asked for, and what holds since their last mode.
  private var wantsFaces: (focus: Bool, exposure: Bool)
  private var prefersFaces: (focus: Bool, exposure: Bool)
  /// The place of a face that exposure prefers to its point.
  private var meteredFace: FramePoint?
  /// Holds in formats that have it.
  private var wantsHDR = false
  private var monitor = SceneMonitor()
  /// Of the open stream; `nil` without one.
  private var format: StreamFormat?
  private var frameNanoseconds: Int64 = 33_333_333
  private var hasFocused = false
  /// Metres to what auto focus saw last.
  private var lastDistance = 1.0
  /// The zoom at which the grey world was measured.
  private var greyZoom = 0.0
  private var choice: LensChoice

  init(model: SimulatedDeviceModel, scene: Scene) {
    optics = CameraOptics(model: model, scene: scene)
    let facts = model.facts
    capabilities = facts.capabilities
    wantsFaces = (capabilities.hasFaceFocus, capabilities.hasFaceExposure)
    prefersFaces = wantsFaces
    let first = optics.lenses[0]
    choice = LensChoice(optics: optics)
    focus = FocusControl(
      minimumDistance: first.facts?.minimumFocusDistance.map { Double($0) / 1000 },
      modes: capabilities.focusModes)
    exposure = ExposureControl(aperture: first.aperture, format: facts.formats.last)
    let daylight = facts.sensorColors?.gains(x: 0.3127, y: 0.3290) ?? WhiteBalanceGains()
    balance = WhiteBalanceControl(
      start: daylight.clamped(to: capabilities.whiteBalanceGains), modes: capabilities.whiteBalanceModes)
    state.isDistortionCorrected = capabilities.hasDistortionCorrection
    state.constituent = first.uniqueID
    zoom.set(capabilities.minZoom)
    refresh(at: MonotonicInstant(nanoseconds: 0))
  }

  // MARK: Wishes

  /// Notes changes; they hold for frames whose exposure begins at `time` or later.
  mutating func apply(_ controls: [CameraControl], change: UInt64, at time: MonotonicInstant) {
    wishes.append(Wish(controls: controls, change: change, time: time))
  }

  /// Fulfils what is due by `time`, for when no frame will do it.
  mutating func settle(at time: MonotonicInstant) {
    fulfil(until: time)
    zoom.stop(at: time)
    refresh(at: time)
  }

  /// Notes the format of the stream that is open now; `nil` when none is.
  mutating func setFormat(_ format: StreamFormat?) {
    self.format = format
    write()
  }

  /// Begins a stream: what is automatic starts anew.
  mutating func begin(_ configuration: StreamConfiguration, at time: MonotonicInstant) {
    settle(at: time)
    format = configuration.format
    frameNanoseconds = configuration.frameDuration.nanoseconds
    zoom.clamp(to: capabilities.minZoom...max(configuration.format.maxZoom, capabilities.minZoom))
    exposure.setFormat(configuration.format)
    exposure.restart(frameNanoseconds: frameNanoseconds)
    refresh(at: time)
  }

  private mutating func fulfil(until time: MonotonicInstant) {
    while let wish = wishes.first, wish.time <= time {
      for control in wish.controls { take(control, at: wish.time) }
      state.change = wish.change
      wishes.removeFirst()
    }
  }

  private mutating func take(_ control: CameraControl, at time: MonotonicInstant) {
    switch control {
    case .focusMode(let mode):
      focus.setMode(mode)
      prefersFaces.focus = wantsFaces.focus
    case .faceFocus(let isOn): wantsFaces.focus = isOn
    case .faceExposure(let isOn): wantsFaces.exposure = isOn
    case .focusPoint(let point): focus.point = point
    case .lensPosition(let position): focus.setPosition(Double(position))
    case .focusRange(let range): focus.range = range
    case .smoothFocus(let isSmooth): focus.isSmooth = isSmooth
    case .exposureMode(let mode):
      exposure.setMode(mode)
      meteringPoint = exposurePoint
      prefersFaces.exposure = wantsFaces.exposure
    case .exposurePoint(let point): exposurePoint = point
    case .customExposure(let duration, let iso): exposure.setCustom(durationNanoseconds: duration, iso: iso)
    case .exposureBias(let bias): exposure.bias = bias
    case .longestExposure(let longest): exposure.longest = longest
    case .whiteBalanceMode(let mode): balance.setMode(mode)
    case .whiteBalanceGains(let gains): balance.setGains(gains)
    case .zoom(let factor): zoom.set(factor)
    case .zoomRamp(let target, let rate): zoom.ramp(to: target, rate: Double(rate), at: time)
    case .endZoomRamp: zoom.end(at: time)
    case .torch(let mode, let level): torch = (mode, level)
    case .videoHDR(let isOn): wantsHDR = isOn
    case .lowLightBoost(let isOn): exposure.mayBoost = isOn
    case .globalToneMapping(let isOn): state.isGloballyToneMapped = isOn
    case .distortionCorrection(let isOn): state.isDistortionCorrected = isOn
    case .sceneMonitoring(let isOn): monitor.isOn = isOn
    case .constituentChoice(let wanted):
      state.constituentChoice = wanted
      choice.restrict(to: state)
    case .fallbackConstituents(let ids): state.fallbackConstituents = ids
    }
    choice.note(control)
  }

  /// Whether changes wait for their frame.
  var hasWishes: Bool { !wishes.isEmpty }

  // MARK: Frames

  /// The state of the controls for the frame whose exposure begins at `time`; automatic ones then move on.
  ///
  /// - Parameters:
  ///   - time: When the exposure begins.
  ///   - probe: Sees the scene of that moment.
  ///   - still: A picture that wants this exposure for itself.
  mutating func expose(
    at time: MonotonicInstant, frameNanoseconds: Int64, probe: SceneProbe, still: StillRequest?
  ) -> ControlState {
    fulfil(until: time)
    self.frameNanoseconds = frameNanoseconds
    refresh(at: time)
    let view = optics.moment(state, seconds: probe.seconds, sequence: 0).view
    let face = prefersFaces.focus || prefersFaces.exposure ? probe.face(view: view) : nil
    meteredFace = prefersFaces.exposure ? face : nil
    let distance = probe.depth(
      at: prefersFaces.focus ? face ?? focus.activePoint : focus.activePoint, view: view)
    if !hasFocused {
      hasFocused = true
      focus.step(distance: distance)
    }
    if !focus.isAdjusting { chooseLens(distance: distance) }
    let metered = metered(probe, view: view)
    monitor.note(probe, view: view)
    state.sceneChanges = monitor.count
    measureColors(probe, view: view)
    write()
    state.exposureOffset = Float((exposure.offset(lux: metered) * 64).rounded() / 64)
    var result = state
    if let still {
      override(&result, still, metered: metered, probe: probe, view: view)
    } else {
      state = result
    }
    if still?.isOwn != true {
      exposure.step(lux: metered, frameNanoseconds: frameNanoseconds)
      balance.step(neutral: optics.neutralGains)
      focus.step(distance: distance)
    }
    return result
  }

  /// Keeps the grey world's gains for the view; a view on its way is not worth it.
  private mutating func measureColors(_ probe: SceneProbe, view: FrameView) {
    guard capabilities.whiteBalanceGains != nil, greyZoom != view.zoom, !state.isRampingZoom else { return }
    greyZoom = view.zoom
    state.greyWorldGains = probe.greyWorld(optics, view: view)
  }

  /// Changes a frame's conditions for a picture of its own.
  private func override(
    _ state: inout ControlState, _ still: StillRequest, metered: Double, probe: SceneProbe, view: FrameView
  ) {
    state.isFlashed = still.flash == .on || (still.flash == .auto && state.isDark)
    var light = metered
    if state.isFlashed {
      // As after a pre-flash: exposed for the light that the flash will give to what is metered.
      let distance = probe.depth(at: meteredFace ?? meteringPoint, view: view)
      light *=
        optics.light(depth: distance, lampLux: optics.lampLux(state))
        / optics.light(depth: distance, lampLux: optics.lampLux(self.state))
    }
    let shared = state.exposure
    state.exposure = exposure.exposure(for: still.exposure, lux: light, frameNanoseconds: frameNanoseconds)
    state.isExposedApart =
      state.exposure.durationNanoseconds != shared.durationNanoseconds || state.exposure.iso != shared.iso
    state.exposure.isAdjusting = false
  }

  /// The light where exposure is metered, in lux of a grey thing.
  ///
  /// The whole picture is metered as light that falls on it. A point that was set, or a face, is metered as what comes from there: a
  /// dark place counts as less light, by at most three stops.
  private func metered(_ probe: SceneProbe, view: FrameView) -> Double {
    let point = meteredFace ?? meteringPoint
    let light = optics.light(depth: probe.depth(at: point, view: view), lampLux: optics.lampLux(state))
    guard point != FramePoint() || meteredFace != nil else { return light }
    let share = probe.reflectance(at: point, view: view) / 0.18
    return light * min(max(share, 0.125), 8)
  }

  /// Brings zoom and choice of lens up to `time`.
  private mutating func refresh(at time: MonotonicInstant) {
    let last = state.zoom
    state.zoom = zoom.update(to: time)
    if state.zoom != last { choice.zoomChanged() }
    state.isRampingZoom = zoom.isRamping
    chooseLens(distance: nil)
    write()
  }

  /// Copies what the parts stand at.
  private mutating func write() {
    state.focusMode = focus.mode
    state.focusPoint = focus.point
    state.lensPosition = Float(focus.position)
    state.isAdjustingFocus = focus.isAdjusting
    state.focusRange = focus.range
    state.isSmoothFocus = focus.isSmooth
    state.isFaceFocus = wantsFaces.focus
    state.isFaceExposure = wantsFaces.exposure
    state.exposureMode = exposure.mode
    state.exposure = exposure.exposure
    state.exposurePoint = exposurePoint
    state.exposureBias = exposure.bias
    state.longestExposure = exposure.longest
    state.whiteBalanceMode = balance.mode
    state.whiteBalanceGains = balance.gains
    state.isAdjustingWhiteBalance = balance.isAdjusting
    state.isDark = optics.ambientLux < CameraOptics.darkLux
    state.torchMode = torch.mode
    state.torchLevel =
      switch torch.mode {
      case .off: 0
      case .on: torch.level
      case .auto: state.isDark ? capabilities.torchLevel ?? 0 : 0
      }
    state.isHDR = wantsHDR && format?.supportsHDR != false
    state.allowsLowLightBoost = exposure.mayBoost
    state.isLowLightBoosted = exposure.isBoosted
    state.isMonitoringScene = monitor.isOn
    state.sceneChanges = monitor.count
  }

  // MARK: Lenses

  /// Chooses the lens of a virtual camera, and keeps zoom within what it sees.
  private mutating func chooseLens(distance: Double?) {
    guard optics.lenses.count > 1 else { return }
    if let index = choice.choose(for: state, distance: distance ?? lastDistance, isMeasured: distance != nil)
    {
      state.constituent = optics.lenses[index].uniqueID
    }
    if let distance { lastDistance = distance }
    let lens = optics.lens(state.constituent)
    state.zoom = max(state.zoom, lens.zoom)
    exposure.setAperture(lens.aperture, frameNanoseconds: frameNanoseconds)
    focus.setLens(minimumDistance: lens.facts?.minimumFocusDistance.map { Double($0) / 1000 })
  }
}

extension StillRequest {
  /// Whether it wants an exposure that no other request shares.
  var isOwn: Bool { exposure != nil || flash != .off }
}
