import AVFoundation
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// What a test may rely on when a manual clock's move has returned: no test here waits for anything.
  @Suite("A clock that has settled")
  struct SettledClock {
    @Test func `an interruption and its end have been posted when the move returns`() throws {
      for _ in 0..<10 {
        let stage = SessionStage(faults: [SceneFault(.privacy(seconds: 2), at: 1)])
        try stage.addCamera()
        stage.session.startRunning()
        stage.clock.advance(by: .seconds(1.5))
        #expect(stage.news.all.suffix(3) == ["isInterrupted true", "isRunning false", "interrupted"])
        stage.clock.advance(by: .seconds(2))
        #expect(stage.news.all.suffix(3) == ["isInterrupted false", "isRunning true", "interruption ended"])
        stage.session.stopRunning()
      }
    }

    @Test func `a runtime error has been posted when the fifth silent second is over`() throws {
      for _ in 0..<10 {
        let stage = SessionStage(faults: [SceneFault(.stall(seconds: 60), at: 1)])
        try stage.addCamera()
        stage.session.startRunning()
        stage.clock.advance(by: .seconds(6.5))
        #expect(stage.news.lastError?.code == .noDataCaptured)
        #expect(!stage.session.isRunning && stage.news.all.last == "stopped")
      }
    }

    @Test func `what a plug brings about has been seen when the clock has settled`() throws {
      for _ in 0..<10 {
        let stage = SessionStage()
        try stage.addCamera()
        stage.session.startRunning()
        stage.pass(frames: 3)
        let plugs = Plugs()
        try stage.simulated().unplug()
        stage.clock.settle()
        #expect(plugs.all == ["gone"] && stage.news.lastError?.code == .deviceWasDisconnected)
        #expect(AVCaptureDevice(uniqueID: SessionStage.back.facts.uniqueID) == nil)
        let webcam = try #require(stage.provider.device(SessionStage.back.facts.uniqueID))
        webcam.plugIn()
        stage.clock.settle()
        #expect(plugs.all == ["gone", "there"])
        #expect(AVCaptureDevice(uniqueID: SessionStage.back.facts.uniqueID) != nil)
        stage.session.stopRunning()
      }
    }

    @Test func `what an observer leaves to the main queue is done, and what that leaves to it`() throws {
      let stage = SessionStage(faults: [SceneFault(.privacy(seconds: 2), at: 0.1)])
      try stage.addCamera()
      let shown = Locked(false)
      let token = NotificationCenter.default.addObserver(
        forName: .AVCaptureSessionWasInterrupted, object: stage.session, queue: nil
      ) { _ in
        DispatchQueue.main.async { DispatchQueue.main.async { shown.withLock { $0 = true } } }
      }
      defer { NotificationCenter.default.removeObserver(token) }
      stage.session.startRunning()
      stage.clock.advance(by: .seconds(1))
      #expect(shown.withLock { $0 })
      stage.session.stopRunning()
    }

    @Test func `work that a client declares is waited for, on whichever queue`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      let (queue, done) = (DispatchQueue(label: "client's own"), Locked(0))
      counter.onFrame = { [clock = stage.clock] in
        let work = clock.inFlight { done.withLock { $0 += 1 } }
        // By so many turns of the queue that it is late unless it is waited for.
        @Sendable func turn(_ rest: Int) {
          if rest == 0 { work() } else { queue.async { turn(rest - 1) } }
        }
        turn(300)
      }
      stage.session.startRunning()
      for frame in 1...10 {
        stage.pass(frames: 1)
        #expect(done.withLock { $0 } == counter.frames && counter.frames >= frame - 1)
      }
      stage.session.stopRunning()
    }

    @Test func `a client that is always busy does not hold up the clock`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      let isOver = Locked(false)
      let busy = DispatchQueue(label: "busy")
      let camera = try stage.simulated(SessionStage.front)
      let known = DispatchSemaphore(value: 0)
      let token = NotificationCenter.default.addObserver(
        forName: AVCaptureDevice.wasConnectedNotification, object: nil, queue: nil
      ) { _ in known.signal() }
      defer { NotificationCenter.default.removeObserver(token) }
      busy.async {
        while !isOver.withLock({ $0 }) {
          camera.unplug()
          camera.plugIn()
          // The next as soon as this has become known: what nothing keeps up with would be waited for ever longer.
          _ = known.wait(timeout: .now() + .milliseconds(10))
        }
      }
      stage.pass(frames: 30)
      isOver.withLock { $0 = true }
      busy.sync {}
      #expect(counter.frames >= 29)
      stage.session.stopRunning()
    }

    @Test
    func `a session looks again after half a second of the clock for a camera that another program has`()
      throws
    {
      let stage = SessionStage(faults: [SceneFault(.busy(seconds: 0.7), at: 0)])
      try stage.addCamera()
      stage.session.startRunning()
      stage.clock.settle()
      #expect(stage.session.isInterrupted)
      stage.clock.advance(by: .seconds(2))
      #expect(!stage.session.isInterrupted && stage.news.all.last == "interruption ended")
      stage.session.stopRunning()
    }
  }
}

/// Writes down which devices' plugs were pulled and put in.
private final class Plugs: Sendable {
  private let list = Locked<[String]>([])
  private let tokens = Locked<[any NSObjectProtocol]>([])

  init() {
    for (name, word) in [
      (AVCaptureDevice.wasDisconnectedNotification, "gone"),
      (AVCaptureDevice.wasConnectedNotification, "there"),
    ] {
      let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [list] _ in
        list.withLock { $0.append(word) }
      }
      tokens.withLock { $0.append(token) }
    }
  }

  deinit {
    for token in tokens.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
  }

  var all: [String] { list.withLock { $0 } }
}
