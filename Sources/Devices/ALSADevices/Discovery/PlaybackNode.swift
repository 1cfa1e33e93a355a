internal import CALSA
internal import Foundation

/// A playback device of a sound card, as the kernel lists it; nothing is opened.
///
/// Linux: `Documentation/sound/designs/procfile.rst`.
package struct PlaybackNode: Sendable, Hashable {
  /// The name for people.
  package var name: String
  /// Its card's short name with the device's number: the same as long as the cards are.
  package var uniqueID: String
  /// Whether the card is on the USB.
  package var isUSB = false
  /// Whether it plays through a screen's cable.
  package var isHDMI = false

  /// The volume of this machine's default card, 0 to 1 of its mixer's range; `nil` where it has no volume that can be read.
  package static var volume: Float? {
    let card = cam_alsa_default_card()
    let thousandths = card < 0 ? -1 : cam_alsa_playback_volume(card)
    return thousandths < 0 ? nil : Float(thousandths) / 1000
  }

  /// The nodes that `proc/asound` lists in the folder `root`, in the order of the cards, screens last.
  package static func all(root: String) -> [PlaybackNode] {
    // A machine without sound cards has no such files.
    guard let list = try? String(contentsOfFile: "\(root)/proc/asound/pcm", encoding: .utf8) else {
      return []
    }
    let nodes = list.split(separator: "\n").compactMap { line in
      PlaybackNode(line: String(line), cards: "\(root)/proc/asound")
    }
    return nodes.filter { !$0.isHDMI } + nodes.filter(\.isHDMI)
  }

  /// A line such as `00-03: HDMI 0 : HDMI 0 : playback 1`; `nil` for one that does not play.
  private init?(line: String, cards: String) {
    let parts = line.components(separatedBy: ": ").map { $0.trimmingCharacters(in: .whitespaces) }
    let numbers = parts.first?.split(separator: "-").compactMap { Int($0) } ?? []
    guard numbers.count == 2, parts.count > 3,
      parts.dropFirst(3).contains(where: { $0.hasPrefix("playback") })
    else { return nil }
    let card = "\(cards)/card\(numbers[0])"
    let id =
      (try? String(contentsOfFile: "\(card)/id", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines) ?? "card\(numbers[0])"
    // Only cards on the USB have this file.
    isUSB = FileManager.default.fileExists(atPath: "\(card)/usbid")
    isHDMI = parts[1].uppercased().contains("HDMI") || parts[1].contains("DisplayPort")
    name = parts[2].isEmpty ? parts[1] : parts[2]
    uniqueID = "speaker-\(id)-device-\(numbers[1])"
  }
}
