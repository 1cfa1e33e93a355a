import AVFoundation
import CGTK
import CameraModel
import Foundation
import GTKKit
import GTKLayers

/// The live picture with all that lies over it.
@MainActor
final class Stage {
  let widget: Overlay
  /// Called once, when the first picture is on its way to the screen.
  var onFirstPicture: () -> Void = {}

  private let model: CameraModel
  private let live: LiveLayer
  private let view: LayerView
  /// The newest picture of the preview on the screen, and the seconds from its exposure until then.
  private var newest: (picture: LayerPicture, latency: Double)?
  private let marks: Canvas
  private let status: StatusView
  private let countdown = Label().styled("countdown").aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
    .untouchable()
  private let hold = Label().styled("osd-note").aligned(GTK_ALIGN_CENTER, GTK_ALIGN_END)
    .margins(bottom: 70).untouchable()
  private let burst = Label().styled("osd-note", "burst").aligned(GTK_ALIGN_CENTER, GTK_ALIGN_END)
    .margins(bottom: 70).untouchable()
  private let figures = Label().styled("osd-note", "small").aligned(GTK_ALIGN_START, GTK_ALIGN_END)
    .margins(bottom: 12, start: 12).untouchable()
  private let distance = Label().styled("osd-note", "distance").aligned(GTK_ALIGN_CENTER, GTK_ALIGN_END)
    .margins(bottom: 84).untouchable()
  private let blink: Revealer
  private let place: Shared
  private let hands: CloudHands
  private var pinchBegan = 1.0
  private var lastCount = 0

  /// A shared reference to the picture's place, for the drawing, which begins before the stage is initialized.
  @MainActor
  private final class Shared { var place = PicturePlace(aspect: 1, width: 0, height: 0) }

  init(_ model: CameraModel) {
    self.model = model
    let place = Shared()
    self.place = place
    marks = Canvas { pen, _, _ in
      Marks(pen: pen, place: place.place).draw(model.state.value, model.settings.value)
    }
    marks.expanding()
    hands = CloudHands(model, on: marks)
    status = StatusView()
    blink = Revealer(
      Box(GTK_ORIENTATION_VERTICAL).styled("blink").expanding(), GTK_REVEALER_TRANSITION_TYPE_CROSSFADE)
    live = LiveLayer(model.preview.layer)
    view = LayerView(live)
    let picture = Widget(view.widget).expanding()
    picture.named(tr("Live picture of the camera"))
    let quick = QuickBar(model)
    let zoom = ZoomBar(model)
    let bias = BiasSlider(model)
    let hit = HitCard(model)
    let recording = RecordingBar(model)
    let page = PageView(model)
    let tools = DepthTools(model, pages: page.toggle)
    widget = Overlay(
      picture, marks, blink.untouchable(), countdown, hold, burst, page.picture, tools.buttons, tools.scale,
      figures, distance, quick.widget, recording.widget, zoom.widget, bias.widget, status.widget, hit.widget)
    widget.styled("stage").expanding()
    gtk_widget_set_overflow(widget.widget, GTK_OVERFLOW_HIDDEN)
    showPictures()
    listen()
    dragRegion()
    model.state.observe { [self] in render($0) }
    model.settings.observe { [self] settings in
      figures.isVisible = settings.showsFigures
      marks.redraw()
    }
    model.onExposure = { [self] in
      blinkOnce()
      Sounds.shutter(model.settings.value)
    }
    every(milliseconds: 500) { [weak self] in
      self?.count()
      return self != nil
    }
  }

  /// Pictures of the preview that were made, shown and left out until now.
  var counts: LayerPictureCounts { view.counts }

  /// The picture's width on the screen, in the screen's pixels.
  var shownWidth: Double { place.place.width * Double(marks.scale) }

  private func showPictures() {
    view.onPicture = { [weak self] picture in
      guard let self else { return }
      let isFirst = newest == nil
      newest = (picture, CMClock.hostTimeClock.time.seconds - picture.time.seconds)
      guard isFirst else { return }
      count()
      onFirstPicture()
    }
    model.setDepthHandler { [weak self] map in
      let texture = Texture(map.pixels(isOpaque: false))
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.live.show(depth: texture) } }
    }
    model.setCloudHandler { [weak self] points in
      let texture = Texture(points.pixels)
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.live.show(cloud: texture) } }
    }
  }

  private func listen() {
    marks.on("resize") { [self] (width: Int, height: Int) in
      place.place = PicturePlace(
        aspect: model.state.value.aspect, width: Double(width), height: Double(height))
      model.setCloudSize(width: width * marks.scale, height: height * marks.scale)
    }
    marks.onTap { [self] count, x, y in
      let point = place.place.fraction(x, y)
      if isTurning {
        if count > 1 { model.putCloudBack() }
        return
      }
      if model.state.value.mode == .depth { model.pointDepth(x: point.x, y: point.y) }
      if count > 1 { model.forgetAim() } else { model.aim(x: point.x, y: point.y) }
    }
    marks.onMotion { [self] x, y in
      guard model.state.value.mode == .depth else { return }
      let point = place.place.fraction(x, y)
      model.pointDepth(x: point.x, y: point.y)
    }
    marks.onScroll { [self] down in
      let factor = down > 0 ? 1 / 1.1 : 1.1
      isTurning ? model.zoomCloud(by: factor) : model.zoom(by: factor)
    }
    marks.onPinch(begin: { [self] in pinchBegan = model.state.value.zoom }) { [self] factor in
      if !isTurning { model.zoom(to: pinchBegan * factor) }
    }
  }

  /// Whether hands are on the points in space.
  private var isTurning: Bool { model.state.value.mode == .depth && model.state.value.depth.showsCloud }

  /// The hand on the searched part of the picture.
  private var regionDrag: RegionDrag?
  private var wasRecording = false

  private func dragRegion() {
    marks.onDrag { [self] x, y in
      guard model.state.value.mode == .scan, model.state.value.scan.hit == nil, place.place.width > 0 else {
        return false
      }
      let point = place.place.fraction(x, y)
      regionDrag = RegionDrag(
        model.state.value.scan.region, at: CGPoint(x: point.x, y: point.y),
        reach: CGSize(width: 28 / place.place.width, height: 28 / place.place.height))
      return regionDrag != nil
    } move: { [self] across, down in
      guard let regionDrag, place.place.width > 0 else { return }
      model.setScanRegion(regionDrag.moved(across / place.place.width, down / place.place.height))
    } end: { [self] in
      regionDrag = nil
    }
  }

  private func playRecordingSounds(_ phase: RecordingState.Phase) {
    let isRecording = phase != .idle
    if isRecording != wasRecording { Sounds.recording(begins: isRecording, model.settings.value) }
    wasRecording = isRecording
  }

  private func render(_ state: CameraState) {
    playRecordingSounds(state.recording.phase)
    let size = marks.size
    let wanted = PicturePlace(aspect: state.aspect, width: Double(size.width), height: Double(size.height))
    place.place = wanted
    live.shown = shown(state)
    status.show(state.availability, lockedFolder: state.folderInTheWay, lacksDepth: state.lacksDepth)
    countdown.isVisible = state.countdown != nil || state.exposureLeft != nil
    if let left = state.countdown ?? state.exposureLeft { countdown.text = String(left) }
    hold.isVisible = state.exposureLeft != nil
    hold.text = tr("Hold the camera still")
    burst.isVisible = (state.burst ?? 0) > 0
    burst.text = String(state.burst ?? 0)
    distance.isVisible =
      state.mode == .depth && state.availability.isRunning && !state.depth.showsCloud && !state.lacksDepth
    if distance.isVisible { distance.text = state.depth.metres.map(Words.metres) ?? "—" }
    marks.redraw()
  }

  private func shown(_ state: CameraState) -> LiveLayer.Shown {
    guard state.mode == .depth else { return .picture }
    if state.lacksDepth { return .nothing }
    return state.depth.showsCloud ? .cloud : .depth(mix: state.depth.mix)
  }

  private func blinkOnce() {
    gtk_revealer_set_transition_duration(blink.opaque, 40)
    blink.isRevealed = true
    every(milliseconds: 60) { [weak self] in
      guard let self else { return false }
      gtk_revealer_set_transition_duration(blink.opaque, 160)
      blink.isRevealed = false
      return false
    }
  }

  /// Counts pictures for the figures and takes the frame's aspect over.
  private func count() {
    guard let newest else { return }
    let counts = view.counts
    var new = model.state.value.figures
    new.framesPerSecond = Double(counts.shown - lastCount) * 2
    new.late = counts.late + counts.made - counts.shown
    new.latencyMilliseconds = newest.latency * 1000
    new.width = Int(newest.picture.size.width)
    new.height = Int(newest.picture.size.height)
    lastCount = counts.shown
    model.note(new)
    figures.text = tr(
      "%@ × %@ · %@ fps · %@ left out · %@ ms", String(new.width), String(new.height),
      Words.number(new.framesPerSecond, 0), String(new.late), Words.number(new.latencyMilliseconds, 0))
  }
}
