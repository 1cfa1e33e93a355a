internal import CaptureDevice
internal import CoreVideo
internal import DepthMaps
internal import Dispatch
internal import Foundation
internal import Linux
internal import PixelTransforms
internal import VideoEffects

/// Draws effects and reactions into the pictures of one camera.
///
/// The stream's pictures are one sequence, in which masks and light are averaged over time. Older pictures and those of another size,
/// such as stills, are processed one by one. Thread-safe: one picture at a time.
final class VideoEffectPainter: Sendable {
  static let pixelFormats = [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
  ]

  /// The intervals of face detection, in nanoseconds: where effects follow faces, and where only the turn is needed.
  private static let faceInterval: Int64 = 100_000_000
  private static let turnInterval: Int64 = 500_000_000

  /// The effects of one sequence of pictures, with their buffers.
  private struct Tools {
    let portrait = PortraitBlur(threads: 2)
    let depthPortrait = DepthPortrait(threads: 2)
    let light = StudioLight(threads: 2)
    let background = BackgroundReplacement(threads: 2)
  }

  /// Where to draw from and to, and what is known of the people there.
  private struct Drawing {
    var source: CVPixelBuffer
    let target: CVPixelBuffer
    let time: MonotonicInstant
    let isStill: Bool
    let turn: QuarterTurn
    /// In the width and height of ``source``, largest first.
    var faces: [CGRect]
    /// What is known of the depth there, and the part of it that ``source`` shows, as fractions from its top left; `nil` for nothing.
    var depth: (map: DepthMap, part: CGRect)?
  }

  private final class Work: @unchecked Sendable {  // Safe because it is reached under ``lock``.
    var people: PersonDetector?
    var stream = Tools()
    var stage: CenterStage?
    /// Whether the stream is being watched before Center Stage is there.
    var isWatched: Bool
    let (streamScenery, stillScenery) = (Scenery(), Scenery())
    var size: PixelSize?
    /// The size of the last picture, where it is not the stream's.
    var otherSize: PixelSize?
    var newest = Int64.min
    /// The kinds of reactions whose shapes are drawn or being drawn.
    var prepared: Set<ReactionKind> = []

    init(isWatched: Bool) { self.isWatched = isWatched }
  }

  private let lock = Lock()
  private let work: Work
  private let newestView = Locked<StageView?>(nil)
  private let renderer = ReactionRenderer()
  private let transformer = PixelTransformer(bufferLimit: 6)
  private let preparing = DispatchQueue(label: "obscura.effects.shapes", qos: .utility)
  private let facts: DeviceFacts
  private let machine: DeviceAttitude?
  /// Keeps ``machine`` up to date.
  private let attitude: (any AnyObject & Sendable)?

  /// The painter of a camera's pictures; `machine` says how the camera is held.
  ///
  /// - Parameter isWatched: Whether the camera streams already.
  init(_ facts: DeviceFacts, on machine: DeviceAttitude?, isWatched: Bool) {
    self.facts = facts
    work = Work(isWatched: isWatched)
    self.machine = machine
    attitude = machine?.observe { _ in }
  }

  /// Writes `picture` with the effects and reactions into `target`, a buffer of the same size and pixel format.
  ///
  /// - Returns: The reaction that a hand sign in the picture requests.
  /// - Throws: `PixelTransformError`, or `ModelError`.
  func paint(
    _ look: VideoEffectLook, _ reactions: [Reaction], _ depth: CapturedDepth?, of picture: CVPixelBuffer,
    into target: CVPixelBuffer, at time: MonotonicInstant
  ) throws -> PersonDetector.ReactionRequest? {
    var scene = ReactionScene(reactions: reactions, timeNanoseconds: time.nanoseconds)
    let levelTurn = levelTurn
    let map = depth.flatMap(Self.map)
    let request = try lock.withLock { () -> PersonDetector.ReactionRequest? in
      let isStill = isStill(picture, at: time.nanoseconds)
      let needsMask =
        (map == nil ? look.needsMask : look.needsMaskBesideDepth)
        || reactions.contains { $0.kind.isPartlyBehind }
      let needsFaces =
        look.studioLight != nil || look.centerStage != nil || !reactions.isEmpty || map != nil
      let people = needsMask || needsFaces || look.watchesHands ? detector() : nil
      let faces = try people?.faces(
        of: picture, at: time.nanoseconds, isStill: isStill,
        interval: needsFaces ? Self.faceInterval : Self.turnInterval)
      var drawing = Drawing(
        source: picture, target: target, time: time, isStill: isStill, turn: faces?.turn ?? levelTurn,
        faces: faces?.bounds ?? [])
      let view = view(look.centerStage, drawing)
      drawing.depth = map.map { ($0, CGRect(x: 0, y: 0, width: 1, height: 1)) }
      if let view { try show(view, in: &drawing, isLast: !needsMask && map == nil) }
      let mask =
        needsMask
        ? try people?.mask(
          of: drawing.source, turn: drawing.turn, at: time.nanoseconds, isStill: isStill) : nil
      (scene.mask, scene.face, scene.turn) = (mask?.mask, drawing.faces.first, drawing.turn)
      if drawing.source !== target { try run(steps(look, mask, drawing), from: drawing.source, to: target) }
      guard look.watchesHands, !isStill else { return nil }
      let request = try people?.request(in: picture, turn: drawing.turn, at: time.nanoseconds)
      return request.map {
        (type: $0.type, kind: $0.kind, hand: view?.place(of: $0.hand) ?? $0.hand)
      }
    }
    try renderer.draw(scene, into: target)
    prepareShapes(of: reactions, for: target)
    return request
  }

  /// Draws the shapes of reactions that have just begun ahead of the frames that need them.
  private func prepareShapes(of reactions: [Reaction], for picture: CVPixelBuffer) {
    let new = lock.withLock { reactions.map(\.kind).filter { work.prepared.insert($0).inserted } }
    guard !new.isEmpty else { return }
    preparing.async { [renderer] in renderer.prepare(new, for: picture) }
  }

  /// What Center Stage shows of the newest picture; `nil` for all of it.
  var shownView: StageView? { newestView.withLock { $0 } }

  private typealias Step = (_ source: CVPixelBuffer, _ target: CVPixelBuffer) throws -> Void

  private func steps(_ look: VideoEffectLook, _ mask: RefinedMask?, _ drawing: Drawing) -> [Step] {
    // A still's light must not follow that of the still before.
    let tools = drawing.isStill ? Tools() : work.stream
    let blur = drawing.depth.map { depth in
      { (source: CVPixelBuffer, target: CVPixelBuffer) in
        let isDrawn = try tools.depthPortrait.apply(
          strength: look.portrait ?? 0, depth: depth.map, part: depth.part, faces: drawing.faces,
          at: drawing.time.nanoseconds, from: source, to: target)
        if !isDrawn { try self.transformer.apply(.identity, to: source, into: target) }
      }
    }
    guard let mask else { return blur.map { [$0] } ?? [] }
    let sceneries = drawing.isStill ? work.stillScenery : work.streamScenery
    var steps: [Step] = []
    let scenery = look.background.flatMap {
      sceneries.picture(at: $0, like: drawing.source, turn: drawing.turn)
    }
    if let scenery {
      steps.append { try tools.background.apply(scenery: scenery, mask: mask, from: $0, to: $1) }
    } else if let blur {
      steps.append(blur)
    } else if let strength = look.background == nil ? look.portrait : 1 {
      steps.append { try tools.portrait.apply(strength: strength, mask: mask, from: $0, to: $1) }
    }
    if let strength = look.studioLight {
      steps.append {
        try tools.light.apply(
          strength: strength, faces: drawing.faces, mask: mask, at: drawing.time.nanoseconds, from: $0,
          to: $1)
      }
    }
    return steps
  }

  private func run(_ steps: [Step], from picture: CVPixelBuffer, to target: CVPixelBuffer) throws {
    guard let last = steps.last else {
      return try transformer.apply(.identity, to: picture, into: target)
    }
    let source = try steps.dropLast().reduce(picture) { source, step in
      let between = try buffer(like: picture)
      try step(source, between)
      return between
    }
    try last(source, target)
  }

  private func buffer(like picture: CVPixelBuffer) throws -> CVPixelBuffer {
    let size = PixelSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    let buffer = try transformer.makeBuffer(
      size: size, pixelFormat: CVPixelBufferGetPixelFormatType(picture))
    CVBufferPropagateAttachments(picture, buffer)
    return buffer
  }

  /// The clockwise turn with which viewers see the pictures level: the sensor's rotation, and how the machine is held.
  private var levelTurn: QuarterTurn {
    let held = machine?.turn ?? 0
    return QuarterTurn(degrees: facts.sensorRotation + (facts.position == .front ? -held : held)) ?? .none
  }

  // MARK: Under the lock

  /// What Center Stage shows of a picture; `nil` for all of it, where nothing is to be drawn.
  private func view(_ rectOfInterest: CGRect?, _ drawing: Drawing) -> StageView? {
    guard let rectOfInterest else {
      // When it comes back, its pictures begin with what is shown until then.
      (work.stage, work.isWatched) = (nil, true)
      newestView.withLock { $0 = nil }
      return nil
    }
    let stage = work.stage ?? CenterStage(startsWhole: work.isWatched)
    work.stage = stage
    let frame = CenterStage.Frame(rectOfInterest: rectOfInterest, turn: drawing.turn)
    let time = drawing.time.nanoseconds
    let part =
      drawing.isStill
      ? stage.window(at: time, frame, faces: drawing.faces) : stage.follow(drawing.faces, frame, at: time)
    let whole = StageView(part: part, place: rectOfInterest)
    let view = whole.isWhole ? nil : whole
    if !drawing.isStill { newestView.withLock { $0 = view } }
    return view
  }

  /// Draws a view; what comes later is drawn into that.
  private func show(_ view: StageView, in drawing: inout Drawing, isLast: Bool) throws {
    let shown = isLast ? drawing.target : try buffer(like: drawing.source)
    try view.draw(drawing.source, into: shown, by: transformer)
    drawing.source = shown
    drawing.faces = drawing.faces.map { view.place(of: $0) }
    drawing.depth?.part = view.whole
  }

  /// A map's numbers; `nil` where they cannot be read, or nothing is known.
  private static func map(_ depth: CapturedDepth) -> DepthMap? {
    var map = DepthMap()
    guard (try? map.read(depth.map, metresPerUnit: depth.metresPerUnit)) != nil else { return nil }
    return map.values.contains { !$0.isNaN } ? map : nil
  }

  private func detector() -> PersonDetector {
    if let people = work.people { return people }
    let people = PersonDetector()
    work.people = people
    return people
  }

  /// Whether the picture is not the next one of the stream.
  private func isStill(_ picture: CVPixelBuffer, at nanoseconds: Int64) -> Bool {
    let size = PixelSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    // Two of another size in a row are a stream of another format.
    if work.size == nil || (size != work.size && size == work.otherSize) {
      (work.size, work.newest, work.stream, work.prepared) = (size, .min, Tools(), [])
    }
    work.otherSize = size == work.size ? nil : size
    guard size == work.size, nanoseconds > work.newest else { return true }
    work.newest = nanoseconds
    return false
  }
}
