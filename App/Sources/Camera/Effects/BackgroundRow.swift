import AVFoundation
import CGTK
import CameraModel
import Foundation
import GTKKit

/// The choice of what stands behind people: what is there, the same out of focus, or a picture.
@MainActor
final class BackgroundRow {
  let widget: Box
  /// Called when a picture is to be chosen.
  var onPicture: () -> Void = {}
  private let off = ToggleButton(toggle: tr("Off"))
  private let blurred = ToggleButton(toggle: tr("Blurred"))
  private let picture = ToggleButton(toggle: tr("Picture…"))
  private let name = Label().styled("caption", "dim-label").leading().shortening()
  private var shown = VideoEffectChoice(isOn: false)

  init(_ model: CameraModel) {
    let words = Words.effect(.background)
    let buttons = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 0, off, blurred, picture).styled("linked")
    let head = Box(
      GTK_ORIENTATION_HORIZONTAL, spacing: 8, Label(words).leading().expanding(true, false), buttons)
    widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 4, head, name)
    gtk_label_set_max_width_chars(name.opaque, 36)
    off.described(tr("%@: off", words))
    blurred.described(tr("%@: blurred", words))
    picture.described(tr("%@: choose a picture", words))
    off.onToggle { [self] _ in
      model.setEffect(.background, on: false)
      press()
    }
    blurred.onToggle { [self] _ in
      model.setBackground(nil)
      press()
    }
    picture.onToggle { [self] _ in
      press()
      onPicture()
    }
  }

  func show(_ choice: VideoEffectChoice, isPossible: Bool) {
    widget.isSensitive = isPossible
    shown = choice
    press()
    name.isVisible = choice.isOn && choice.picture != nil
    name.text = choice.picture.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
  }

  /// Has the button down that is chosen, whichever was pressed.
  private func press() {
    off.isOn = !shown.isOn
    blurred.isOn = shown.isOn && shown.picture == nil
    picture.isOn = shown.isOn && shown.picture != nil
  }
}
