import CameraModel
import Foundation

/// The desktop's sound of a shutter, by the program that desktops bring for it.
enum Sounds {
  private static let player = ["/usr/bin/canberra-gtk-play", "/usr/local/bin/canberra-gtk-play"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Whether there is something that can play.
  static var canPlay: Bool { player != nil }

  static func shutter(_ settings: Settings) {
    guard settings.playsSound, let player else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: player)
    process.arguments = ["-i", "camera-shutter"]
    try? process.run()
  }
}
