import Foundation

/// What the user has chosen and the program remembers.
public struct Settings: Sendable, Equatable, Codable {
  /// Whether colours follow the desktop.
  public enum Appearance: String, Sendable, Codable, CaseIterable { case system, light, dark }

  /// A photo shows what the viewfinder showed at the press.
  public var zeroShutterLag = true
  /// The next photo may begin while the last is made.
  public var responsiveCapture = true
  /// When presses come fast, quality gives way.
  public var fastCapture = false
  public var format = PhotoFormat.jpeg
  public var quality = PhotoQuality.balanced
  public var flash = FlashChoice.off
  public var timer = TimerChoice.off
  public var playsSound = true
  public var showsGrid = false
  /// Whether front cameras look like a mirror; what is stored is never mirrored.
  public var mirrorsFront = true
  public var showsFigures = false
  public var appearance = Appearance.system
  /// Where photos go; `nil` is the folder Camera in the user's folder of pictures.
  public var folder: String?
  public var camera: String?

  /// What holds before the user has chosen.
  public init() {}

  /// Reads what is there, and takes the usual for what is missing or unknown: settings of another version are not lost.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) {
      if let read = try? box.decode(Value.self, forKey: key) { value = read }
    }
    read(.zeroShutterLag, &zeroShutterLag)
    read(.responsiveCapture, &responsiveCapture)
    read(.fastCapture, &fastCapture)
    read(.format, &format)
    read(.quality, &quality)
    read(.flash, &flash)
    read(.timer, &timer)
    read(.playsSound, &playsSound)
    read(.showsGrid, &showsGrid)
    read(.mirrorsFront, &mirrorsFront)
    read(.showsFigures, &showsFigures)
    read(.appearance, &appearance)
    folder = try? box.decodeIfPresent(String.self, forKey: .folder)
    camera = try? box.decodeIfPresent(String.self, forKey: .camera)
  }
}
