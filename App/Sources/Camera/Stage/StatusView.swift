import CGTK
import CameraModel
import GTKKit

/// The view in place of a missing picture: a spinner at the start, or a page with the problem and its remedy.
@MainActor
final class StatusView {
  let widget: Stack
  private let page = StatusPage()
  private let retry = Button(tr("Try Again")).styled("pill", "suggested-action").aligned(GTK_ALIGN_CENTER)
  private let spinner = Object(gtk_spinner_new())

  init() {
    widget = Stack().styled("state-page").expanding()
    let empty = Box(GTK_ORIENTATION_VERTICAL)
    let waiting = Widget(spinner.raw).aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER).least(width: 48, height: 48)
    waiting.named(tr("The camera is starting"))
    widget.add(empty, "none")
    widget.add(waiting, "starting")
    widget.add(page.expanding(), "page")
    retry.setAction("app.retry")
    page.setChild(retry)
  }

  private var shown: (availability: Availability, lockedFolder: String?, lacksDepth: Bool)?

  /// Shows the camera's state; while it runs, a folder that photos cannot be kept in, or that it measures no depth where that is
  /// wanted.
  func show(_ availability: Availability, lockedFolder: String?, lacksDepth: Bool) {
    guard shown.map({ $0 != (availability, lockedFolder, lacksDepth) }) ?? true else { return }
    let isNew = availability != shown?.availability
    shown = (availability, lockedFolder, lacksDepth)
    if isNew { Desktop.note("state: \(availability)", domain: Places.domain) }
    let folder = availability.isRunning ? lockedFolder : nil
    if let folder { Desktop.note("locked folder: \(folder)", domain: Places.domain) }
    retry.setAction(folder == nil ? "app.retry" : "app.settings")
    let isUseless = availability.isRunning && lacksDepth
    if let words = folder.map({ StatusWords(lockedFolder: $0) }) ?? StatusWords(availability)
      ?? (isUseless ? StatusWords.lacksDepth : nil)
    {
      page.show(icon: words.icon, title: words.title, text: words.text)
      retry.isVisible = words.retry != nil
      retry.setLabel(words.retry ?? "")
      widget.shown = "page"
    } else {
      widget.shown = availability == .starting ? "starting" : "none"
    }
    if availability == .starting {
      gtk_spinner_start(spinner.opaque)
    } else {
      gtk_spinner_stop(spinner.opaque)
    }
    // What lies below is to be touched while there is nothing to say.
    gtk_widget_set_can_target(widget.widget, widget.shown == "page" ? 1 : 0)
  }
}
