public import CaptureDevice
public import Foundation

/// A scene that simulated cameras see and microphones hear, with its devices and their faults.
///
/// A value: build one in code, read one from a file with ``init(contentsOf:)``, or take ``builtIn``. Lengths are
/// fractions of the frame in sensor orientation (landscape, origin top left, x to the right), depths are metres,
/// angles degrees clockwise, times seconds. The same scene with the same seed and the same calls gives the same bytes.
public struct Scene: Sendable {
  /// The seed of all chance in the scene: noise, drops, jitter.
  public var seed: UInt64
  /// The light in lux; auto exposure follows it, and noise follows from the ISO it picks.
  public var lux: Double
  /// The colour of the light in kelvin: daylight from 4000 on, a glowing body below; 6504 is the D65 of sRGB.
  public var lightTemperature = Scene.neutralTemperature
  /// Whether every frame carries its number, see ``FrameStamp``.
  public var isStamped: Bool
  /// Whether sensors add noise, and do not know all depth; a scene file's always do.
  public var isNoisy: Bool
  /// The background behind all layers.
  public var background: SceneBackground
  /// Back to front.
  public var layers: [SceneLayer]
  /// The shake of the hand: RMS of the shift in pixels of a 1920 pixels wide frame; 0 is a tripod.
  public var shakePixels: Double
  /// Every so many seconds a click in the microphone and a white frame in the cameras; `nil` is silence.
  public var clickInterval: Double?
  /// The faults of the devices.
  public var faults: [SceneFault]
  /// The cameras and microphones that are there.
  public var devices: [SimulatedDeviceModel]
  /// Whether frames are painted once for each buffer and handed on: no pixel is written while streaming.
  ///
  /// For measuring what delivery costs by itself; such frames carry no stamp and no noise, and no control shows in them.
  public var isStill: Bool
  /// Whether each device sees the part of the scene that its lens would, instead of all of it.
  var followsFieldOfView: Bool

  /// A scene of a grey wall in 250 lux, seen by the built-in devices.
  public init(
    seed: UInt64 = 1, lux: Double = 250, isStamped: Bool = true, isNoisy: Bool = true,
    background: SceneBackground = SceneBackground(), layers: [SceneLayer] = [], shakePixels: Double = 0,
    clickInterval: Double? = nil, faults: [SceneFault] = [],
    devices: [SimulatedDeviceModel] = SimulatedDeviceModel.builtIn
  ) {
    self.seed = seed
    self.lux = lux
    self.isStamped = isStamped
    self.isNoisy = isNoisy
    self.background = background
    self.layers = layers
    self.shakePixels = shakePixels
    self.clickInterval = clickInterval
    self.faults = faults
    self.devices = devices
    isStill = false
    followsFieldOfView = false
  }

  /// The temperature of light in which the colours of things are what sRGB says.
  static let neutralTemperature = 6504.0

  /// Nothing to see and no pixel work: see ``isStill``.
  public static let blank: Scene = {
    var scene = Scene(isStamped: false, isNoisy: false)
    scene.isStill = true
    return scene
  }()
}

/// The background of a scene, behind all layers.
public struct SceneBackground: Sendable {
  /// The content, filling the frame (cropped where its shape differs).
  public var content: SceneContent
  /// Metres.
  public var depth: Double

  /// A background of `content`; a plain grey wall by default.
  public init(_ content: SceneContent = .color(red: 0.5, green: 0.5, blue: 0.5), depth: Double = 3) {
    self.content = content
    self.depth = depth
  }
}

/// One thing in a scene.
public struct SceneLayer: Sendable {
  /// The content that it shows.
  public var content: SceneContent
  /// The middle at time 0, in fractions of the frame's width and height.
  public var center: CGPoint
  /// The width, as a fraction of the frame's; the height follows from the content's shape.
  public var width: Double
  /// The height of a person from crown to hips, as a fraction of the frame's; `nil` follows from ``width``.
  public var height: Double?
  /// Degrees clockwise.
  public var angle: Double
  /// Metres; of a nodding disc the middle of its swing.
  public var depth: Double
  /// The middle's movement in each second, in fractions of the frame's width and height.
  public var velocity: CGPoint
  /// The places to which the middle goes, in the order of their times; at time 0 it is at ``center``.
  public var way: [SceneWayPoint] = []
  /// From when it shows, in seconds since the device started.
  public var from: Double
  /// Until when it shows; `nil` is for ever.
  public var to: Double?
  /// Whether it is a person's face, which automatic focus and exposure prefer unless a client switches that off.
  public var isFace = false
  /// A pendulum's way, for the built-in scene: fractions of the frame, and seconds.
  var swing: (x: Double, y: Double, period: Double)?
  /// Whose cameras see it, for the built-in scene: those on one side of the phone, or all.
  var position: DevicePosition?

  /// A thing that shows `content` in the middle of the frame by default.
  public init(
    _ content: SceneContent, center: CGPoint = CGPoint(x: 0.5, y: 0.5), width: Double = 0.25,
    angle: Double = 0,
    depth: Double = 1, velocity: CGPoint = CGPoint(x: 0, y: 0), from: Double = 0, to: Double? = nil
  ) {
    self.content = content
    self.center = center
    self.width = width
    self.angle = angle
    self.depth = depth
    self.velocity = velocity
    self.from = from
    self.to = to
  }

  /// Whether it ever changes place or shape; what never does is painted once and kept.
  var moves: Bool {
    velocity.x != 0 || velocity.y != 0 || swing != nil || !way.isEmpty || content.person != nil
  }

  /// Whether it shows at all times, always at the same depth.
  var isTimeless: Bool {
    if case .nod = content.kind { return false }
    return from <= 0 && to == nil
  }

  /// Whether it shows at `seconds` since the device started.
  func isVisible(at seconds: Double) -> Bool {
    seconds >= from && seconds < (to ?? .infinity)
  }

  /// The middle at `seconds` since the device started.
  func center(at seconds: Double) -> CGPoint {
    let start = way.isEmpty ? center : way.place(at: seconds, from: center)
    var point = CGPoint(x: start.x + velocity.x * seconds, y: start.y + velocity.y * seconds)
    if let swing {
      let phase = sin(2 * Double.pi * seconds / swing.period)
      point.x += swing.x * phase
      point.y += swing.y * phase
    }
    return point
  }

  /// The nearest that it ever is.
  var nearestDepth: Double {
    guard case .nod(let near, let far, _) = content.kind else { return depth }
    return min(near, far)
  }

  /// The depth at `seconds` since the device started.
  func depth(at seconds: Double) -> Double {
    guard case .nod(let near, let far, let period) = content.kind else { return depth }
    let phase = 0.5 - 0.5 * cos(2 * Double.pi * seconds / period)
    return near + (far - near) * phase
  }
}

/// The content of a layer or background: a picture, a drawing, a nodding disc or a person.
public struct SceneContent: Sendable {
  enum Kind: Sendable {
    case picture(ScenePicture)
    case drawing(any Drawing)
    case nod(near: Double, far: Double, period: Double)
    case person(ScenePerson)
  }

  let kind: Kind

  /// A raster picture, with alpha where it has any.
  public static func picture(_ picture: ScenePicture) -> SceneContent {
    SceneContent(kind: .picture(picture))
  }

  /// One colour in sRGB, components 0 to 1.
  public static func color(red: Double, green: Double, blue: Double) -> SceneContent {
    SceneContent(kind: .drawing(PlainColor(red: Float(red), green: Float(green), blue: Float(blue))))
  }

  /// A QR code with its quiet zone.
  ///
  /// - Parameter text: At most 213 bytes of UTF-8: versions 1 to 10 at error correction level M.
  /// - Throws: `invalidScene` when the text is longer.
  public static func qrCode(_ text: String) throws(CaptureDeviceError) -> SceneContent {
    SceneContent(kind: .drawing(try QRCode(text)))
  }

  /// A code of another kind than QR, with its quiet zone.
  ///
  /// - Throws: `invalidScene` when that kind of code cannot hold the text: an EAN-13 code needs 12 or 13 digits.
  public static func code(_ kind: SceneCodeKind, _ text: String) throws(CaptureDeviceError) -> SceneContent {
    if kind == .qr { return try .qrCode(text) }
    return SceneContent(kind: .drawing(try PaintedCode(kind, text)))
  }

  /// A head-sized disc whose depth swings between `near` and `far` metres each `period` seconds.
  ///
  /// Only its depth swings; it keeps the width that its layer states.
  public static func nod(near: Double, far: Double, period: Double) -> SceneContent {
    SceneContent(kind: .nod(near: near, far: far, period: period))
  }

  /// A drawn person, from above the head to the hips.
  public static func person(_ person: ScenePerson) -> SceneContent {
    SceneContent(kind: .person(person))
  }

  /// The person; `nil` where something else is shown.
  public var person: ScenePerson? {
    guard case .person(let person) = kind else { return nil }
    return person
  }

  /// Height over width; `nil` fills whatever frame it is given.
  var aspect: Double? {
    switch kind {
    case .picture(let picture): picture.aspect
    case .drawing(let drawing): drawing.aspect
    case .nod: Disc().aspect
    case .person: PersonDrawing.aspect
    }
  }

  /// The drawing that is painted at `seconds` since the device started.
  func drawing(at seconds: Double) -> any Drawing {
    switch kind {
    case .picture(let picture): picture
    case .drawing(let drawing): drawing
    case .nod: Disc()
    case .person(let person): PersonDrawing(person, at: seconds)
    }
  }
}
