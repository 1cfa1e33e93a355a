import AVFoundation
import CGTK
import CameraModel
import Foundation
import GTKKit
import GTKLayers

/// One photo or video at a time: a photo to look at closely, a video to play.
@MainActor
final class Viewer {
  let widget: Box
  var onBack: () -> Void = {}
  private let model: CameraModel
  private let zoom: ZoomView
  private let title = Label().styled("heading").shortening()
  private let detail = Label().styled("caption", "dim-label").shortening()
  private let movie = AVPlayerLayer()
  private let movieView: LayerView
  private let bar = PlaybackBar()
  private let favorite = Button(icon: "non-starred-symbolic", tr("Favourite"))
  private let unfinished = Label(tr("This photo is being finished…")).styled("osd-note")
    .aligned(GTK_ALIGN_CENTER, GTK_ALIGN_END).margins(bottom: 24).untouchable()
  private let live = Label(tr("Live Photo: hold to play")).styled("osd-note")
    .aligned(GTK_ALIGN_START, GTK_ALIGN_START).margins(top: 12, start: 12).untouchable()
  private let header: HeaderBar
  private let library = Button(icon: "view-grid-symbolic", tr("Library"))
  private let details = DetailsCard()
  private let info = ToggleButton(toggleIcon: "help-about-symbolic", tr("Details"))
  private let older = Button(icon: "go-next-symbolic", tr("Older photo")).styled("osd", "circular")
  private let newer = Button(icon: "go-previous-symbolic", tr("Newer photo")).styled("osd", "circular")
  private let assetButtons: [Widget]
  private var shown: MediaPlace?
  private var isWhole = false
  private var isNarrow = false

  init(_ model: CameraModel) {
    self.model = model
    movieView = LayerView(movie)
    zoom = ZoomView(under: Widget(movieView.widget)).expanding()
    let back = Button(icon: "go-previous-symbolic", tr("Back"))
    let delete = Button(icon: "user-trash-symbolic", tr("Delete"))
    library.setAction("app.library")
    delete.setAction("app.delete")
    favorite.setAction("app.favorite")
    assetButtons = [favorite, delete]
    header = HeaderBar(title: Box(GTK_ORIENTATION_VERTICAL, spacing: 0, title, detail)).styled("flat")
    header.addStart(back)
    header.addStart(library)
    header.addEnd(
      MenuButton(
        icon: "view-more-symbolic", tr("More"),
        sections: [
          [(tr("Library"), "app.library"), (tr("Details"), "app.details")],
          [
            (tr("Open With…"), "app.open-with"), (tr("Copy"), "app.copy"),
            (tr("Show in Folder"), "app.show-files"),
          ],
        ]))
    header.addEnd(info)
    header.addEnd(delete)
    header.addEnd(favorite)
    older.aligned(GTK_ALIGN_END, GTK_ALIGN_CENTER).margins(end: 18)
    newer.aligned(GTK_ALIGN_START, GTK_ALIGN_CENTER).margins(start: 18)
    let stage = Overlay(zoom, older, newer, unfinished, live, details.widget, bar.widget).styled(
      "viewer"
    )
    .expanding()
    widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, header, stage)
    back.onPress { [self] in onBack() }
    older.onPress { model.viewer.turn(by: 1) }
    newer.onPress { model.viewer.turn(by: -1) }
    info.onToggle { [self] in setShowsDetails($0) }
    zoom.onSwipe { [self] across, down in
      // A magnified photo is moved by the finger.
      guard zoom.factor == 1, abs(across) > 300, abs(across) > abs(down) else { return }
      model.viewer.turn(by: across < 0 ? 1 : -1)
    }
    zoom.onZoom = { [self] factor in
      // The first closer look gets all pixels.
      guard factor > 1, !isWhole else { return }
      isWhole = true
      model.viewer.loadWhole()
    }
    model.viewer.onPicture = { [self] in zoom.picture.show($0.map { Texture($0.pixels) }) }
    model.viewer.onFilm = { [self] in show($0) }
    model.viewer.onMoments = { [self] in showMoments($0) }
    zoom.onHold { [self] isDown in
      if isDown { model.viewer.holdMoments() } else { model.viewer.releaseMoments() }
    }
    model.viewer.state.observe { [weak self] in self?.render($0) }
  }

  func setNarrow(_ isNarrow: Bool) {
    self.isNarrow = isNarrow
    header.setNarrow(isNarrow)
    render(model.viewer.state.value)
  }

  func togglePlay() { bar.togglePlay() }

  func step(by frames: Int) { bar.step(by: frames) }

  func zoom(by factor: Double) { zoom.zoom(by: factor) }

  func fit() { zoom.fit() }

  func toggleDetails() { setShowsDetails(!info.isOn) }

  private func setShowsDetails(_ on: Bool) {
    info.isOn = on
    model.viewer.setShowsDetails(on)
  }

  private func render(_ state: ViewerState) {
    guard let place = state.place else {
      if shown != nil {
        shown = nil
        onBack()
      }
      return
    }
    if place != shown {
      shown = place
      isWhole = false
      zoom.fit()
      zoom.picture.show(nil as Texture?)
      bar.widget.isVisible = state.isMovie
    }
    let name = state.date.map(Words.moment) ?? place.url?.lastPathComponent ?? ""
    // Beside the buttons of a narrow window there is no room for the day and the time in one line.
    title.text = isNarrow ? state.date.map(Words.shortDay) ?? name : name
    let number = state.count > 0 ? tr("%@ of %@", String(state.index + 1), String(state.count)) : ""
    let time = isNarrow ? state.date.map(Words.clock) ?? "" : ""
    detail.text = [time, number].filter { !$0.isEmpty }.joined(separator: " · ")
    zoom.picture.described(as: name)
    favorite.setIcon(state.isFavorite ? "starred-symbolic" : "non-starred-symbolic")
    favorite.described(state.isFavorite ? tr("No longer a favourite") : tr("Favourite"))
    for button in assetButtons { button.isVisible = place.url == nil }
    library.isVisible = place.url == nil && !isNarrow
    // The menu has them, too.
    info.isVisible = !isNarrow
    older.isVisible = state.index + 1 < state.count
    newer.isVisible = state.index > 0
    live.isVisible = state.isLive
    unfinished.isVisible = state.isUnfinished && !state.isMovie
    details.show(state.details)
  }

  /// The movie lies over its photo while it plays.
  private func showMoments(_ film: PlaybackModel?) {
    movie.player = film?.player
    live.isVisible = film == nil && model.viewer.state.value.isLive
  }

  private func show(_ film: PlaybackModel?) {
    movie.player = film?.player
    bar.show(film)
  }
}

/// The card that lists the details of a photo or video.
@MainActor
final class DetailsCard {
  let widget: Revealer
  private let lines = Box(GTK_ORIENTATION_VERTICAL, spacing: 8)

  init() {
    let card = Box(GTK_ORIENTATION_VERTICAL, spacing: 8, lines).styled("details-card").least(width: 240)
    widget = Revealer(card, GTK_REVEALER_TRANSITION_TYPE_CROSSFADE)
    widget.aligned(GTK_ALIGN_END, GTK_ALIGN_START).margins(top: 12, end: 12).untouchable()
    widget.isVisible = false
  }

  func show(_ details: PhotoDetails?) {
    widget.isVisible = details != nil
    widget.isRevealed = details != nil
    guard let details else { return }
    lines.clear()
    for (name, value) in DetailsWords.lines(details) {
      lines.append(
        Box(
          GTK_ORIENTATION_VERTICAL, spacing: 0, Label(name).styled("caption", "dim-label").leading(),
          Label(value).leading().wrapping(lines: 2)))
    }
  }
}
