import AVFoundation
import CameraFrames
import CaptureDevice
import CaptureStage
import CoreVideo
import Dispatch
import Foundation
import Linux
import PhotoProcessing
import SeededNumbers
import Testing

/// A camera that answers when a test says so.
private final class FakeCamera: Sendable {
  typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  private let requests = Monitor<[(StillRequest, Completion)]>([])

  /// The number of requests that are not answered yet.
  var count: Int { requests.withLock { $0.count } }
  /// Called with each request before it is noted.
  let asked = Hook<Void>()

  @Sendable func expose(_ request: StillRequest, completion: @escaping Completion) {
    asked.call()
    requests.withLock { $0.append((request, completion)) }
  }

  /// Answers the oldest request, and waits for it: a press that waits for its turn is passed on by another thread.
  func answer(
    _ result: Result<CapturedFrame, CaptureDeviceError>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    let oldest = requests.wait(until: deadline, for: { !$0.isEmpty }, then: { $0.removeFirst() })
    guard let (_, completion) = oldest else {
      Issue.record("The camera was not asked for a photo.", sourceLocation: sourceLocation)
      return
    }
    completion(result)
  }
}

@Suite("PhotoPipeline: from the press to the last callback")
struct PhotoPipelineTests {
  private let gates: StageGates
  private let pipeline: PhotoPipeline
  private let camera = FakeCamera()
  private let delegate = RecordingPhotoDelegate()
  private let queue = DispatchQueue(label: "pipeline callbacks")
  private let output = AVCapturePhotoOutput()

  init() {
    let gates = StageGates()
    self.gates = gates
    pipeline = PhotoPipeline(load: gates.load)
  }

  private func job(
    _ id: Int64, _ encoding: PhotoEncoding = .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
    pictures: Int = 1, overlaps: Bool = false
  ) -> PhotoJob {
    let resolved = AVCaptureResolvedPhotoSettings(
      uniqueID: id, photo: CMVideoDimensions(width: 64, height: 48),
      preview: CMVideoDimensions(width: 0, height: 0),
      thumbnail: CMVideoDimensions(width: 0, height: 0), expectedPhotoCount: pictures, processingTime: .zero)
    return PhotoJob(
      capture: PhotoCaptureRequest(
        uniqueID: id, size: FrameSize(width: 64, height: 48),
        pictures: Array(repeating: PhotoCaptureRequest.Picture(), count: pictures), overlaps: overlaps),
      processing: PhotoProcessingRequest(
        uniqueID: id, encoding: encoding, camera: PhotoCamera(make: "Maker", model: "Model")),
      exposer: camera,
      receiver: PhotoDelivery(output: output, resolved: resolved, delegate: delegate, queue: queue))
  }

  private func frame(
    _ sequence: UInt32, inFlight: (any AnyObject & Sendable)? = nil
  ) throws -> CapturedFrame {
    CapturedFrame(
      picture: .pixels(
        try emptyPicture(width: 64, height: 48, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)),
      timestamp: MonotonicInstant(nanoseconds: 5), sequence: sequence, inFlight: inFlight)
  }

  private var steps: [RecordingPhotoDelegate.Step] {
    queue.sync {}
    return delegate.steps.withLock { $0 }
  }

  @Test func `a photo goes through every step`() throws {
    pipeline.press(job(1))
    #expect(steps == [.willBegin(1), .willCapture(1)])
    camera.answer(.success(try frame(7)))
    #expect(delegate.wait())
    #expect(steps == RecordingPhotoDelegate.success(1))
    let photo = try #require(delegate.photos.withLock { $0.first })
    #expect(photo.frameSequenceNumber == 7)
    #expect(photo.timestamp == CMTime(value: 5, timescale: 1_000_000_000))
    #expect(photo.pixelBuffer != nil)
    #expect(photo.fileDataRepresentation() == nil)
  }

  @Test func `an uncompressed photo in the device's own format is a copy, for the device needs its memory`()
    throws
  {
    let frame = try frame(0)
    guard case .pixels(let pixels) = frame.picture else { throw CancellationError() }
    for (value, plane) in pixels.planes.enumerated() {
      plane.bytes.copyBytes(from: plane.bytes.map { _ in UInt8(value + 7) })
    }
    pipeline.press(job(1))
    camera.answer(.success(frame))
    #expect(delegate.wait())
    let photo = try #require(delegate.photos.withLock { $0.first?.pixelBuffer })
    #expect(photo !== pixels)
    #expect(photo.planes.count == 2)
    for (value, plane) in photo.planes.enumerated() {
      #expect(plane.row(0).prefix(plane.width).allSatisfy { $0 == UInt8(value + 7) })
      #expect(plane.row(plane.height - 1).prefix(plane.width).allSatisfy { $0 == UInt8(value + 7) })
    }
  }

  @Test func `what the device answers reaches the delegate as an error of its own domain`() {
    pipeline.press(job(1))
    camera.answer(.failure(CaptureDeviceError(.disconnected, "The camera is gone; plug it in again.")))
    #expect(delegate.wait())
    #expect(
      steps == [
        .willBegin(1), .willCapture(1), .didCapture(1), .processed(1, failed: true),
        .finished(1, failed: true),
      ])
    #expect(delegate.errors.withLock { $0.first as? AVError }?.code == .deviceWasDisconnected)
  }

  @Test func `no more photos are under way than memory is meant for, and all of them come`() throws {
    for id in 1...8 { pipeline.press(job(Int64(id), overlaps: true)) }
    #expect(camera.count == PhotosUnderWay.frameLimit)
    for sequence in 0..<8 { camera.answer(.success(try frame(UInt32(sequence)))) }
    #expect(delegate.wait(for: 8))
    let finished = steps.filter { if case .finished(_, failed: false) = $0 { true } else { false } }
    #expect(finished == (1...8).map { .finished($0, failed: false) })
  }

  @Test func `a press too many is refused at once`() {
    let limit = 1 + PhotoPipeline.waitingLimit
    for id in 1...Int64(limit + 1) { pipeline.press(job(id)) }
    #expect(delegate.wait())
    #expect(
      delegate.errors.withLock { $0.first as? AVError }?.code == .maximumStillImageCaptureRequestsExceeded)
    pipeline.abandon(with: AVError(.sessionNotRunning))
    #expect(delegate.wait(for: limit + 1))
  }

  @Test func `abandoned photos end once, and a late frame changes nothing`() throws {
    for id in 1...Int64(5) { pipeline.press(job(id)) }
    pipeline.abandon(with: AVError(.sessionWasInterrupted))
    #expect(delegate.wait(for: 5))
    while camera.count > 0 { camera.answer(.success(try frame(0))) }
    pipeline.press(job(6))
    camera.answer(.success(try frame(1)))
    #expect(delegate.wait(for: 6))
    let ends = steps.compactMap {
      if case .finished(let id, let failed) = $0 { failed ? -id : id } else { nil }
    }
    #expect(ends == [-1, -2, -3, -4, -5, 6])
  }

  @Test func `a photo that has its frame is finished although the session stops`() throws {
    pipeline.press(job(1))
    camera.answer(.success(try frame(3)))
    pipeline.abandon(with: AVError(.sessionNotRunning))
    #expect(delegate.wait())
    #expect(steps == RecordingPhotoDelegate.success(1))
  }

  // MARK: Overlap

  @Test
  func
    `a photo that overlaps is captured while the one before is developed, and developed while that is encoded`()
    throws
  {
    gates.close()
    for id in 1...Int64(3) {
      pipeline.press(job(id, overlaps: true))
      camera.answer(.success(try frame(UInt32(id))))
    }
    #expect(gates.wait(for: [.developing(1)]))
    #expect(steps == (1...3).flatMap { RecordingPhotoDelegate.success($0).prefix(3) })
    gates.open(.developing(1))
    #expect(gates.wait(for: [.encoding(1), .developing(2)]))
    gates.open(.developing(2))
    gates.open(.encoding(1))
    #expect(gates.wait(for: [.encoding(2), .developing(3)]))
    gates.openAll()
    #expect(delegate.wait(for: 3))
    #expect(steps.suffix(6) == (1...3).flatMap { RecordingPhotoDelegate.success($0).suffix(2) })
  }

  @Test func `a photo that does not overlap begins when the one before has ended`() throws {
    gates.close()
    for id in 1...Int64(2) { pipeline.press(job(id)) }
    camera.answer(.success(try frame(1)))
    #expect(gates.wait(for: [.developing(1)]))
    gates.open(.developing(1))
    #expect(gates.wait(for: [.encoding(1)]))
    #expect(camera.count == 0)
    #expect(steps == Array(RecordingPhotoDelegate.success(1).prefix(3)))
    gates.openAll()
    camera.answer(.success(try frame(2)))
    #expect(delegate.wait(for: 2))
    #expect(steps == RecordingPhotoDelegate.success(1) + RecordingPhotoDelegate.success(2))
  }

  @Test(arguments: [1, 3])
  func `a manual clock waits for a photo until the next one is asked for`(pictures: Int) throws {
    final class Token: Sendable {
      let gone: DispatchSemaphore
      init(_ gone: DispatchSemaphore) { self.gone = gone }
      deinit { gone.signal() }
    }
    let gone = DispatchSemaphore(value: 0)
    pipeline.press(job(1, pictures: pictures))
    pipeline.press(job(2))
    let wasHeld = Locked<Bool?>(nil)
    camera.asked.set { [queue] in
      // The first photo's last callback is over then.
      queue.sync {}
      wasHeld.withLock { $0 = gone.wait(timeout: .now()) == .timedOut }
    }
    for index in 1..<pictures { camera.answer(.success(try frame(UInt32(index)))) }
    camera.answer(.success(try frame(9, inFlight: Token(gone))))
    camera.answer(.success(try frame(10)))
    #expect(delegate.wait(for: 2))
    #expect(wasHeld.withLock { $0 } == true)
    #expect(gone.wait(timeout: .now() + 30) == .success)
  }

  @Test func `photos end in the order of their presses, also those that fail`() throws {
    gates.close()
    for id in 1...Int64(5) { pipeline.press(job(id, overlaps: true)) }
    camera.answer(.success(try frame(1)))
    camera.answer(.failure(CaptureDeviceError(.noFrames, "No frame came; try again.")))
    #expect(gates.wait(for: [.developing(1)]))
    pipeline.abandon(with: AVError(.sessionNotRunning))
    gates.openAll()
    #expect(delegate.wait(for: 5))
    let ends = steps.compactMap {
      if case .finished(let id, let failed) = $0 { failed ? -id : id } else { nil }
    }
    #expect(ends == [1, -2, -3, -4, -5])
  }

  @Test func `a photo knows when it passed each stage`() throws {
    pipeline.press(job(1, .jpeg(quality: nil)))
    camera.answer(.success(try frame(1)))
    #expect(delegate.wait())
    let stages = try #require(delegate.photos.withLock { $0.first?.stages })
    let times = [
      stages.pressed, stages.chosen, stages.captured, stages.developing, stages.processed, stages.encoding,
      stages.encoded,
    ].compactMap(\.self)
    #expect(times.count == 7)
    #expect(times == times.sorted())
  }

  @Test func `the thousandth photo is reported from no deeper in the stack than the first`() {
    // Of the thread that presses; others call too.
    let thread = pthread_self()
    let depths = Locked<[Int]>([])
    pipeline.onChange {
      guard pthread_equal(pthread_self(), thread) != 0 else { return }
      var here = 0
      withUnsafeMutablePointer(to: &here) { place in depths.withLock { $0.append(Int(bitPattern: place)) } }
    }
    // None has a stream to wait for, so each ends at once.
    for id in 1...1000 as ClosedRange<Int64> {
      pipeline.press(job(id, .jpeg(quality: nil)))
      pipeline.abandon(with: AVError(.sessionNotRunning))
    }
    #expect(delegate.wait(for: 1000))
    let all = depths.withLock { $0 }
    #expect(all.count == 2000)
    // Two places call: the press and the end.
    #expect(Set(all).count <= 2)
  }

  @Test(arguments: [1 as UInt64, 2, 3, 4])
  func `a press while the way is ready never waits for an earlier photo`(seed: UInt64) throws {
    gates.close()
    var random = SeededGenerator(seed: seed)
    var pressed: Int64 = 0
    for _ in 0..<200 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let overlaps = Bool.random(using: &random)
        let isReady = pipeline.underWay.readiness(isRunning: true, overlaps: overlaps) == .ready
        let asked = camera.count
        pressed += 1
        guard pressed < 60 else { continue }
        pipeline.press(job(pressed, overlaps: overlaps))
        // In the other case it may have become ready meanwhile.
        if isReady { #expect(camera.count == asked + 1) }
      case 2: if camera.count > 0 { camera.answer(.success(try frame(UInt32(pressed)))) }
      default: gates.openNext()
      }
    }
    pipeline.abandon(with: AVError(.sessionNotRunning))
    gates.openAll()
    #expect(delegate.wait(for: Int(min(pressed, 59))))
  }
}

/// Stops the stages of a photo's way until a test lets them go on.
final class StageGates: Sendable {
  enum Place: Hashable, Sendable {
    case developing(Int64), encoding(Int64)
  }

  private struct State {
    var isClosed = false
    var waiting: [Place] = []
    var opened: Set<Place> = []
  }

  private let state = Monitor(State())

  /// The load that a pipeline calls in each stage.
  var load: PhotoPipeline.Load {
    { [self] stage, request in
      let place: Place = stage == .developing ? .developing(request.uniqueID) : .encoding(request.uniqueID)
      state.withLock { $0.waiting.append(place) }
      _ = state.wait(
        until: .now.advanced(byNanoseconds: 20_000_000_000),
        for: { !$0.isClosed || $0.opened.contains(place) }, then: { _ in })
      state.withLock { state in state.waiting.removeAll { $0 == place } }
    }
  }

  /// From now on each stage waits.
  func close() { state.withLock { $0.isClosed = true } }
  func open(_ place: Place) { state.withLock { _ = $0.opened.insert(place) } }
  /// Lets the stage go on that has waited longest.
  func openNext() {
    state.withLock { state in
      if let place = state.waiting.first { state.opened.insert(place) }
    }
  }
  /// From now on no test waits.
  func openAll() { state.withLock { $0.isClosed = false } }

  /// Waits until exactly these places wait, at most half a minute.
  func wait(for places: Set<Place>) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return state.wait(until: deadline, for: { Set($0.waiting) == places }, then: { _ in true }) ?? false
  }
}

extension FakeCamera: PhotoExposer {
  var processor: FrameProcessor { FrameProcessor() }
  var history: FrameHistory? { nil }

  func expose(_ request: StillRequest, of frame: PastFrame?, completion: @escaping Completion) {
    expose(request, completion: completion)
  }
}
