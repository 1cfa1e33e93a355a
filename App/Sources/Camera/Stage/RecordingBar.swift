import CGTK
import CameraModel
import GTKKit

/// The filter, the pace, the time, the loudness and the free space of a movie, and its pause.
@MainActor
final class RecordingBar {
  let widget: Box
  private let dot = Icon("media-record-symbolic").styled("record-dot")
  private let time = Label("00:00").styled("elapsed")
  private let free = Label().styled("caption").shortening()
  private let missed = Label().styled("caption").shortening()
  private let pause = Button(icon: "media-playback-pause-symbolic", tr("Pause"))
  private let filter = Button(icon: "obscura-filter-symbolic", tr("Filter"))
  private let pace = Button(icon: "obscura-lapse-symbolic", tr("Time-lapse")).styled("ratio")
  private let level = Widget(UnsafeMutableRawPointer(gtk_level_bar_new()))

  init(_ model: CameraModel) {
    level.least(width: 40).aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER).named(tr("Loudness"))
    pause.setAction("app.pause")
    filter.setAction("app.filter")
    pace.setAction("app.pace")
    let choices = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 2, filter, pace)
    widget = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, choices, dot, time, missed, level, free, pause)
      .styled(
        "osd-pill", "movie-bar")
    widget.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_START).margins(top: 12)
    model.state.observe { [self, model] state in
      widget.isVisible = state.mode == .video && state.availability.isRunning
      guard widget.isVisible else { return }
      let recording = state.recording
      // They are chosen before, and a narrow window has room for the pause or for them.
      filter.isVisible = !recording.isActive
      pace.isVisible = !recording.isActive || model.settings.value.pace != .live
      pace.isSensitive = !recording.isActive
      dot.setStyle("on", recording.phase == .recording)
      time.text = Words.time(recording.seconds)
      missed.isVisible = recording.missed > 0
      missed.text = trn("%@ missed", "%@ missed", recording.missed)
      level.isVisible = recording.level != nil
      gtk_level_bar_set_value(level.opaque, recording.level ?? 0)
      free.text = recording.freeBytes.map(Words.space) ?? ""
      pause.isVisible = recording.phase == .recording || recording.phase == .paused
      pause.setIcon(recording.phase == .paused ? "media-record-symbolic" : "media-playback-pause-symbolic")
      pause.described(recording.phase == .paused ? tr("Go on recording") : tr("Pause"))
    }
    model.settings.observe { [self] settings in
      filter.setStyle("chosen", settings.filter != .none)
      filter.described(Words.filter(settings.filter))
      pace.setStyle("chosen", settings.pace != .live)
      if settings.pace == .live {
        pace.setIcon("obscura-lapse-symbolic")
      } else {
        pace.setLabel(Words.interval(settings.pace.seconds))
      }
      pace.described(Words.pace(settings.pace))
    }
  }
}
