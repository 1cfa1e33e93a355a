internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PeopleFinding
internal import PixelTransforms
internal import VideoEffects

/// The effects to time: one alone, with its mask known, or Portrait with all that it needs and a reaction over it.
enum TimedEffect {
  case centerStage
  case light
  case background
  case portrait(ReactionKind?)

  /// The effect of a word: `center-stage`, `light`, `background`, `portrait`, or a reaction's own.
  init?(_ word: String) {
    switch word {
    case "center-stage": self = .centerStage
    case "light": self = .light
    case "background": self = .background
    case "portrait": self = .portrait(nil)
    default:
      guard let kind = ReactionKind(rawValue: word) else { return nil }
      self = .portrait(kind)
    }
  }
}

/// Wall and processor time, of all threads, in milliseconds.
struct SpentTime {
  var wall: Double
  var processor: Double

  /// The times of this moment.
  static var now: SpentTime {
    SpentTime(
      wall: Double(DispatchTime.now().uptimeNanoseconds) / 1e6,
      processor: Double(clock()) / Double(CLOCKS_PER_SEC) * 1000)
  }

  /// The times since that moment.
  var elapsed: SpentTime {
    let now = Self.now
    return SpentTime(wall: now.wall - wall, processor: now.processor - processor)
  }
}

/// Effects on one stream of pictures of two planes, drawn as a session draws them.
final class EffectStream {
  /// The last picture with its effect.
  let target: CVPixelBuffer

  private let segmenter: PersonSegmenter
  private let faceFinder: LiveFaceFinder
  private let matte: PersonMatte
  private let portrait: PortraitBlur
  private let light: StudioLight
  private let background: BackgroundReplacement
  private let renderer = ReactionRenderer()
  private let stage = CenterStage(startsWhole: false)
  private let transformer: PixelTransformer
  private let scenery: CVPixelBuffer
  private var faces: [CGRect] = []

  /// A stream of pictures like this one, which is looked at for faces; its reactions' shapes are drawn ahead.
  init(like picture: CVPixelBuffer, threads: Int) throws {
    segmenter = try PersonSegmenter()
    faceFinder = try LiveFaceFinder()
    matte = PersonMatte(threads: threads)
    portrait = PortraitBlur(threads: threads)
    light = StudioLight(threads: threads)
    background = BackgroundReplacement(threads: threads)
    transformer = PixelTransformer(threads: threads)
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    target = try CVPixelBuffer(format: picture.format, width: width, height: height)
    scenery = try CVPixelBuffer(format: picture.format, width: width, height: height)
    forEachRow(of: scenery) { row, index in
      for column in row.indices {
        row[column] = index < height ? UInt8(60 + 100 * column / width + 60 * index / height) : 128
      }
    }
    renderer.prepare(for: picture)
    try lookForFaces(in: picture)
  }

  /// Looks for the faces that reactions and light are for.
  func lookForFaces(in picture: CVPixelBuffer) throws {
    let (width, height) = (Double(CVPixelBufferGetWidth(picture)), Double(CVPixelBufferGetHeight(picture)))
    faces = try faceFinder.faces(in: picture, part: CGRect(x: 0, y: 0, width: width, height: height)).map {
      let bounds = $0.face.bounds
      return CGRect(
        x: bounds.minX / width, y: bounds.minY / height, width: bounds.width / width,
        height: bounds.height / height)
    }
  }

  /// Draws an effect of the next picture into ``target``, and says how long that took.
  ///
  /// - Parameters:
  ///   - nanoseconds: When the picture was taken.
  ///   - share: How much of the reaction is over, from 0 to 1.
  func draw(_ effect: TimedEffect, of picture: CVPixelBuffer, at nanoseconds: Int64, share: Double) throws
    -> SpentTime
  {
    var begun = SpentTime.now
    if case .centerStage = effect {
      // The faces being known, as the mask is for light and background.
      let (width, height) = (Double(CVPixelBufferGetWidth(picture)), Double(CVPixelBufferGetHeight(picture)))
      let part = stage.follow(faces, CenterStage.Frame(), at: nanoseconds)
      try transformer.show(
        PixelPlace(
          x: part.minX * width, y: part.minY * height, width: part.width * width, height: part.height * height
        ),
        of: picture, of: target)
      return begun.elapsed
    }
    guard let mask = try mask(of: picture, at: nanoseconds) else { fail("a picture has no pixels.") }
    switch effect {
    case .centerStage: break
    case .light:
      begun = .now
      try light.apply(
        strength: 1, faces: faces, mask: mask, at: nanoseconds, from: picture, to: target)
    case .background:
      begun = .now
      try background.apply(scenery: scenery, mask: mask, from: picture, to: target)
    case .portrait(let kind):
      try portrait.apply(strength: 1, mask: mask, from: picture, to: target)
      guard let kind else { break }
      let reaction = Reaction(kind: kind, startNanoseconds: 0, seed: 11)
      try renderer.draw(
        ReactionScene(
          reactions: [reaction], timeNanoseconds: Int64(share * Double(kind.durationNanoseconds)),
          mask: mask.mask, face: faces.first), into: target)
    }
    return begun.elapsed
  }

  private func mask(of picture: CVPixelBuffer, at nanoseconds: Int64) throws -> RefinedMask? {
    let seen = try matte.reduced(picture, at: nanoseconds)
    guard let segmentation = try segmenter.segmentation(of: seen) else { return nil }
    return try matte.mask(
      from: PersonMask(
        width: segmentation.width, height: segmentation.height, alpha: segmentation.confidence),
      of: picture, at: nanoseconds)
  }
}

/// Runs `body` on the bytes of each row of luma, then of chroma; rows of chroma are counted on.
func forEachRow(of buffer: CVPixelBuffer, _ body: (UnsafeMutableBufferPointer<UInt8>, Int) -> Void) {
  CVPixelBufferLockBaseAddress(buffer, [])
  defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
  var index = 0
  for plane in buffer.planes.prefix(2) {
    for row in 0..<plane.height {
      let start = (plane.baseAddress + row * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      body(UnsafeMutableBufferPointer(start: start, count: CVPixelBufferGetWidth(buffer)), index)
      index += 1
    }
  }
}

/// One line on standard error, and exit code 1.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("effect-frames: \(message)\n".utf8))
  exit(1)
}
