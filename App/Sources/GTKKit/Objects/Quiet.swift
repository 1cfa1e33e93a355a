import CGTK

/// Changes that the program makes are not reported as the user's.
///
/// The mark is on the object itself, since its handlers outlive the wrapper that connected them.
extension Object {
  private static let mark = "gtkkit-quiet"

  /// Changes the object while its handlers keep still.
  func quietly(_ change: () -> Void) {
    g_object_set_data(pointer(), Self.mark, raw)
    change()
    g_object_set_data(pointer(), Self.mark, nil)
  }

  /// Whether the program itself changes the object now.
  static func isQuiet(_ raw: UnsafeMutableRawPointer) -> Bool {
    g_object_get_data(raw.assumingMemoryBound(to: GObject.self), mark) != nil
  }
}
