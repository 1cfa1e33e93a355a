import CameraModel
import Foundation

/// What the command line asks for.
struct ProgramOptions {
  /// What is printed instead of opening a window.
  private(set) var answer: String?
  private(set) var exitCode: Int32 = 0
  private(set) var devices: String?
  /// Whether the program measures itself and ends.
  private(set) var measures = false

  init(_ arguments: [String]) {
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": answer = Self.help
      case "--bench": measures = true
      case "--devices":
        devices = rest.popFirst()
        if devices == nil { refuse("--devices needs a word: v4l2, simulated, or simulated:FILE.json.") }
      case _ where word.hasPrefix("--devices="): devices = String(word.dropFirst(10))
      default: refuse("\(word) is no option of obscura-camera; --help lists them.")
      }
    }
  }

  private mutating func refuse(_ sentence: String) {
    answer = sentence
    exitCode = 2
  }

  /// Lets the library take its devices from where the user wants.
  func chooseDevices() {
    guard let devices else { return }
    if devices == "simulated" { return DemoCameras.install() }
    setenv("OBSCURA_DEVICES", devices, 1)
  }

  private static let help = """
    Usage: obscura-camera [OPTION]…

      --devices WORDS  where cameras come from: v4l2, simulated, simulated:FILE.json
      --bench          print the time to the first picture and from press to thumbnail, then end
      --help           print this
    """
}
