import CameraModel
import Foundation

/// The options of the command line.
struct ProgramOptions {
  /// The text that is printed instead of opening a window.
  private(set) var answer: String?
  private(set) var exitCode: Int32 = 0
  private(set) var devices: String?
  /// The measurements that the program makes before it ends; none where this is empty.
  private(set) var parts: Set<BenchPart> = []
  /// The library has at least so many photos when it is measured.
  private(set) var benchPhotos = 10_000
  /// For so many minutes it stays open when that is measured.
  private(set) var benchMinutes = 10
  /// The window's size at first; where it is not given, as it was when the program ended.
  private(set) var windowSize: (width: Int, height: Int)?

  init(_ arguments: [String]) {
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": answer = Self.help
      case "--bench": parts = [.start, .press]
      case _ where word.hasPrefix("--bench="):
        let names = word.dropFirst(8).split(separator: ",").map(String.init)
        parts = Set(names.compactMap(BenchPart.init(rawValue:)))
        let unknown = names.first { BenchPart(rawValue: $0) == nil }
        if let unknown {
          refuse("\(unknown) is not measured; start, press, preview, scroll, memory and stay are.")
        }
      case _ where word.hasPrefix("--bench-photos="):
        if let count = Int(word.dropFirst(15)), count > 0 {
          benchPhotos = count
        } else {
          refuse("--bench-photos needs a number.")
        }
      case _ where word.hasPrefix("--bench-minutes="):
        if let count = Int(word.dropFirst(16)), count > 0 {
          benchMinutes = count
        } else {
          refuse("--bench-minutes needs a number.")
        }
      case _ where word.hasPrefix("--window="):
        let sides = word.dropFirst(9).split(separator: "x").compactMap { Int($0) }
        if sides.count == 2, sides.allSatisfy({ (100...16_384).contains($0) }) {
          windowSize = (sides[0], sides[1])
        } else {
          refuse("--window needs a width and a height: --window=360x720.")
        }
      case "--devices":
        devices = rest.popFirst()
        if devices == nil { refuse("--devices needs a word, such as simulated; --help lists them.") }
      case _ where word.hasPrefix("--devices="): devices = String(word.dropFirst(10))
      default: refuse("\(word) is no option of obscura-camera; --help lists them.")
      }
    }
  }

  var measures: Bool { !parts.isEmpty }

  private mutating func refuse(_ sentence: String) {
    answer = sentence
    exitCode = 2
  }

  /// Lets the library take its devices from where the user wants.
  func chooseDevices() {
    guard let devices else { return }
    // Also what says that photos of simulated cameras are not kept among the user's.
    setenv("OBSCURA_DEVICES", devices, 1)
    if devices == "simulated" { DemoCameras.install() }
  }

  private static let help = """
    Usage: obscura-camera [OPTION]…

      --devices WORDS  where cameras come from: v4l2, simulated, simulated:FILE.json, movie:FILE
      --window=WIDTHxHEIGHT
                       the window's size at first
      --bench          print the time to the first picture and from press to thumbnail, then end
      --bench=PARTS    measure some of start, press, preview, scroll, memory, stay; each figure is a line of JSON
      --bench-photos=N a library of so many photos is scrolled; 10000 without this
      --bench-minutes=N
                       for how long it stays open, with a photo every three seconds; 10 without this
      --help           print this

    Measured are photos of a folder of their own, which goes with the program; OBSCURA_BENCH_FOLDER names one that stays.
    """
}
