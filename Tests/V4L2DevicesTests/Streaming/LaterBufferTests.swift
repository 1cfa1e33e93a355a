import CaptureDevice
import CaptureDeviceTesting
import Glibc
import Testing
import V4L2Devices
import Waiting

/// Buffers that are added while a stream runs: a start need not wait for the memory of photos and movies.
@Suite("Buffers added to a running stream")
struct LaterBufferTests {
  private func open(_ kernel: ScriptedKernel) throws -> any CaptureStream {
    let camera = try kernel.camera()
    var wanted = StreamConfiguration(
      format: camera.facts.formats[0], frameDuration: FrameDuration(1, 30), bufferCount: 2)
    wanted.laterBufferCount = 4
    return try camera.openStream(wanted)
  }

  @Test func `clients hold more frames afterwards, and the stream has no gap`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try open(kernel)
    #expect(stream.configuration.bufferCount == 2 && stream.configuration.laterBufferCount == 4)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    #expect(kernel.queuedCount() == 4)
    for number in 1...3 {
      kernel.expose()
      #expect(log.wait { $0.order.count == number })
    }
    #expect(log.now.sequences == [0, 1] && log.now.drops.map(\.sequence) == [2])
    #expect(stream.addBuffers() == 6)
    #expect(stream.configuration.bufferCount == 6 && stream.configuration.laterBufferCount == 0)
    #expect(stream.addBuffers() == 6, "a second time adds none")
    for number in 4...8 {
      kernel.expose()
      #expect(log.wait { $0.order.count == number })
    }
    #expect(log.now.sequences == [0, 1, 3, 4, 5, 6] && log.now.drops.map(\.sequence) == [2, 7])
    log.releaseFrames()
    #expect(kernel.isQueued(8))
    stream.stop()
    // The next start has them all.
    let again = EventLog()
    try stream.start(again.receive)
    #expect(kernel.queuedCount() == 8)
    stream.stop()
  }

  @Test func `a driver that adds none gives all of them when it is opened`() throws {
    var camera = KernelCamera.plain(.yuyv)
    camera.addsBuffers = false
    let kernel = ScriptedKernel([camera])
    let stream = try open(kernel)
    #expect(stream.configuration.bufferCount == 6 && stream.configuration.laterBufferCount == 0)
    #expect(stream.addBuffers() == 6)
  }

  @Test func `a driver that has no memory then leaves the stream as it is`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try open(kernel)
    let log = EventLog()
    try stream.start(log.receive)
    kernel.force(.addBuffers, ENOMEM)
    #expect(stream.addBuffers() == 2)
    kernel.expose()
    #expect(log.wait { $0.sequences == [0] })
    stream.stop()
  }

  @Test func `buffers that are added as the stream is closed do not keep the camera`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    for _ in 0..<20 {
      var stream: (any CaptureStream)? = try open(kernel)
      let log = EventLog()
      try stream?.start(log.receive)
      stream?.addBuffers()
      stream?.stop()
      stream = nil
    }
    #expect(throws: Never.self) { _ = try open(kernel) }
  }
}
