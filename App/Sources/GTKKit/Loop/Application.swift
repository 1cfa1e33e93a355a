import CGTK
import GTKLayers
import Glibc

/// A program with windows, known to the desktop by its identifier; its actions can be called over D-Bus.
package final class Application: Object {
  /// The identifier: `org.example.Program`.
  package let identifier: String

  /// A program; `isUnique` lets a second start show the first one's window instead.
  package init(identifier: String, isUnique: Bool) {
    self.identifier = identifier
    let flags = isUnique ? GApplicationFlags(rawValue: 0) : G_APPLICATION_NON_UNIQUE
    super.init(UnsafeMutableRawPointer(adw_application_new(identifier, flags)))
  }

  /// Runs the main loop until the program is quit; `activate` opens or shows the window.
  ///
  /// - Returns: The exit code.
  package func run(activate: @escaping @MainActor () -> Void) -> Int32 {
    runMainQueueInMainLoop()
    on("activate", activate)
    return g_application_run(pointer(), 0, nil)
  }

  /// Ends ``run(activate:)``.
  package func quit() {
    g_application_quit(pointer())
  }

  /// An action without a parameter, with the keys that call it: `<Control>q`.
  package func addAction(_ name: String, keys: [String] = [], _ body: @escaping @MainActor () -> Void) {
    let action = Object(g_simple_action_new(name, nil))
    action.on("activate", body)
    g_action_map_add_action(opaque, action.opaque)
    setKeys(keys, for: "app.\(name)")
  }

  /// An action that takes a text: `app.mode::photo`.
  package func addAction(_ name: String, taking body: @escaping @MainActor (String) -> Void) {
    let type = g_variant_type_new("s")
    let action = Object(g_simple_action_new(name, type))
    g_variant_type_free(type)
    action.on("activate") { (argument: VariantText) in body(argument.text) }
    g_action_map_add_action(opaque, action.opaque)
  }

  /// Lets an action be called, or not for now.
  package func setEnabled(_ name: String, _ on: Bool) {
    guard let action = g_action_map_lookup_action(opaque, name) else { return }
    g_simple_action_set_enabled(action, on ? 1 : 0)
  }

  /// The keys that call an action with its target: `app.mode::photo`.
  package func setKeys(_ keys: [String], for action: String) {
    guard !keys.isEmpty else { return }
    var texts: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(strdup($0)) }
    texts.append(nil)
    gtk_application_set_accels_for_action(pointer(), action, &texts)
    for text in texts { free(UnsafeMutableRawPointer(mutating: text)) }
  }
}

/// The text in a variant.
private struct VariantText: SignalArgument {
  var text: String

  static func read(_ value: UnsafePointer<GValue>) -> VariantText {
    guard let variant = g_value_get_variant(value), let text = g_variant_get_string(variant, nil) else {
      return VariantText(text: "")
    }
    return VariantText(text: String(cString: text))
  }
}
