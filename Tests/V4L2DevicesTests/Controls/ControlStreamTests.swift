import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import Testing
import StreamParts
import V4L2Devices
import Waiting

@Suite("V4L2: controls while streaming")
struct ControlStreamTests {
  @Test func `frames carry the change that they show, in the order of their stamps`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let camera = try kernel.camera()
    let stream = try camera.open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.frames.count == 1 })
    let late = MonotonicInstant.now.nanoseconds
    let change = try camera.apply([.zoom(3)])
    // Exposed before the change, and dequeued after it.
    kernel.expose("/dev/video0", .init(stamp: late))
    kernel.expose()
    try #require(log.wait { $0.frames.count == 3 })
    let states = log.now.frames.map(\.conditions.state)
    #expect(states.map(\.zoom) == [1, 1, 3])
    #expect(states[1].change < change && states[2].change == change)
    #expect(states[0].focusMode == .continuousAuto && states[0].exposure.durationNanoseconds == 31_200_000)
    stream.stop()
    log.releaseFrames()
  }

  @Test func `what another program sets shows in the frames`() throws {
    let kernel = ScriptedKernel([.controlled()])
    let stream = try kernel.camera().open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    #expect(kernel.waits { $0.watches == 1 })
    kernel.turn(.zoomAbsolute, to: 200)
    // It is read before the next change is waited for.
    #expect(kernel.waits { $0.watches == 2 })
    kernel.expose()
    #expect(log.wait { $0.frames.last?.conditions.state.zoom == 2 })
    stream.stop()
    log.releaseFrames()
    #expect(kernel.waits { $0.handles.count == 1 }, "only the stream holds the camera")
  }

  private func privacyCamera(_ isClosed: Bool) -> KernelCamera {
    .controlled { camera in
      camera.controls[.privacy] = VideoControlDescription(
        0, 1, kind: .boolean, name: "Privacy", flags: .readOnly)
      camera.values[.privacy] = isClosed ? 1 : 0
    }
  }

  @Test func `a closed privacy switch interrupts the stream until it is opened`() throws {
    let kernel = ScriptedKernel([privacyCamera(false)])
    let stream = try kernel.camera().open()
    let reported = Monitor<[String]>([])
    let log = EventLog()
    try stream.start { event in
      reported.withLock { reported in
        switch event {
        case .interrupted(let reason): reported.append("\(reason)")
        case .resumed: reported.append("resumed")
        case .frame(let frame): reported.append("\(frame.sequence)")
        default: break
        }
      }
      log.receive(event)
    }
    kernel.expose()
    #expect(log.wait { $0.sequences.count == 1 })
    #expect(kernel.waits { $0.watches == 1 })
    kernel.turn(.privacy, to: 1)
    #expect(reported.wait { $0.contains("privacy") })
    kernel.expose()
    kernel.expose()
    #expect(kernel.isQueued(6))
    kernel.turn(.privacy, to: 0)
    #expect(reported.wait { $0.contains("resumed") })
    kernel.expose()
    #expect(log.wait { $0.sequences.count == 2 })
    #expect(reported.withLock { $0 } == ["0", "privacy", "resumed", "1"])
    stream.stop()
  }

  @Test func `a switch that is closed while the stream begins to watch it interrupts the stream, too`() throws
  {
    let kernel = ScriptedKernel([privacyCamera(false)])
    let stream = try kernel.camera().open()
    let interrupted = Monitor(false)
    kernel.hang(.subscribe)
    try stream.start { event in
      if case .interrupted(.privacy) = event { interrupted.withLock { $0 = true } }
    }
    #expect(kernel.waits { $0.hanging.contains(.subscribe) })
    kernel.turn(.privacy, to: 1)
    kernel.resume()
    #expect(interrupted.wait(for: true))
    stream.stop()
  }

  @Test func `a stream that starts with the switch closed is interrupted, and not silent`() throws {
    let kernel = ScriptedKernel([privacyCamera(true)])
    let stream = try kernel.camera(silenceNanoseconds: 10_000_000).open()
    let interrupted = Monitor(false)
    let log = EventLog()
    try stream.start { event in
      if case .interrupted(.privacy) = event { interrupted.withLock { $0 = true } }
      log.receive(event)
    }
    #expect(interrupted.wait(for: true))
    // A closed camera that sends nothing is waited for asleep, far longer than its silence may last.
    let waits = kernel.state.withLock { $0.waits.count }
    #expect(kernel.waits { $0.waits.count == waits + 3 })
    #expect(kernel.state.withLock { $0.waits.suffix(2).allSatisfy { $0 == SilenceWatch.tick } })
    #expect(log.now.failure == nil)
    stream.stop()
  }
}
