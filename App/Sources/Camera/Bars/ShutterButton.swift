import CGTK
import CameraModel
import GTKKit

/// The shutter: its look follows how ready the camera is for the next photo.
@MainActor
final class ShutterButton {
  let widget: Button

  init(_ model: CameraModel) {
    let disc = Box(GTK_ORIENTATION_HORIZONTAL).styled("disc").aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
    widget = Button(disc, tr("Take a photo")).styled("shutter").aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
    widget.onPress { model.pressShutter() }
    widget.onHold { $0 ? model.holdShutter() : model.releaseShutter() }
    model.state.observe { [self] state in
      let isDepth = state.mode == .depth && !state.lacksDepth
      let isUsed = state.mode == .photo || state.mode == .video || isDepth
      let isMovie = state.mode == .video
      widget.isSensitive =
        isMovie
        ? state.availability.isRunning && state.recording.phase != .finishing
        : isDepth
          ? state.availability.isRunning : isUsed && (state.shutter != .disabled || state.countdown != nil)
      gtk_widget_set_opacity(widget.widget, isUsed ? 1 : 0.25)
      widget.setStyle("movie", isMovie)
      widget.setStyle("recording", isMovie && state.recording.isActive)
      widget.setStyle("exposing", state.shutter == .exposing)
      widget.setStyle("processing", state.shutter == .processing)
      widget.setStyle("counting", state.countdown != nil)
      widget.described(Words.shutter(state))
    }
  }
}
