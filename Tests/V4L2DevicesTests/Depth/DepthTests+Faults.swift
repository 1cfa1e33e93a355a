import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

// Nodes that go, fail, hang, or send nothing.
extension DepthTests {
  @Test func `an unplug is reported once, and both nodes are closed when the kernel has taken them away`()
    throws
  {
    let kernel = ScriptedKernel(
      KernelCamera.depthCamera { depth, colour in
        depth.hasMediaDevice = true
        colour.hasMediaDevice = true
      })
    kernel.removeSlowly(holdsQuestions: true)
    let log = EventLog()
    let failures = Locked(0)
    do {
      let stream = try kernel.camera().openDepth()
      try stream.start { event in
        if case .failed = event { failures.withLock { $0 += 1 } }
        log.receive(event)
      }
      kernel.expose(depth)
      kernel.expose(colour)
      #expect(log.wait { $0.mapOrder.count == 1 && $0.order.count == 1 })
      kernel.unplug(depth)
      kernel.unplug(colour)
      #expect(log.wait { $0.failure?.code == .disconnected })
      #expect(kernel.waits { $0.heldQuestions == 1 })
      #expect(kernel.openCount == 2)
      kernel.finishRemovals()
      stream.stop()
    }
    #expect(kernel.isGivenBack())
    #expect(failures.withLock { $0 } == 1)
  }

  @Test func `media devices that stay keep no stop longer than a second, for both nodes together`() throws {
    let kernel = ScriptedKernel(
      KernelCamera.depthCamera { depth, colour in
        depth.hasMediaDevice = true
        colour.hasMediaDevice = true
      })
    kernel.removeSlowly()
    let log = EventLog()
    do {
      let stream = try kernel.camera().openDepth()
      try stream.start(log.receive)
      kernel.unplug(depth)
      kernel.unplug(colour)
      #expect(log.wait { $0.failure?.code == .disconnected })
      let began = MonotonicInstant.now
      stream.stop()
      #expect(began.isRecent)
    }
    #expect(kernel.isGivenBack())
  }

  @Test func `a depth node that fails alone ends the stream by its own name, and a new start mends it`()
    throws
  {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.failForGood(depth)
    #expect(log.wait { $0.failure?.code == .ioFailure })
    #expect(log.now.failure?.message.contains("(/dev/video0)") == true)
    let second = EventLog()
    try stream.start(second.receive)
    kernel.expose(depth)
    kernel.expose(colour)
    #expect(second.wait { $0.mapOrder == [0] && $0.order == [0] })
    stream.stop()
  }

  @Test func `a depth node that sends nothing is named, although pictures come`() throws {
    let kernel = ScriptedKernel(
      KernelCamera.depthCamera { _, colour in
        // Slow pictures: their silence is not over before that of the maps.
        for index in colour.modes.indices { colour.modes[index].durations = [.one(VideoFraction(2, 1))] }
      })
    let stream = try kernel.camera(silenceNanoseconds: 10_000_000).openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose(colour)
    #expect(log.wait { $0.failure?.code == .noFrames })
    #expect(log.now.order == [0])
    #expect(
      log.now.failure?.message.hasPrefix(
        "Depth Camera (/dev/video0) streams but has sent no depth map")
        == true)
    stream.stop()
  }

  @Test func `a closed privacy switch holds the maps back, too`() throws {
    let kernel = ScriptedKernel(
      KernelCamera.depthCamera { _, colour in
        colour.controls[.privacy] = VideoControlDescription(
          0, 1, kind: .boolean, name: "Privacy", flags: .readOnly)
        colour.values[.privacy] = 1
      })
    let stream = try kernel.camera(silenceNanoseconds: 10_000_000).openDepth()
    let log = EventLog()
    let resumed = Monitor(false)
    try stream.start { event in
      if case .resumed = event { resumed.withLock { $0 = true } }
      log.receive(event)
    }
    for _ in 0..<3 { kernel.expose(depth) }
    #expect(kernel.isQueued(6, depth))
    #expect(kernel.waits { $0.watches == 1 })
    kernel.turn(.privacy, to: 0, colour)
    #expect(resumed.wait(for: true))
    #expect(log.now.mapOrder.isEmpty)
    kernel.expose(depth)
    #expect(log.wait { $0.mapOrder == [0] })
    stream.stop()
  }

  @Test(arguments: [VideoCall.dequeue, .streamOff, .wait, .enqueue])
  func `stop returns within a second though the driver hangs, and no map is reported afterwards`(
    _ call: VideoCall
  ) throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose(depth)
    #expect(log.wait { $0.mapOrder.count == 1 })
    kernel.hang(call)
    kernel.expose(depth)
    if call != .streamOff { #expect(kernel.waits { $0.hanging.contains(call) }) }
    let began = MonotonicInstant.now
    stream.stop()
    #expect(began.isRecent)
    let reported = log.now.mapOrder.count
    kernel.resume()
    // A start waits for the end of the run before.
    try stream.start { _ in }
    stream.stop()
    #expect(log.now.mapOrder.count == reported && log.now.failure == nil)
  }
}
