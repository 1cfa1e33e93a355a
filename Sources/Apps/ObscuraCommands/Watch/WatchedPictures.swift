internal import AVFoundation
internal import CameraTasks
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Motion, faces and people before a camera, as `obscura watch` looks for them.
final class WatchedPictures: NSObject, LookSubject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureMetadataOutputObjectsDelegate
{
  private struct State {
    var visits: [WatchKind: Visits]
    var motion: MotionFinder
    /// Runs while frames come: a camera that stands still ends no visit.
    var clock: Int64 = 0
    var lastFrames: MonotonicInstant?
    var new: [WatchEvent] = []
  }

  private let kinds: Set<WatchKind>
  private let region: CGRect
  private let pictures = AVCaptureVideoDataOutput()
  private let objects = AVCaptureMetadataOutput()
  private let visitPrefix = EventNames.run()
  private let state: Monitor<State>

  /// So long must something be unseen before it has left, with frames coming.
  private static let absenceNanoseconds: Int64 = 2_000_000_000
  /// Frames that are farther apart count as if they were not.
  private static let longestStep: Int64 = 500_000_000

  init(_ request: WatchRequest) {
    kinds = request.kinds
    region = request.look.region
    let looks = request.sensitivity.looksBeforeEntering
    var visits: [WatchKind: Visits] = [:]
    for kind in request.kinds {
      visits[kind] = Visits(
        looksBeforeEntering: looks, absenceNanoseconds: Self.absenceNanoseconds)
    }
    state = Monitor(
      State(visits: visits, motion: MotionFinder(request.sensitivity, in: request.look.region)))
  }

  var printsCamera: Bool { true }

  var name: String {
    let words = WatchKind.allCases.filter(kinds.contains).map(\.option)
    return words.count < 2
      ? words.joined() : "\(words.dropLast().joined(separator: ", ")) and \(words[words.count - 1])"
  }

  func nothingSeen(within time: String) -> String {
    let words = WatchKind.allCases.filter(kinds.contains).map(\.rawValue)
    let what =
      words.count < 2
      ? words.joined() : "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])"
    return "saw no \(what) within \(time); leave --region out, or try --sensitivity high."
  }

  func attach(to run: CameraRun) throws {
    let queue = DispatchQueue(label: "obscura.watch")
    if kinds.contains(.motion) {
      pictures.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      ]
      run.session.addOutput(pictures)
      pictures.setSampleBufferDelegate(self, queue: queue)
    }
    let types: [AVMetadataObject.ObjectType] =
      (kinds.contains(.face) ? [.face] : []) + (kinds.contains(.person) ? [.humanBody] : [])
    guard !types.isEmpty else { return }
    run.session.addOutput(objects)
    objects.setMetadataObjectsDelegate(self, queue: queue)
    objects.metadataObjectTypes = types
    objects.rectOfInterest = region
  }

  // MARK: The camera's threads

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard let picture = CMSampleBufferGetImageBuffer(sampleBuffer), let grid = LumaGrid(picture) else {
      return
    }
    let moment = CMSampleBufferGetPresentationTimeStamp(sampleBuffer).seconds
    state.withLock { state in
      let box = state.motion.motion(in: grid, at: moment)
      note(.motion, box.map { [Visits.Sighting(track: 0, bounds: $0)] } ?? [], moment, &state)
    }
  }

  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    guard let moment = metadataObjects.first?.time.seconds else {
      return state.withLock { state in
        for kind in [WatchKind.face, .person] { state.visits[kind]?.forgetStrangers() }
      }
    }
    let faces = metadataObjects.compactMap { $0 as? AVMetadataFaceObject }.map {
      Visits.Sighting(track: $0.faceID, bounds: $0.bounds)
    }
    let people = metadataObjects.compactMap { $0 as? AVMetadataHumanBodyObject }.map {
      Visits.Sighting(track: $0.bodyID, bounds: $0.bounds)
    }
    state.withLock { state in
      note(.face, faces, moment, &state)
      note(.person, people, moment, &state)
    }
  }

  private func note(
    _ kind: WatchKind, _ seen: [Visits.Sighting], _ moment: Double, _ state: inout State
  ) {
    let clock = state.clock
    change(kind, &state) { $0.note(seen, at: clock, moment: moment) }
  }

  private func change(
    _ kind: WatchKind, _ state: inout State, _ work: (inout Visits) -> [Visits.Change]
  ) {
    guard var visits = state.visits[kind] else { return }
    let before = visits.presentCount
    let changes = work(&visits)
    state.visits[kind] = visits
    var present = before
    for change in changes {
      if case .enter = change { present += 1 } else { present -= 1 }
      state.new.append(WatchEvent(change, kind: kind, visitPrefix: visitPrefix, present: present))
    }
  }

  // MARK: The command's thread

  var frameCount: Int {
    kinds.contains(.motion) ? pictures.statistics.captured : objects.statistics.captured
  }

  func framesCame(at moment: MonotonicInstant) {
    state.withLock { state in
      let step = state.lastFrames.map { moment.nanoseconds - $0.nanoseconds } ?? 0
      state.lastFrames = moment
      state.clock += min(max(step, 0), Self.longestStep)
      let clock = state.clock
      for kind in WatchKind.allCases { change(kind, &state) { $0.advance(to: clock) } }
    }
  }

  func takeNew(until moment: MonotonicInstant) -> [any LookAnswer] {
    state.wait(until: moment, on: .current, for: { !$0.new.isEmpty }) { state in
      defer { state.new = [] }
      return state.new
    } ?? []
  }

  func cameraWentAway() {
    end()
    state.withLock { state in
      state.motion.forget()
      state.lastFrames = nil
    }
  }

  func end() {
    state.withLock { state in
      for kind in WatchKind.allCases { change(kind, &state) { $0.endAll() } }
    }
  }
}

extension MotionFinder.Sensitivity {
  /// In so many looks something must be seen before it counts.
  var looksBeforeEntering: Int {
    switch self {
    case .low: 5
    case .medium: 3
    case .high: 2
    }
  }
}
