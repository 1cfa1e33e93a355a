import CGTK
import CameraModel
import GTKKit

/// What is shown in place of a picture: a spinner at the start, or what is wrong and the remedy.
@MainActor
final class StatusView {
  let widget: Stack
  private let page = StatusPage()
  private let retry = Button("").styled("pill", "suggested-action").aligned(GTK_ALIGN_CENTER)
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

  private var shown: Availability?

  func show(_ availability: Availability) {
    guard availability != shown else { return }
    shown = availability
    Desktop.note("state: \(availability)", domain: Places.domain)
    if let words = StatusWords(availability) {
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
