import AVFoundation
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Movies and the time of a simulated world")
  struct MovieWorldTimeTests {
    @Test func `the same recording in another world has the same bytes, with the date of its clock`()
      async throws
    {
      var files: [Data] = []
      for _ in 0..<2 {
        let stage = try MovieStage()
        stage.session.startRunning()
        stage.pass(frames: 5)
        let url = try stage.record(frames: 20)
        files.append(try Data(contentsOf: url))
        let date = try await AVURLAsset(url: url).load(.creationDate)?.load(.dateValue)
        // The clock began at 1000 s, and the file some frames later.
        #expect(date == Date(timeIntervalSinceReferenceDate: 1000))
        stage.session.stopRunning()
      }
      #expect(files[0] == files[1] && files[0].count > 1000)
    }

    @Test
    func
      `an export's interval is one of the clock: without a move there is one state, whatever the export takes`()
      async throws
    {
      let stage = try MovieStage(hasMicrophone: false)
      stage.session.startRunning()
      let asset = AVURLAsset(url: try stage.record(frames: 30))
      stage.session.stopRunning()
      let export = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPreset640x480))
      let url = stage.url("export.mp4")
      let states = Task {
        var shares: [Double] = []
        for await state in export.states(updateInterval: 0.000_001) {
          if case .exporting(let progress) = state { shares.append(progress.fractionCompleted) }
        }
        return shares
      }
      try await export.export(to: url, as: .mp4)
      #expect(await states.value.count <= 1)
    }

    @Test func `a timer that waits when its world ends goes on in the machine's time`() {
      let clock = SimulatedClock()
      SimulatedDevices.install(scene: Scene(devices: []), clock: clock)
      let (calls, count) = (Changes(), Locked(0))
      let queue = DispatchQueue(label: "movie-world-time-tests")
      let timer = WorldTimer(on: queue) {
        count.withLock { $0 += 1 }
        calls.note()
      }
      timer.set(afterNanoseconds: 2_000_000)
      WorldTime.current.perform(afterNanoseconds: 2_000_000, on: queue) {
        count.withLock { $0 += 1 }
        calls.note()
      }
      clock.advance(by: .milliseconds(1))
      #expect(count.withLock { $0 } == 0)
      SimulatedDevices.uninstall()
      #expect(calls.wait { count.withLock { $0 } == 2 })
      withExtendedLifetime(timer) {}
    }

    /// Has a world end at the moment in which something is planned in it, and says how much of what was asked for came nevertheless.
    private func endsWhilePlanning(_ ask: (DispatchQueue, @escaping @Sendable () -> Void) -> Void) -> Bool {
      final class Planned: Sendable {}
      let now = MonotonicInstant(nanoseconds: 1_000_000_000_000)
      let (calls, isCalled) = (Changes(), Locked(false))
      WorldTime.install(
        WorldTime(
          WorldTime.Source(now: { now }) { _, _ in
            WorldTime.install(nil)
            return Planned()
          }))
      ask(DispatchQueue(label: "movie-world-time-tests")) {
        isCalled.withLock { $0 = true }
        calls.note()
      }
      return calls.wait { isCalled.withLock { $0 } }
    }

    @Test func `what is set while its world ends goes on in the machine's time, too`() {
      let kept = Locked<WorldTimer?>(nil)
      let isCalled = endsWhilePlanning { queue, call in
        let timer = WorldTimer(on: queue, call)
        kept.withLock { $0 = timer }
        timer.set(afterNanoseconds: 1_000_000)
      }
      #expect(isCalled)
      #expect(
        endsWhilePlanning { queue, call in
          WorldTime.current.perform(afterNanoseconds: 1_000_000, on: queue, call)
        })
      #expect(
        endsWhilePlanning { _, call in
          let world = WorldTime.current
          let deadline = world.now.advanced(byNanoseconds: 1_000_000)
          if Monitor(0).wait(until: deadline, on: world, for: { $0 == 1 }, then: { _ in }) == nil { call() }
        })
    }

    @Test func `a world that was in force when it was asked for is left with the others`() {
      let (calls, isCalled) = (Changes(), Locked(false))
      let clock = SimulatedClock()
      SimulatedDevices.install(scene: Scene(devices: []), clock: clock)
      let world = WorldTime.current
      SimulatedDevices.uninstall()
      world.perform(afterNanoseconds: 1_000_000, on: DispatchQueue(label: "movie-world-time-tests")) {
        isCalled.withLock { $0 = true }
        calls.note()
      }
      #expect(calls.wait { isCalled.withLock { $0 } })
    }
  }
}
