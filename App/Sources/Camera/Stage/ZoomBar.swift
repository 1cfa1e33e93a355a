import CGTK
import CameraModel
import GTKKit

/// A button for each lens and usual factor; the nearest one shows the factor as it is.
@MainActor
final class ZoomBar {
  let widget: Box
  private let model: CameraModel
  private var presets: [Double] = []
  private var buttons: [Button] = []

  init(_ model: CameraModel) {
    self.model = model
    widget = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 2).styled("osd-pill")
    widget.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_END).margins(bottom: 14)
    model.state.observe { [self] in render($0) }
  }

  private func render(_ state: CameraState) {
    let wanted = state.abilities.zoomPresets
    widget.isVisible =
      wanted.count > 1 && state.availability.isRunning && (state.mode == .photo || state.mode == .video)
    if wanted != presets {
      presets = wanted
      widget.clear()
      buttons = wanted.map { factor in
        let button = Button(Words.zoom(factor)).styled("zoom")
        button.onPress { [self] in model.zoom(to: factor, smoothly: true) }
        widget.append(button)
        return button
      }
    }
    let near = presets.lastIndex { $0 <= state.zoom + 0.04 } ?? 0
    for (index, button) in buttons.enumerated() {
      let text = Words.zoom(index == near ? state.zoom : presets[index])
      button.setLabel(text)
      button.described(tr("Zoom %@", text))
      button.setStyle("chosen", index == near)
    }
  }
}

/// Brighter and darker, beside the picture while a place is aimed at.
@MainActor
final class BiasSlider {
  let widget: Revealer
  private let slider = Slider(-2...2, step: 0.1, orientation: GTK_ORIENTATION_VERTICAL)

  init(_ model: CameraModel) {
    slider.least(height: 180).named(tr("Brightness"))
    slider.invert()
    slider.mark(0)
    let box = Box(
      GTK_ORIENTATION_VERTICAL, spacing: 4, Icon("obscura-sun-symbolic"), slider
    ).styled("bias")
    box.aligned(GTK_ALIGN_END, GTK_ALIGN_CENTER).margins(end: 14)
    widget = Revealer(box, GTK_REVEALER_TRANSITION_TYPE_CROSSFADE)
    widget.aligned(GTK_ALIGN_END, GTK_ALIGN_CENTER)
    slider.onMove { model.setBias($0) }
    var range: ClosedRange<Double>?
    model.state.observe { [self] state in
      if state.abilities.bias != range {
        range = state.abilities.bias
        if let range { slider.setRange(range) }
      }
      widget.isRevealed = state.aim != nil && range != nil
      slider.value = state.bias
    }
  }
}
