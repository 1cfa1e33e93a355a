import CGTK
import CameraModel
import GTKKit

/// The white window that is the flash of a front camera, for the moment of the photo.
@MainActor
final class ScreenFlash {
  let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0).styled("screen-flash").expanding().untouchable()

  init(_ model: CameraModel) {
    model.state.observe { [self] state in widget.isVisible = state.isScreenFlash }
  }
}
