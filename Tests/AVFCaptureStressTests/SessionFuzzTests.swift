import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SeededNumbers
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  /// Meant to run under ThreadSanitizer too: `swift test --sanitize=thread --filter SessionFuzzTests`.
  @Suite("AVCaptureSession: fuzz")
  struct SessionFuzzTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `four threads do anything, and every photo ends once`(seed: UInt64) throws {
      let stage = SessionStage(devices: [SessionStage.back, SessionStage.front, .stageMicrophone])
      let stunt = try Stunt(stage)
      let done = Monitor(0)
      for thread in 0..<4 {
        Thread.detachNewThread {
          var random = SeededGenerator(seed: seed &* 31 &+ UInt64(thread))
          // Breaking the rules is part of the game; only their effect is looked at.
          _ = ProgrammingMistake.collect {
            // Where threads meet is the machine's choice: a run that found the session idle most of the time goes on.
            for count in 0..<6000 where count < 300 || !stunt.wasBusy { stunt.step(&random) }
          }
          done.withLock { $0 += 1 }
        }
      }
      let mover = ClockMover(stage.clock, pause: 0.0005)
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 120_000_000_000)
      let finished: Bool? = done.wait(until: deadline) {
        $0 == 4
      } then: { _ in
        true
      }
      mover.end()
      #expect(finished == true, "a thread hangs")
      stunt.end()
      #expect(!stage.session.isRunning)
      #expect(
        stunt.tally.waitForAll(stunt.asked), "\(stunt.tally.missing(stunt.asked)) photos have not ended")
      #expect(stunt.tally.twice.isEmpty, "photos ended more than once")
      #expect(stunt.audioImbalance == nil, "captured audio is delivered or dropped")
      #expect(stunt.wasBusy, "nothing was going on")
      stunt.dropPreviews()
      let ends = stage.session.outputs.flatMap(\.connections)
      #expect(stage.session.connections.count == ends.count, "layers that are gone leave no connection")
      try stunt.resetCameras()
    }
  }
}
