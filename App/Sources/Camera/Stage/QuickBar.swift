import CGTK
import CameraModel
import GTKKit

/// Flash, timer, Live Photos, raw photos, depth, filter, aspect and grid, at the top of the picture.
@MainActor
final class QuickBar {
  let widget: Box
  private let flash = Button(icon: "obscura-flash-off-symbolic", tr("Flash"))
  private let timer = Button(icon: "obscura-timer-symbolic", tr("Timer"))
  private let live = Button(icon: "obscura-live-symbolic", tr("Live Photos"))
  private let raw = Button(icon: "obscura-live-symbolic", tr("Raw photos")).styled("ratio")
  private let depth = Button(icon: "obscura-depth-symbolic", tr("Depth in photos"))
  private let filter = Button(icon: "obscura-filter-symbolic", tr("Filter"))
  private let aspect = Button(icon: "obscura-aspect-symbolic", tr("Aspect ratio")).styled("ratio")
  private let grid = Button(icon: "obscura-grid-symbolic", tr("Grid"))

  init(_ model: CameraModel) {
    widget = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 2, flash, timer, live, raw, depth, filter, aspect, grid)
      .styled("osd-pill")
    widget.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_START).margins(top: 12)
    flash.setAction("app.flash")
    timer.setAction("app.timer")
    live.setAction("app.live")
    raw.setLabel("RAW")
    raw.setAction("app.raw")
    depth.setAction("app.depth-in-photos")
    filter.setAction("app.filter")
    aspect.setAction("app.aspect")
    grid.setAction("app.grid")
    model.state.observe { [self] state in
      widget.isVisible = state.mode == .photo && state.availability.isRunning
      flash.isVisible = !state.abilities.flashModes.isEmpty
      live.isVisible = state.abilities.supportsLivePhotos
      raw.isVisible = state.abilities.offersRaw
      depth.isVisible = state.abilities.supportsDepthInPhotos
      filter.isVisible = state.abilities.givesPixels
      aspect.isVisible = state.abilities.givesPixels
      flash.setIcon(Self.icon(state.flash))
      flash.described(Words.flash(state.flash))
      flash.setStyle("chosen", state.flash != .off)
      timer.setIcon(Self.icon(state.timer))
      timer.described(Words.timer(state.timer))
      timer.setStyle("chosen", state.timer != .off)
    }
    model.settings.observe { [self] settings in
      live.setStyle("chosen", settings.takesLivePhotos)
      live.described(settings.takesLivePhotos ? tr("Take photos without movies") : tr("Take Live Photos"))
      raw.setStyle("chosen", settings.takesRaw)
      raw.described(settings.takesRaw ? tr("Take photos without raw pictures") : tr("Take raw photos"))
      depth.setStyle("chosen", settings.takesDepth)
      depth.described(settings.takesDepth ? tr("Take photos without depth") : tr("Take photos with depth"))
      filter.setStyle("chosen", settings.filter != .none)
      filter.described(Words.filter(settings.filter))
      aspect.setStyle("chosen", settings.aspect != .sensor)
      if settings.aspect == .sensor {
        aspect.setIcon("obscura-aspect-symbolic")
      } else {
        aspect.setLabel(settings.aspect.rawValue)
      }
      aspect.described(Words.aspect(settings.aspect))
      grid.setStyle("chosen", settings.showsGrid)
      grid.described(settings.showsGrid ? tr("Hide the grid") : tr("Show a grid"))
    }
  }

  private static func icon(_ flash: FlashChoice) -> String {
    switch flash {
    case .off: "obscura-flash-off-symbolic"
    case .auto: "obscura-flash-auto-symbolic"
    case .on: "obscura-flash-symbolic"
    }
  }

  private static func icon(_ timer: TimerChoice) -> String {
    switch timer {
    case .off: "obscura-timer-symbolic"
    case .three: "obscura-timer-3-symbolic"
    case .ten: "obscura-timer-10-symbolic"
    }
  }
}
