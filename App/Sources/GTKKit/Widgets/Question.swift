import CGTK

/// A question over a window, with one answer beside "no".
@MainActor
package struct Question {
  package var title: String
  package var text = ""
  /// The words of the answer that does something.
  package var answer: String
  /// The words of the answer that does nothing.
  package var refusal: String
  /// Whether the answer takes something away.
  package var isDestructive = false
  /// The line that the user writes: its hint, and its text at first.
  package var line: (hint: String, text: String)?

  /// A question without a line to write.
  package init(_ title: String, answer: String, refusal: String) {
    self.title = title
    self.answer = answer
    self.refusal = refusal
  }

  /// Asks it; `body` gets what the user has written, and is not called when the user refuses.
  package func ask(over window: Window, _ body: @escaping @MainActor (String) -> Void) {
    guard let raw = adw_message_dialog_new(window.pointer(), title, text) else { return }
    let dialog = Widget(UnsafeMutableRawPointer(raw))
    adw_message_dialog_add_response(dialog.pointer(), "no", refusal)
    adw_message_dialog_add_response(dialog.pointer(), "yes", answer)
    adw_message_dialog_set_response_appearance(
      dialog.pointer(), "yes", isDestructive ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED)
    adw_message_dialog_set_default_response(dialog.pointer(), isDestructive ? "no" : "yes")
    adw_message_dialog_set_close_response(dialog.pointer(), "no")
    let entry = line.map { line in
      let entry = Entry(hint: line.hint)
      entry.text = line.text
      gtk_entry_set_activates_default(entry.pointer(), 1)
      adw_message_dialog_set_extra_child(dialog.pointer(), entry.widget)
      return entry
    }
    dialog.on("response") { (answer: String) in if answer == "yes" { body(entry?.text ?? "") } }
    gtk_window_present(dialog.pointer())
    entry?.focus()
  }
}
