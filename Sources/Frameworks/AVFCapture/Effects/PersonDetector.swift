internal import CoreVideo
internal import Foundation
internal import PeopleFinding
internal import PixelTransforms
internal import VideoEffects

/// Detects people, faces and hand signs in the pictures of one stream; one call at a time.
///
/// Without the models it finds none, and logs that once.
final class PersonDetector {
  /// The faces of a picture.
  struct Faces {
    /// Their bounding boxes, largest first, as fractions of the picture from its top left.
    var bounds: [CGRect] = []
    /// The clockwise turn that makes the largest face upright; `nil` without a face.
    var turn: QuarterTurn?
  }

  /// The time between a still and the stream's last detection within which that is used, in nanoseconds.
  private static let stillInterval: Int64 = 1_000_000_000

  /// Loaded when a mask is first needed: effects that follow faces do without.
  private lazy var segmenter: LivePersonSegmenter? = PersonDetector.loaded { try LivePersonSegmenter() }
  // One missing model is reason enough to log once and to load no other.
  private lazy var stillSegmenter: LivePersonSegmenter? =
    segmenter == nil ? nil : PersonDetector.loaded { try LivePersonSegmenter() }
  private let matte = PersonMatte(threads: 2)
  private let faceFinder: LiveFaceFinder?
  private let stillFinder: FaceFinder?
  private var gestureFinder: LiveGestureFinder?
  private var isGestureFinderLoaded = false
  private var faces = Faces()
  private var facesTime: Int64?

  init() {
    faceFinder = Self.loaded { try LiveFaceFinder() }
    stillFinder = faceFinder == nil ? nil : Self.loaded { try FaceFinder() }
  }

  /// The mask of the people in a picture; `nil` without models.
  ///
  /// - Parameters:
  ///   - turn: The clockwise turn that makes people upright.
  ///   - isStill: Whether the picture is not the stream's next one: then its mask is not averaged with earlier ones.
  func mask(
    of picture: CVPixelBuffer, turn: QuarterTurn, at nanoseconds: Int64, isStill: Bool
  ) throws -> RefinedMask? {
    let seen = isStill ? picture : try matte.reduced(picture, at: nanoseconds)
    guard
      let segmentation = try isStill ? twoPasses(seen, turn) : segmenter?.segmentation(of: seen, turn: turn)
    else { return nil }
    let raw = PersonMask(
      width: segmentation.width, height: segmentation.height, alpha: segmentation.confidence)
    let across = Double(CVPixelBufferGetWidth(picture)) / Double(CVPixelBufferGetWidth(seen))
    let down = Double(CVPixelBufferGetHeight(picture)) / Double(CVPixelBufferGetHeight(seen))
    let part = CGRect(
      x: Double(segmentation.part.x) * across, y: Double(segmentation.part.y) * down,
      width: Double(segmentation.part.width) * across, height: Double(segmentation.part.height) * down)
    return isStill
      ? try PersonMatte.mask(from: raw, part: part, of: picture, threads: 2)
      : try matte.mask(from: raw, part: part, of: picture, at: nanoseconds)
  }

  /// Segments a still in two passes: the whole, and then the bounding box of the people, which gives a finer outline.
  private func twoPasses(_ picture: CVPixelBuffer, _ turn: QuarterTurn) throws -> PersonSegmentation? {
    stillSegmenter?.forget()
    _ = try stillSegmenter?.segmentation(of: picture, turn: turn)
    return try stillSegmenter?.segmentation(of: picture, turn: turn)
  }

  /// The faces in a picture.
  ///
  /// - Parameters:
  ///   - isStill: As for ``mask(of:turn:at:isStill:)``.
  ///   - interval: The time between two detections, in nanoseconds; between them the earlier result is returned.
  func faces(of picture: CVPixelBuffer, at nanoseconds: Int64, isStill: Bool, interval: Int64) throws
    -> Faces
  {
    let served = isStill ? -Self.stillInterval..<Self.stillInterval : 0..<interval
    if let facesTime, served.contains(nanoseconds - facesTime) { return faces }
    let (width, height) = (Double(CVPixelBufferGetWidth(picture)), Double(CVPixelBufferGetHeight(picture)))
    let whole = CGRect(x: 0, y: 0, width: width, height: height)
    // The finder for streams tries one turn with each picture; a first result needs all turns at once.
    let found =
      isStill || facesTime == nil
      ? try stillFinder?.faces(in: picture) : try faceFinder?.faces(in: picture, part: whole).map(\.face)
    let sorted = (found ?? []).sorted { $0.bounds.width > $1.bounds.width }
    let detected = Faces(
      bounds: sorted.map { face in
        CGRect(
          x: face.bounds.minX / width, y: face.bounds.minY / height, width: face.bounds.width / width,
          height: face.bounds.height / height)
      },
      turn: sorted.first.flatMap { QuarterTurn(degrees: -Int(($0.rollDegrees / 90).rounded()) * 90) })
    if isStill { return detected }
    facesTime = nanoseconds
    // A face that is not detected for a while does not change the turn.
    faces = Faces(bounds: detected.bounds, turn: detected.turn ?? faces.turn)
    return faces
  }

  // MARK: Hands

  /// A reaction that a hand sign requests, and the hand's place as fractions of the picture from its top left.
  typealias ReactionRequest = (type: AVCaptureReactionType, kind: ReactionKind, hand: CGPoint)

  /// The reaction that a hand sign requests in the next picture of the stream; `nil` in most pictures.
  ///
  /// - Parameter turn: The clockwise turn that makes people upright.
  func request(in picture: CVPixelBuffer, turn: QuarterTurn, at nanoseconds: Int64) throws
    -> ReactionRequest?
  {
    if !isGestureFinderLoaded {
      gestureFinder = Self.loaded { try LiveGestureFinder() }
      isGestureFinderLoaded = true
    }
    let (width, height) = (Double(CVPixelBufferGetWidth(picture)), Double(CVPixelBufferGetHeight(picture)))
    let bounds = faces.bounds.map { face in
      CGRect(
        x: face.minX * width, y: face.minY * height, width: face.width * width, height: face.height * height)
    }
    let gesture = try gestureFinder?.gesture(
      in: picture, part: CGRect(x: 0, y: 0, width: width, height: height), faces: bounds, up: turn.up,
      at: nanoseconds)
    guard let gesture, let type = AVCaptureReactionType(gesture.sign), let kind = type.kind else {
      return nil
    }
    return (type, kind, CGPoint(x: gesture.bounds.midX / width, y: gesture.bounds.midY / height))
  }

  private static func loaded<Finder>(_ load: () throws -> Finder) -> Finder? {
    do {
      return try load()
    } catch {
      Log.note("\(error)")
      return nil
    }
  }
}

extension AVCaptureReactionType {
  /// The reaction of a hand sign; `nil` for a sign without one.
  init?(_ sign: HandSign) {
    switch sign {
    case .thumbsUp: self = .thumbsUp
    case .thumbsDown: self = .thumbsDown
    case .victory: self = .balloons
    case .twoThumbsUp: self = .fireworks
    case .twoThumbsDown: self = .rain
    case .twoVictory: self = .confetti
    case .twoHorns: self = .lasers
    case .heart: self = .heart
    case .horns: return nil
    }
  }
}

extension QuarterTurn {
  /// The direction in a stored picture that is up once the picture is turned.
  fileprivate var up: CGPoint {
    switch self {
    case .none: CGPoint(x: 0, y: -1)
    case .clockwise90: CGPoint(x: -1, y: 0)
    case .half: CGPoint(x: 0, y: 1)
    case .clockwise270: CGPoint(x: 1, y: 0)
    }
  }
}
