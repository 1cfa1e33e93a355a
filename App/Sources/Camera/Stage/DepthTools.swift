import CGTK
import CameraModel
import Foundation
import GTKKit

/// The buttons of the depth screen at its top, and at its bottom the legend of the colours with the mix of map and picture.
@MainActor
final class DepthTools {
  /// Points or map, smoothing, sway, and photos turned by nods.
  let buttons: Box
  /// The legend, and the mix.
  let scale: Box
  private let cloud = Button(icon: "obscura-cloud-symbolic", tr("Show the points in space"))
  private let smooth = Button(icon: "obscura-smooth-symbolic", tr("Smooth the map"))
  private let sway = Button(icon: "obscura-sway-symbolic", tr("Sway"))
  private let back = Button(icon: "view-restore-symbolic", tr("Put the points back"))
  private let near = Label().styled("caption-heading")
  private let far = Label().styled("caption-heading")
  private let legend: Box
  private let mix = Slider(0...1, step: 0.05).expanding(true, false)

  /// - Parameter pages: The button of the photos that are turned by nods.
  init(_ model: CameraModel, pages: Button) {
    buttons = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 2, cloud, smooth, sway, back, pages).styled("osd-pill")
    buttons.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_START).margins(top: 12)
    let bar = Canvas { pen, width, height in Self.draw(pen, width, height) }
    bar.expanding(true, false).aligned(GTK_ALIGN_FILL, GTK_ALIGN_CENTER).least(width: 90, height: 8)
    legend = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, near, bar, far)
    mix.named(tr("Mix of picture and depth map"))
    let row = Box(
      GTK_ORIENTATION_HORIZONTAL, spacing: 4, Icon("camera-photo-symbolic"), mix,
      Icon("obscura-depth-symbolic"))
    scale = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, legend, row).styled("depth-scale")
    scale.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_END).margins(bottom: 14)
    scale.least(width: 260)
    cloud.setAction("app.depth-points")
    smooth.setAction("app.depth-smooth")
    sway.setAction("app.depth-sway")
    back.setAction("app.depth-back")
    mix.onMove { model.setDepthMix($0) }
    model.state.observe { [self] state in render(state) }
  }

  private func render(_ state: CameraState) {
    let depth = state.depth
    let isUsed = state.mode == .depth && state.availability.isRunning && !state.lacksDepth
    buttons.isVisible = isUsed
    scale.isVisible = isUsed && !depth.showsCloud && depth.page == nil
    cloud.setStyle("chosen", depth.showsCloud)
    cloud.described(depth.showsCloud ? tr("Show the depth map") : tr("Show the points in space"))
    smooth.isVisible = !depth.showsCloud
    smooth.setStyle("chosen", depth.smooths)
    smooth.described(depth.smooths ? tr("Show what the sensor measured") : tr("Smooth the map"))
    sway.isVisible = depth.showsCloud
    sway.setStyle("chosen", depth.sways)
    sway.described(depth.sways ? tr("Stop swaying") : tr("Sway"))
    back.isVisible = depth.showsCloud
    mix.value = depth.mix
    near.text = depth.nearest.map(Words.metres) ?? "—"
    far.text = depth.farthest.map(Words.metres) ?? "—"
  }

  /// The colours from near to far.
  private static func draw(_ pen: Pen, _ width: Double, _ height: Double) {
    let colors = FalseColors.colors.reversed().map { $0 }
    let steps = max(Int(width), 1)
    for step in 0..<steps {
      let place = Double(step) / Double(steps) * Double(colors.count - 1)
      let lower = min(Int(place), colors.count - 2)
      let share = place - Double(lower)
      let (one, other) = (colors[lower], colors[lower + 1])
      pen.color(
        one.red + (other.red - one.red) * share, one.green + (other.green - one.green) * share,
        one.blue + (other.blue - one.blue) * share)
      pen.rectangle(Double(step), 0, 1.5, height)
      pen.fill()
    }
  }
}
