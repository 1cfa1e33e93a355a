import CGTK
import CameraModel
import Foundation
import GTKKit

/// One control: its name, its value, and what moves it.
@MainActor
final class ControlRow {
  let widget: Box
  private(set) var item: ControlItem
  private let model: CameraModel
  private let value = Label().styled("value", "dim-label")
  private var slider: Slider?
  private var automatic: ToggleButton?
  private var toggle: Switch?
  private var menu: Menu?

  init(_ item: ControlItem, _ model: CameraModel) {
    self.item = item
    self.model = model
    let name = Label(Words.control(item.id)).leading().expanding(true, false)
    let head = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, name)
    widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, head).styled("control-row")
    let id = item.id
    let words = Words.control(id)
    switch item.shape {
    case .slider(_, let range, let step, let scale, let isAutomatic):
      head.append(value)
      if isAutomatic != nil {
        let automatic = ToggleButton(toggle: tr("Auto")).styled("auto")
        automatic.described(tr("%@: automatic", words))
        automatic.onToggle { model.change(id, .automatic($0)) }
        head.append(automatic)
        self.automatic = automatic
      }
      let line = SliderLine(range, scale)
      let slider = Slider(line.ends, step: line.isCurved ? 0.005 : step).expanding(true, false)
      slider.named(words)
      slider.onMove { model.change(id, .value(line.value($0))) }
      self.slider = slider
      widget.append(slider)
    case .toggle:
      let toggle = Switch()
      toggle.named(words)
      toggle.onToggle { model.change(id, .toggle($0)) }
      head.append(toggle)
      self.toggle = toggle
    case .menu(_, let entries):
      let menu = Menu(entries)
      menu.named(words)
      menu.onChoice { model.change(id, .entry($0)) }
      widget.append(menu.margins(top: 4, bottom: 4))
      self.menu = menu
    case .button:
      let button = Button(tr("Do It"))
      button.named(words)
      button.onPress { model.change(id, .press) }
      head.append(button)
    }
  }

  func show(_ item: ControlItem) {
    self.item = item
    widget.isSensitive = item.isEnabled
    switch item.shape {
    case .slider(let now, let range, _, let scale, let isAutomatic):
      value.text = Words.value(now, scale)
      slider?.value = SliderLine(range, scale).place(now)
      automatic?.isOn = isAutomatic ?? false
    case .toggle(let isOn): toggle?.isOn = isOn
    case .menu(let selected, let entries):
      menu?.entries = entries
      menu?.selected = selected
    case .button: break
    }
  }
}

/// From values to places on a slider: times and sensitivities go by doublings.
struct SliderLine {
  let range: ClosedRange<Double>
  let isCurved: Bool

  init(_ range: ClosedRange<Double>, _ scale: ControlItem.Scale) {
    self.range = range
    isCurved = (scale == .seconds || scale == .iso) && range.lowerBound > 0
  }

  var ends: ClosedRange<Double> { isCurved ? 0...1 : range }

  func place(_ value: Double) -> Double {
    guard isCurved else { return value }
    let inside = min(max(value, range.lowerBound), range.upperBound)
    return log(inside / range.lowerBound) / log(range.upperBound / range.lowerBound)
  }

  func value(_ place: Double) -> Double {
    isCurved ? range.lowerBound * pow(range.upperBound / range.lowerBound, place) : place
  }
}
