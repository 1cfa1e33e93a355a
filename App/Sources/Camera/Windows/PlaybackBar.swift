import CGTK
import CameraModel
import GTKKit

/// Plays a video: play, single frames, and a slider that shows exactly the frame where it stands.
@MainActor
final class PlaybackBar {
  let widget: Box
  private let play = Button(icon: "media-playback-start-symbolic", tr("Play"))
  private let back = Button(icon: "media-skip-backward-symbolic", tr("One frame back"))
  private let on = Button(icon: "media-skip-forward-symbolic", tr("One frame on"))
  private let slider = Slider(0...1, step: 0.04)
  private let time = Label("00:00").styled("elapsed")
  private var film: PlaybackModel?
  private var length = 0.0

  init() {
    slider.expanding(true, false).named(tr("Place in the video"))
    widget = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 4, play, back, on, slider, time)
    widget.styled("osd-pill", "movie-bar").aligned(GTK_ALIGN_FILL, GTK_ALIGN_END)
    widget.margins(bottom: 18, start: 24, end: 24)
    play.onPress { [self] in film?.togglePlay() }
    back.onPress { [self] in film?.step(by: -1) }
    on.onPress { [self] in film?.step(by: 1) }
    slider.onMove { [self] in film?.seek(to: $0) }
  }

  /// Plays and stops the video that is shown.
  func togglePlay() { film?.togglePlay() }

  /// Goes so many frames on, or back.
  func step(by frames: Int) { film?.step(by: frames) }

  func show(_ film: PlaybackModel?) {
    self.film = film
    widget.isVisible = film != nil
    film?.state.observe { [weak self] state in self?.render(state, of: film) }
  }

  private func render(_ state: PlaybackState, of film: PlaybackModel?) {
    guard film === self.film else { return }
    if state.duration != length, state.duration > 0 {
      length = state.duration
      slider.setRange(0...length)
    }
    slider.value = state.seconds
    time.text = state.failure ?? Words.time(state.seconds) + " / " + Words.time(state.duration)
    play.setIcon(state.isPlaying ? "media-playback-pause-symbolic" : "media-playback-start-symbolic")
    play.described(state.isPlaying ? tr("Pause") : tr("Play"))
  }
}
