import CGTK
import CameraModel
import Foundation
import GTKKit

/// The card that shows a found code's content and the actions for it.
@MainActor
final class HitCard {
  let widget: Revealer
  private let model: CameraModel
  private let kind = Label().styled("dim-label", "caption-heading").leading()
  private let content = Label().styled("content").leading().wrapping(lines: 3)
  private let detail = Label().styled("dim-label").leading().wrapping(lines: 2)
  private let act = Button(tr("Open Link")).styled("suggested-action", "pill")
  private let copy = Button(tr("Copy")).styled("pill")
  private let next = Button(tr("Scan On")).styled("pill")

  init(_ model: CameraModel) {
    self.model = model
    let buttons = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, act, copy, next).margins(top: 10)
    let card = Box(GTK_ORIENTATION_VERTICAL, spacing: 4, kind, content, detail, buttons).styled("hit")
    card.least(width: 280)
    widget = Revealer(card, GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
    widget.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_END)
    act.onPress { [self] in if let hit = model.state.value.scan.hit { begin(hit.content) } }
    copy.onPress { [self] in if let hit = model.state.value.scan.hit { toClipboard(hit.content) } }
    next.onPress { model.dismissHit() }
    model.state.observe { [self] in render($0.scan.hit) }
  }

  private func render(_ hit: FoundCode?) {
    widget.isRevealed = hit != nil
    gtk_widget_set_can_target(widget.widget, hit == nil ? 0 : 1)
    guard let hit else { return }
    // The card leaves the code in sight.
    var height = 0.0
    for corner in hit.corners { height += Double(corner.y) }
    widget.aligned(GTK_ALIGN_CENTER, height > Double(hit.corners.count) / 2 ? GTK_ALIGN_START : GTK_ALIGN_END)
    kind.text = hit.kind
    content.text = hit.content.text
    act.isVisible = true
    detail.isVisible = false
    switch hit.content {
    case .link: act.setLabel(tr("Open Link"))
    case .mail: act.setLabel(tr("Write Mail"))
    case .phone: act.setLabel(tr("Call"))
    case .network(let network):
      act.setLabel(tr("Connect"))
      detail.isVisible = true
      detail.text =
        network.password == nil ? tr("Open wireless network") : tr("Wireless network with a password")
    case .text: act.isVisible = false
    }
  }

  private func begin(_ content: CodeContent) {
    if case .network(let network) = content { return model.join(network) }
    guard let url = content.opens else { return }
    // The desktop asks the user where it must; nothing else than links, mail and calls comes here.
    gtk_show_uri(nil, url.absoluteString, 0)
    model.dismissHit()
  }

  private func toClipboard(_ content: CodeContent) {
    var text = content.text
    if case .network(let network) = content, let password = network.password { text = password }
    gdk_clipboard_set_text(gtk_widget_get_clipboard(widget.widget), text)
    model.onNotice(.copied)
  }
}
