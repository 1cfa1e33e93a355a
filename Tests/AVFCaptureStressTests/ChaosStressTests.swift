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
  @Suite("Stress: chaos")
  struct ChaosStressTests {
    @Test func `four threads and every callback do anything, and nothing hangs, gets lost or stays behind`()
      throws
    {
      let stage = SessionStage(devices: [SessionStage.back, SessionStage.front, .stageMicrophone])
      let stunt = try Stunt(stage, changesDelegates: true)
      let count = StressCounts.count(100_000, small: 4_000)
      let watch = OperationWatch()
      #expect(run(stunt, stage.clock, watch, operations: count / 10, round: 0) == nil)
      stunt.end()
      let before = ProcessFigures.now
      let hang = run(stunt, stage.clock, watch, operations: count, round: 1)
      #expect(hang == nil)
      guard hang == nil else { return }
      stunt.end()
      #expect(!stage.session.isRunning)
      #expect(
        stunt.tally.waitForAll(stunt.asked), "\(stunt.tally.missing(stunt.asked)) photos have not ended")
      #expect(stunt.tally.twice.isEmpty, "photos ended more than once")
      #expect(stunt.wasBusy, "nothing was going on")
      #expect(stunt.stepsInCallbacks > 0)
      stunt.dropPreviews()
      let after =
        StressCounts.isFull
        ? ProcessFigures.settled(toThreads: before.threads + 4, descriptors: before.descriptors + 2) : .now
      print(
        "stress: \(watch.begun) operations, \(stunt.stepsInCallbacks) of them in callbacks, \(stunt.asked.count) presses, "
          + "\(stunt.tally.succeeded) photos, before \(before), after \(after)")
      // In a run of the whole suite the threads and files of other tests come and go beside these.
      if StressCounts.isFull {
        #expect(after.threads <= before.threads + 4)
        #expect(after.descriptors <= before.descriptors + 2)
        #expect(!after.hasGrown(since: before, byMoreThan: 30_000))
      }
      try stunt.resetCameras()
    }

    /// Runs a stunt, and returns the operation that hangs, if one does.
    private func run(
      _ stunt: Stunt, _ clock: SimulatedClock, _ watch: OperationWatch, operations: Int, round: UInt64
    ) -> String? {
      stunt.letCallbacksStep(watch)
      let mover = ClockMover(clock, pause: 0.0005)
      let threads = OperationWatch()
      for number in 0..<4 {
        let name = "thread \(number)"
        threads.start(name) {
          var dice = SeededGenerator(seed: 97 &* round &+ UInt64(number))
          // Breaking the rules is part of the game; only their effect is looked at.
          _ = ProgrammingMistake.collect {
            for _ in 0..<operations / 4 {
              stunt.step(&dice) { operation in
                threads.begin(operation, on: name)
                watch.begin(operation, on: name)
              }
            }
          }
        }
      }
      let hang = threads.waitForAll(4)
      mover.end()
      return hang
    }
  }
}
