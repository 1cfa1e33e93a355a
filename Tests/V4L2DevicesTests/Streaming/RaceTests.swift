import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import SeededNumbers
import Testing
import V4L2Devices
import Waiting

@Suite("V4L2: races")
struct RaceTests {
  @Test func `four threads do what they like: every still is answered once and nothing stays open`() throws {
    var camera = KernelCamera.plain(.yuyv)
    camera.isAutomatic = true
    camera.changesDurationLive = true
    camera.modes[0].durations = [
      .steps(from: VideoFraction(1, 1000), through: VideoFraction(1, 30), by: VideoFraction(1, 1000))
    ]
    let kernel = ScriptedKernel([camera])
    let asked = Locked(0)
    let answered = Monitor(0)
    let running = Monitor(4)
    do {
      let device = try kernel.camera()
      let format = device.facts.formats[0]
      let stream = try device.openStream(
        StreamConfiguration(format: format, frameDuration: FrameDuration(1, 1000), bufferCount: 3))
      let held = Locked<[CapturedFrame]>([])
      for thread in 0..<4 {
        Thread.detachNewThread {
          var dice = SeededGenerator(seed: UInt64(thread) + 1)
          for _ in 0..<150 {
            switch Int.random(in: 0..<6, using: &dice) {
            case 0: stream.stop()
            case 1:
              asked.withLock { $0 += 1 }
              stream.captureStill(StillRequest(size: format.size)) { _ in answered.withLock { $0 += 1 } }
            case 2:
              _ = try? stream.setFrameDuration(FrameDuration(1, .random(in: 100..<1000, using: &dice)))
            case 3:
              let released = held.withLock { held in
                defer { held = [] }
                return held
              }
              withExtendedLifetime(released) {}
            default:
              // Busy when another thread has started it: that is one of the answers.
              try? stream.start { event in
                if case .frame(let frame) = event { held.withLock { $0.append(frame) } }
              }
            }
            for _ in 0..<Int.random(in: 0..<200, using: &dice) { sched_yield() }
          }
          running.withLock { $0 -= 1 }
        }
      }
      #expect(running.wait(for: 0))
      stream.stop()
      #expect(answered.wait(for: asked.withLock { $0 }))
    }
    #expect(kernel.isGivenBack())
    #expect(answered.withLock { $0 } == asked.withLock { $0 })
  }
}
