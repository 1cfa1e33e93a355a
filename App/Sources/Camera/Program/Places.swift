import Foundation

/// Paths of the program's own resources: beside an installed program, or in the source's folder.
enum Places {
  static let identifier = "org.obscura.Camera"
  static let domain = "obscura-camera"

  /// The folder that holds `obscura-camera`, `icons` and `locale`.
  private static let share: URL? = {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let share = program.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "share")
    let isThere = FileManager.default.fileExists(
      atPath: share.appendingPathComponent("obscura-camera/style.css").path)
    return isThere ? share : nil
  }()

  private static let source = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static var styleSheet: String {
    (share?.appendingPathComponent("obscura-camera/style.css")
      ?? source.appendingPathComponent("Data/style.css"))
      .path
  }

  static var shortcuts: String {
    (share?.appendingPathComponent("obscura-camera/shortcuts.ui")
      ?? source.appendingPathComponent("Data/ui/shortcuts.ui")).path
  }

  static var icons: String {
    (share?.appendingPathComponent("icons") ?? source.appendingPathComponent("Data/icons")).path
  }

  /// Catalogues of an installed program, or those that `make app` has put beside the products.
  static var catalogues: String {
    (share?.appendingPathComponent("locale") ?? source.appendingPathComponent(".build/locale")).path
  }
}
