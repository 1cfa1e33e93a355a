import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

@Suite("V4L2: memory that is shared with other devices")
struct SharedMemoryTests {
  private func pixels(_ log: EventLog) throws -> CVPixelBuffer {
    guard log.wait({ !$0.frames.isEmpty }), case .pixels(let buffer)? = log.now.frames.first?.picture else {
      throw ScriptedKernel.Missing.picture
    }
    return buffer
  }

  @Test func `a picture's memory has a descriptor of its own, and planes as the pixel buffer's`() throws {
    let kernel = ScriptedKernel([.plain(.nv12)])
    let stream = try kernel.camera().open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    kernel.expose()
    let buffer = try pixels(log)
    let shared = try #require(try buffer.exportDMABuffer())
    #expect(shared.planes.map(\.offset) == [0, 32 * 16] && shared.planes.map(\.bytesPerRow) == [32, 32])
    let again = try #require(try buffer.exportDMABuffer())
    #expect(fcntl(shared.descriptor, F_GETFD) >= 0 && shared.descriptor != again.descriptor)
    stream.stop()
  }

  @Test func `the descriptor is closed with its object`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    kernel.expose()
    let buffer = try pixels(log)
    func identity(_ descriptor: Int32) -> ino_t? {
      var status = stat()
      return fstat(descriptor, &status) == 0 ? status.st_ino : nil
    }
    var shared = try buffer.exportDMABuffer()
    let number = try #require(shared?.descriptor)
    let file = identity(number)
    #expect(file != nil)
    shared = nil
    // Another test may have opened a file under the same number.
    #expect(identity(number) != file)
    stream.stop()
  }

  @Test func `a driver that cannot share says so, and memory without a driver is not shared`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    kernel.expose()
    let buffer = try pixels(log)
    kernel.force(.exportBuffer, ENOTTY)
    let error = #expect(throws: CaptureDeviceError.self) { try buffer.exportDMABuffer() }
    #expect(error?.code == .formatUnsupported)
    let own = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 16, height: 16)
    #expect(try own.exportDMABuffer() == nil)
    stream.stop()
  }

  @Test func `a picture that outlives its stream says that the stream is closed`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let log = EventLog(keepsFrames: true)
    var stream: (any CaptureStream)? = try kernel.camera().open()
    try stream?.start(log.receive)
    kernel.expose()
    let buffer = try pixels(log)
    stream = nil
    #expect(kernel.waits { $0.handles.count == 0 })
    let error = #expect(throws: CaptureDeviceError.self) { try buffer.exportDMABuffer() }
    #expect(error?.message.contains("stream is closed") == true)
    // Its memory is still there.
    #expect(Array(buffer.planes[0].row(0).prefix(4)) == [100, 101, 102, 103])
  }
}
