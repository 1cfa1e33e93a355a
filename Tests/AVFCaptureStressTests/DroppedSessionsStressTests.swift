import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SeededNumbers
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  /// `OBSCURA_STRESS=1 swift test -c release --filter Stress` runs the full count.
  @Suite("Stress: dropped sessions")
  struct DroppedSessionsStressTests {
    @Test func `sessions that are dropped with a photo pending end it once and leave nothing behind`() throws
    {
      let stage = SessionStage()
      let run = DroppedSessions(stage)
      let count = StressCounts.count(20_000, small: 240)
      // What is made once, such as pools, queues and their workers, is there afterwards.
      #expect(run.drop(count / 10) == nil)
      let before = ProcessFigures.now
      #expect(run.drop(count) == nil)
      let after =
        StressCounts.isFull
        ? ProcessFigures.settled(toThreads: before.threads + 2, descriptors: before.descriptors) : .now
      print("stress: \(count) sessions dropped; before \(before); after \(after)")
      #expect(run.failedStarts == 0, "a camera was not given back")
      #expect(run.tally.waitForAll(run.pressed), "\(run.tally.missing(run.pressed)) photos have not ended")
      #expect(run.tally.twice.isEmpty, "photos ended more than once")
      // In a run of the whole suite the threads and files of other tests come and go beside these.
      if StressCounts.isFull {
        #expect(after.threads <= before.threads + 2)
        #expect(after.descriptors <= before.descriptors)
        #expect(!after.hasGrown(since: before, byMoreThan: 20_000))
      }
    }
  }
}

/// Two threads that make sessions, press, and let go, each with a camera of its own, while time passes.
private final class DroppedSessions: Sendable {
  let tally = PhotoTally()
  private let stage: SessionStage
  private let ids = Locked<[Int64]>([])
  private let refused = Locked(0)

  init(_ stage: SessionStage) {
    self.stage = stage
  }

  var pressed: [Int64] { ids.withLock { $0 } }
  /// Sessions that could not have their camera.
  var failedStarts: Int { refused.withLock { $0 } }

  /// Drops so many sessions; what hangs, if something does.
  func drop(_ count: Int) -> String? {
    let watch = OperationWatch()
    let mover = ClockMover(stage.clock, pause: 0.0002)
    for (number, model) in [SessionStage.back, SessionStage.front].enumerated() {
      watch.start("thread \(number)") { [self] in
        var dice = SeededGenerator(seed: UInt64(number) &+ 11)
        for _ in 0..<count / 2 { dropOne(model, &dice, watch, "thread \(number)") }
      }
    }
    let hang = watch.waitForAll(2)
    mover.end()
    return hang
  }

  private func dropOne(
    _ model: SimulatedDeviceModel, _ dice: inout SeededGenerator, _ watch: OperationWatch, _ thread: String
  ) {
    func doing(_ what: String) { watch.begin(what, on: thread) }
    doing("making a session")
    guard let device = try? stage.camera(model), let input = try? AVCaptureDeviceInput(device: device) else {
      return refused.withLock { $0 += 1 }
    }
    var session: AVCaptureSession? = AVCaptureSession()
    let output = AVCapturePhotoOutput()
    session?.addInput(input)
    session?.addOutput(output)
    doing("starting")
    session?.startRunning()
    guard session?.isRunning == true else { return refused.withLock { $0 += 1 } }
    let coordinator =
      Bool.random(using: &dice) ? AVCapturePhotoOutputReadinessCoordinator(photoOutput: output) : nil
    doing("pressing")
    let settings = AVCapturePhotoSettings()
    ids.withLock { $0.append(settings.uniqueID) }
    output.capturePhoto(with: settings, delegate: tally)
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      doing("dropping at once")
      session = nil
    case 1:
      doing("dropping after a moment")
      for _ in 0..<Int.random(in: 0..<20_000, using: &dice) { _ = dice.next() }
      session = nil
    case 2:
      doing("dropping while another thread asks how ready the output is")
      let asking = Monitor(true)
      DispatchQueue.global().async {
        for _ in 0..<50 { _ = output.captureReadiness }
        asking.withLock { $0 = false }
      }
      session = nil
      _ = asking.wait(for: { !$0 }, then: { _ in })
    default:
      doing("dropping while another thread stops it")
      let last = session
      let stopping = Monitor(true)
      DispatchQueue.global().async {
        last?.stopRunning()
        stopping.withLock { $0 = false }
      }
      session = nil
      _ = stopping.wait(for: { !$0 }, then: { _ in })
    }
    withExtendedLifetime(coordinator) {}
  }
}
