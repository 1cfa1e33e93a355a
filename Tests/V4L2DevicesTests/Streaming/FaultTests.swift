import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

@Suite("V4L2: faults while streaming")
struct FaultTests {
  @Test func `an unplug ends the stream as disconnected and says what to do`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.sequences.count == 1 })
    kernel.unplug("/dev/video0")
    #expect(log.wait { $0.failure != nil })
    #expect(log.now.failure?.code == .disconnected)
    #expect(
      log.now.failure?.message == """
        Plain (/dev/video0) cannot go on streaming: it is no longer connected; plug it in again.
        """)
    stream.stop()
    #expect(throws: CaptureDeviceError.self) { try stream.start(log.receive) }
  }

  @Test func `an unplug is reported at once, and the node closed when the kernel has taken its device away`()
    throws
  {
    var camera = KernelCamera.plain(.yuyv)
    camera.hasMediaDevice = true
    let kernel = ScriptedKernel([camera])
    kernel.removeSlowly(holdsQuestions: true)
    let log = EventLog()
    let isReleased = Monitor(false)
    do {
      let stream = try kernel.camera().open()
      try stream.start(log.receive)
      kernel.expose()
      #expect(log.wait { $0.sequences.count == 1 })
      kernel.unplug("/dev/video0")
      #expect(log.wait { $0.failure?.code == .disconnected })
      // Reported while the kernel is still at it, and open.
      let last = Locked<(any CaptureStream)?>(stream)
      Thread.detachNewThread {
        // Released under no lock, as it may wait for its thread.
        withExtendedLifetime(last.withLock { $0.take() }) {}
        isReleased.withLock { $0 = true }
      }
    }
    #expect(kernel.waits { $0.calls.contains(.streamOff) && $0.heldQuestions == 1 })
    #expect(kernel.openCount == 1)
    kernel.finishRemovals()
    #expect(kernel.isGivenBack() && isReleased.wait(for: true))
  }

  @Test(arguments: [true, false])
  func `a media device that stays keeps no stop longer than a second, and the node is closed`(
    _ isStoppedFirst: Bool
  ) throws {
    var camera = KernelCamera.plain(.yuyv)
    camera.hasMediaDevice = true
    let kernel = ScriptedKernel([camera])
    kernel.removeSlowly()
    let log = EventLog()
    do {
      let stream = try kernel.camera().open()
      try stream.start(log.receive)
      if isStoppedFirst { kernel.hang(.wait) }
      kernel.unplug("/dev/video0")
      if !isStoppedFirst { #expect(log.wait { $0.failure?.code == .disconnected }) }
      let began = MonotonicInstant.now
      if isStoppedFirst { kernel.resume() }
      stream.stop()
      #expect(began.isRecent)
    }
    #expect(kernel.isGivenBack())
  }

  @Test func `a fatal driver error ends the stream, and a new start mends it`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.failForGood("/dev/video0")
    #expect(log.wait { $0.failure?.code == .ioFailure })
    let second = EventLog()
    try stream.start(second.receive)
    kernel.expose()
    #expect(second.wait { $0.sequences == [0] })
    stream.stop()
  }

  @Test func `a camera that sends nothing fails with noFrames`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera(silenceNanoseconds: 10_000_000).open()
    let log = EventLog()
    try stream.start(log.receive)
    #expect(log.wait { $0.failure?.code == .noFrames })
    stream.stop()
  }

  @Test(arguments: [VideoCall.dequeue, .streamOff, .wait, .enqueue])
  func `stop returns within a second though the driver hangs, and nothing is reported afterwards`(
    _ call: VideoCall
  ) throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.sequences.count == 1 })
    kernel.hang(call)
    kernel.expose()
    if call != .streamOff { #expect(kernel.waits { $0.hanging.contains(call) }) }
    let began = MonotonicInstant.now
    stream.stop()
    #expect(began.isRecent)
    let reported = log.now.order.count
    kernel.resume()
    // The driver has come back, and with it the stream: a start waits for the end of the run before.
    let second = EventLog()
    try stream.start(second.receive)
    #expect(log.now.order.count == reported && log.now.failure == nil)
    kernel.expose()
    #expect(second.wait { $0.sequences == [0] })
    stream.stop()
  }

  @Test func `a picture that is waited for is answered though the driver hangs`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let camera = try kernel.camera()
    let stream = try camera.open()
    try stream.start { _ in }
    kernel.hang(.streamOff)
    let answer = Locked<CaptureDeviceError.Code?>(nil)
    stream.captureStill(StillRequest(size: camera.facts.formats[0].size)) { result in
      if case .failure(let error) = result { answer.withLock { $0 = error.code } }
    }
    stream.stop()
    #expect(answer.withLock { $0 } == .noFrames)
    kernel.resume()
  }

  @Test func `stop inside the receiver returns, and nothing is reported afterwards`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let count = Locked(0)
    let log = EventLog()
    try stream.start { [weak stream] event in
      count.withLock { $0 += 1 }
      stream?.stop()
      log.receive(event)
    }
    kernel.expose()
    kernel.expose()
    #expect(log.wait { $0.order.count == 1 })
    stream.stop()
    // A start waits for the end of the run before.
    try stream.start(log.receive)
    #expect(count.withLock { $0 } == 1)
    stream.stop()
  }

  @Test func `dropping the stream inside the receiver closes the device`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let holder = Locked<(any CaptureStream)?>(nil)
    let log = EventLog()
    do {
      let stream = try kernel.camera().open()
      holder.withLock { $0 = stream }
      try stream.start { event in
        let last = holder.withLock { held -> (any CaptureStream)? in
          defer { held = nil }
          return held
        }
        withExtendedLifetime(last) {}
        log.receive(event)
      }
    }
    kernel.expose()
    #expect(log.wait { $0.order.count == 1 })
    #expect(kernel.isGivenBack())
  }

  @Test func `a stop that comes while the driver is being started is not lost`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog()
    kernel.hang(.streamOn)
    let started = Monitor(false)
    Thread.detachNewThread {
      try? stream.start(log.receive)
      started.withLock { $0 = true }
    }
    #expect(kernel.waits { $0.hanging.contains(.streamOn) })
    let began = MonotonicInstant.now
    stream.stop()
    #expect(began.isRecent)
    kernel.resume()
    #expect(started.wait(for: true))
    // What came before the end of that run is not its, and a start waits for that end.
    kernel.expose()
    let second = EventLog()
    try stream.start(second.receive)
    kernel.expose()
    #expect(second.wait { $0.sequences == [0] })
    #expect(log.now.order.isEmpty)
    stream.stop()
  }

  @Test func `start and stop a hundred times leave nothing open`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    do {
      let camera = try kernel.camera()
      for _ in 0..<20 {
        let stream = try camera.open()
        for _ in 0..<5 {
          let log = EventLog()
          try stream.start(log.receive)
          kernel.expose()
          #expect(log.wait { $0.sequences == [0] })
          stream.stop()
        }
      }
    }
    #expect(kernel.isGivenBack())
  }
}
