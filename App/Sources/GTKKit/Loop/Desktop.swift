import CGTK
import Foundation

/// Hands files and folders to the desktop's other programs, and writes debug lines.
@MainActor
package enum Desktop {
  /// Writes a line for those who look for a mistake: where `G_MESSAGES_DEBUG` names the domain or says `all`.
  package static func note(_ text: String, domain: String) {
    g_log_default_handler(domain, G_LOG_LEVEL_DEBUG, text, nil)
  }

  /// Opens a file with the program that the user has chosen for its kind.
  package static func open(_ url: URL) { gtk_show_uri(nil, url.absoluteString, 0) }

  /// Lets the user choose a program, and opens a file with it.
  package static func openWith(_ url: URL, over window: Window) {
    guard let file = g_file_new_for_path(url.path) else { return }
    let dialog = Widget(
      UnsafeMutableRawPointer(gtk_app_chooser_dialog_new(window.pointer(), GTK_DIALOG_MODAL, file)))
    dialog.on("response") { (answer: Int) in
      if answer == Int(GTK_RESPONSE_OK.rawValue), let program = gtk_app_chooser_get_app_info(dialog.opaque) {
        var list = g_list_append(nil, UnsafeMutableRawPointer(file))
        g_app_info_launch(program, list, nil, nil)
        g_list_free(list)
        list = nil
        g_object_unref(UnsafeMutableRawPointer(program))
      }
      g_object_unref(UnsafeMutableRawPointer(file))
      gtk_window_destroy(dialog.pointer())
    }
    gtk_window_present(dialog.pointer())
  }

  /// Lets the user choose a folder.
  package static func chooseFolder(
    _ title: String, over window: Widget, _ body: @escaping @MainActor (URL) -> Void
  ) {
    choose(GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, title, over: window, body)
  }

  /// Lets the user choose a file whose name ends in one of these ways, in either case.
  package static func chooseFile(
    _ title: String, suffixes: [String], over window: Widget, _ body: @escaping @MainActor (URL) -> Void
  ) {
    choose(GTK_FILE_CHOOSER_ACTION_OPEN, title, suffixes: suffixes, over: window, body)
  }

  private static func choose(
    _ kind: GtkFileChooserAction, _ title: String, suffixes: [String] = [], over window: Widget,
    _ body: @escaping @MainActor (URL) -> Void
  ) {
    guard let raw = gtk_file_chooser_native_new(title, window.pointer(), kind, nil, nil) else { return }
    let dialog = Object(taking: raw)
    // The dialog lives until it is answered.
    g_object_ref(dialog.raw)
    let pointer = dialog.raw
    if !suffixes.isEmpty, let filter = gtk_file_filter_new() {
      for suffix in suffixes { gtk_file_filter_add_suffix(filter, suffix) }
      gtk_file_chooser_set_filter(OpaquePointer(pointer), filter)
      g_object_unref(UnsafeMutableRawPointer(filter))
    }
    dialog.on("response") { (answer: Int) in
      if answer == Int(GTK_RESPONSE_ACCEPT.rawValue),
        let file = gtk_file_chooser_get_file(OpaquePointer(pointer))
      {
        if let path = g_file_get_path(file) {
          body(URL(fileURLWithPath: String(cString: path)))
          g_free(path)
        }
        g_object_unref(UnsafeMutableRawPointer(file))
      }
      g_object_unref(pointer)
    }
    gtk_native_dialog_show(dialog.pointer())
  }

  /// Shows files in their folder, by the desktop's file manager.
  package static func showInFiles(_ urls: [URL]) {
    guard let first = urls.first, let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return }
    let names = urls.map(\.absoluteString)
    var texts: [UnsafePointer<CChar>?] = names.map { UnsafePointer(strdup($0)) }
    var parts: [OpaquePointer?] = [
      g_variant_new_strv(&texts, gssize(names.count)), g_variant_new_string(""),
    ]
    for text in texts { free(UnsafeMutableRawPointer(mutating: text)) }
    let folder = Unmanaged.passRetained(Text(first.deletingLastPathComponent().absoluteString)).toOpaque()
    g_dbus_connection_call(
      bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1",
      "ShowItems", g_variant_new_tuple(&parts, 2), nil, G_DBUS_CALL_FLAGS_NONE, 5000, nil,
      { bus, result, data in
        guard let data else { return }
        let folder = Unmanaged<Text>.fromOpaque(data).takeRetainedValue().text
        if let answer = g_dbus_connection_call_finish(OpaquePointer(bus), result, nil) {
          g_variant_unref(answer)
        } else {
          // A desktop without that service shows the folder at least.
          gtk_show_uri(nil, folder, 0)
        }
      }, folder)
    g_object_unref(UnsafeMutableRawPointer(bus))
  }

  private final class Text {
    let text: String
    init(_ text: String) { self.text = text }
  }

  /// Puts files on the clipboard, for mail, chats and file managers.
  package static func copy(_ urls: [URL], from widget: Widget) {
    var list: UnsafeMutablePointer<GSList>?
    for url in urls.reversed() {
      list = g_slist_prepend(list, UnsafeMutableRawPointer(g_file_new_for_path(url.path)))
    }
    guard let files = gdk_file_list_new_from_list(list) else { return }
    var value = GValue()
    g_value_init(&value, gdk_file_list_get_type())
    g_value_take_boxed(&value, UnsafeRawPointer(files))
    gdk_clipboard_set_value(gtk_widget_get_clipboard(widget.widget), &value)
    g_value_unset(&value)
    g_slist_free_full(list) { g_object_unref($0) }
  }
}
