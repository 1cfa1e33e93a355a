import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

@Suite("V4L2: errors")
struct ErrorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var call: VideoCall
    var errno: Int32
    var code: CaptureDeviceError.Code
    var words: String

    var testDescription: String { "\(call.rawValue) \(String(cString: strerror(errno)))" }
  }

  static let table: [Row] = [
    Row(call: .open, errno: ENODEV, code: .disconnected, words: "no longer connected"),
    Row(call: .open, errno: ENXIO, code: .disconnected, words: "plug it in again"),
    Row(call: .open, errno: ENOENT, code: .disconnected, words: "no longer connected"),
    Row(call: .open, errno: EACCES, code: .permissionDenied, words: "usermod -aG video"),
    Row(call: .open, errno: EPERM, code: .permissionDenied, words: "may not use /dev/video0"),
    Row(call: .open, errno: EBUSY, code: .deviceBusy, words: "another program uses it"),
    Row(call: .open, errno: EMFILE, code: .outOfMemory, words: "too many files"),
    Row(call: .open, errno: ENFILE, code: .outOfMemory, words: "ulimit -n"),
    Row(call: .setLayout, errno: EINVAL, code: .formatUnsupported, words: "obscura devices"),
    Row(call: .setLayout, errno: EBUSY, code: .deviceBusy, words: "another program uses it"),
    Row(call: .setLayout, errno: EIO, code: .ioFailure, words: "stopped answering"),
    Row(call: .setFrameDuration, errno: EPROTO, code: .ioFailure, words: "cable"),
    Row(call: .requestBuffers, errno: EBUSY, code: .deviceBusy, words: "close that program"),
    Row(call: .requestBuffers, errno: ENOMEM, code: .outOfMemory, words: "no memory"),
    Row(call: .requestBuffers, errno: EINVAL, code: .ioFailure, words: "dmesg"),
    Row(call: .requestBuffers, errno: ENOTTY, code: .formatUnsupported, words: "no such function"),
    Row(call: .mapBuffer, errno: ENOMEM, code: .outOfMemory, words: "no memory"),
    Row(call: .enqueue, errno: EINVAL, code: .ioFailure, words: "refused"),
    Row(call: .enqueue, errno: ENODEV, code: .disconnected, words: "no longer connected"),
    Row(call: .streamOn, errno: ENOSPC, code: .bandwidthExhausted, words: "USB bus has no bandwidth"),
    Row(call: .streamOn, errno: EBUSY, code: .deviceBusy, words: "another program"),
    Row(call: .streamOn, errno: EPIPE, code: .ioFailure, words: "USB connection"),
    Row(call: .streamOn, errno: ETIMEDOUT, code: .ioFailure, words: "USB connection"),
    Row(call: .streamOn, errno: EIO, code: .ioFailure, words: "stopped answering"),
    Row(call: .streamOn, errno: ESHUTDOWN, code: .disconnected, words: "no longer connected"),
  ]

  @Test(arguments: table)
  func `a refused call becomes its code and one whole sentence, and leaves nothing open`(_ row: Row) throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let camera = try kernel.camera()
    kernel.force(row.call, row.errno)
    let error = #expect(throws: CaptureDeviceError.self) {
      let stream = try camera.open()
      try stream.start { _ in }
    }
    let message = try #require(error?.message)
    #expect(error?.code == row.code)
    #expect(message.contains(row.words), "\(message)")
    #expect(message.hasPrefix("Plain (/dev/video0) cannot ") && message.hasSuffix("."))
    #expect(kernel.isGivenBack())
    // What was refused once works when the cause is gone.
    kernel.unforce()
    let stream = try camera.open()
    try stream.start { _ in }
    stream.stop()
  }

  @Test func `who holds a busy camera is named`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    kernel.state.withLock { $0.holders = [DeviceHolder(process: 4711, name: "cheese")] }
    kernel.force(.setLayout, EBUSY)
    let error = #expect(throws: CaptureDeviceError.self) { try kernel.camera().open() }
    #expect(
      error?.message
        == "Plain (/dev/video0) cannot stream 32×16 YUYV: cheese (process 4711) uses it; close that program and try again."
    )
  }

  @Test func `opening twice is busy, and says that it was this program`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    kernel.state.withLock { $0.holders = [DeviceHolder(process: getpid(), name: "self")] }
    let camera = try kernel.camera()
    let first = try camera.open()
    let error = #expect(throws: CaptureDeviceError.self) { try camera.open() }
    #expect(error?.code == .deviceBusy)
    #expect(error?.message.contains("this program already streams") == true)
    withExtendedLifetime(first) {}
  }

  @Test func `a driver that grants another format than was asked is refused`() throws {
    let kernel = ScriptedKernel([.webcam()])
    let camera = try kernel.camera()
    var format = camera.facts.formats[0]
    format.size = FrameSize(width: 33, height: 17)
    let error = #expect(throws: CaptureDeviceError.self) {
      try camera.openStream(StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30)))
    }
    #expect(error?.code == .formatUnsupported)
  }

  @Test func `the real kernel names the process that holds a file`() throws {
    let path = NSTemporaryDirectory() + "obscura-\(getpid())-held"
    let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
    defer {
      close(descriptor)
      unlink(path)
    }
    #expect(LinuxVideoKernel().holders(of: path).contains { $0.process == getpid() })
    #expect(LinuxVideoKernel().holders(of: path + "-other").isEmpty)
  }
}
