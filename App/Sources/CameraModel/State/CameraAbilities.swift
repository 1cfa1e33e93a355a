/// What the camera in use can do, for the controls that are shown.
public struct CameraAbilities: Sendable, Equatable {
  /// The factors that zoom may have, as they are shown: 1 is the main lens.
  public var zoom: ClosedRange<Double> = 1...1
  /// The factors that have a button of their own.
  public var zoomPresets: [Double] = []
  public var flashModes: [FlashChoice] = []
  public var canFocusAtPoint = false
  public var canExposeAtPoint = false
  /// Stops that the exposure can be made darker or brighter; none when the camera cannot.
  public var bias: ClosedRange<Double>?
  public var hasTorch = false
  public var supportsZeroShutterLag = false
  public var supportsResponsiveCapture = false
  public var supportsFastCapture = false
  public var photoFormats: [PhotoFormat] = [.jpeg]

  /// A camera that can do nothing special.
  public init() {}
}

/// When the flash fires.
public enum FlashChoice: String, Sendable, Hashable, CaseIterable, Codable {
  case off, auto, on
}

/// How long the shutter waits after the press.
public enum TimerChoice: Int, Sendable, Hashable, CaseIterable, Codable {
  case off = 0
  case three = 3
  case ten = 10
}

/// How a photo is stored.
public enum PhotoFormat: String, Sendable, Hashable, CaseIterable, Codable {
  case jpeg, heic

  /// What a file's name ends with.
  public var suffix: String { self == .jpeg ? "jpg" : "heic" }
}

/// How much time a photo may take for its quality.
public enum PhotoQuality: String, Sendable, Hashable, CaseIterable, Codable {
  case speed, balanced, quality
}
