import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import Testing
import V4L2Devices
import Waiting

@Suite("V4L2: kernel drivers in the device lab", .enabled(if: Vivid.isHere), .serialized)
struct LabTests {
  init() throws {
    try Vivid.reset()
  }

  /// Emulation is slow: waits that take milliseconds on a machine take seconds there.
  func wait(_ log: EventLog, _ isSatisfied: (EventLog.Seen) -> Bool) -> Bool {
    (0..<10).contains { _ in log.wait(isSatisfied) }
  }

  /// Starts `stream` and waits for its first two frames.
  func streaming(
    _ stream: @autoclosure () throws -> any CaptureStream
  ) throws -> (stream: any CaptureStream, log: EventLog) {
    let (stream, log) = (try stream(), EventLog())
    try stream.start(log.receive)
    #expect(wait(log) { $0.sequences.count >= 2 })
    return (stream, log)
  }

  @Test func `the two webcams are found, each with its own identifier`() {
    let facts = Vivid.cameras().map(\.facts).filter { $0.name == "vivid" }
    #expect(facts.map(\.name) == ["vivid", "vivid"])
    #expect(facts.map(\.uniqueID) == ["platform:vivid-000", "platform:vivid-001"])
    for facts in facts {
      #expect(facts.formats.first?.size == FrameSize(width: 320, height: 180))
      #expect(facts.formats.last?.size == FrameSize(width: 3840, height: 2160))
      #expect(facts.formats.allSatisfy { !$0.frameDurations.isEmpty })
    }
    #expect(V4L2DeviceProvider().access(for: .video) == .granted)
  }

  @Test(arguments: [
    kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_OneComponent8,
    kCVPixelFormatType_OneComponent16, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_32BGRA,
  ])
  func `every format streams numbered, stamped frames with the driver's colour bars`(_ format: OSType) throws
  {
    let stream = try Vivid.open(format)
    let log = EventLog(keepsFrames: true)
    let before = MonotonicInstant.now
    try stream.start(log.receive)
    #expect(wait(log) { $0.frames.count >= 3 })
    stream.stop()
    let seen = log.now
    #expect(seen.order.first == 0 || seen.order.first == -1)
    #expect(seen.times == seen.times.sorted() && Set(seen.times).count == seen.times.count)
    #expect(seen.times.allSatisfy { before < $0 && $0 < .now })
    let diagnosis = try #require((stream as? V4L2Stream)?.diagnosis)
    #expect(diagnosis.captured == diagnosis.delivered + diagnosis.dropped)
    guard case .pixels(let buffer)? = seen.frames.last?.picture else { throw ScriptedKernel.Missing.picture }
    try checkBars(buffer, format)
  }

  private func checkBars(_ buffer: CVPixelBuffer, _ format: OSType) throws {
    let row = buffer.height / 2
    let bytes = buffer.planes[0].row(row)
    for bar in 0..<8 {
      let x = ColorBars.column(bar, width: buffer.width)
      let expected = ColorBars.yCbCr(bar)
      let found: [Double] =
        switch format {
        case kCVPixelFormatType_422YpCbCr8_yuvs:
          [Double(bytes[2 * x]), Double(bytes[2 * x + 1]), Double(bytes[2 * x + 3])]
        case kCVPixelFormatType_422YpCbCr8:
          [Double(bytes[2 * x + 1]), Double(bytes[2 * x]), Double(bytes[2 * x + 2])]
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange:
          [
            Double(bytes[x]), Double(buffer.planes[1].row(row / 2)[x]),
            Double(buffer.planes[1].row(row / 2)[x + 1]),
          ]
        case kCVPixelFormatType_32BGRA:
          [Double(bytes[4 * x + 2]) / 255, Double(bytes[4 * x + 1]) / 255, Double(bytes[4 * x]) / 255]
        default: []
        }
      let wanted = format == kCVPixelFormatType_32BGRA ? ColorBars.rgb[bar] : expected
      let tolerance = format == kCVPixelFormatType_32BGRA ? 0.02 : 3
      for (found, wanted) in zip(found, wanted) {
        #expect(abs(found - wanted) <= tolerance, "bar \(bar): \(found) instead of \(wanted)")
      }
    }
  }

  @Test func `a disconnect ends the stream, and the camera opens again when it is back`() throws {
    do {
      let (stream, log) = try streaming(Vivid.open())
      try Vivid.set("disconnect=1")
      #expect(wait(log) { $0.failure != nil })
      #expect(log.now.failure?.code == .disconnected)
      let began = MonotonicInstant.now
      stream.stop()
      #expect(MonotonicInstant.now.nanoseconds - began.nanoseconds < 1_000_000_000)
    }
    let log = EventLog()
    let stream = try Vivid.open()
    try stream.start(log.receive)
    #expect(wait(log) { $0.sequences.count >= 1 })
    stream.stop()
  }

  @Test func `frames that the driver drops are counted, each as a discontinuity`() throws {
    try Vivid.set("percentage_of_dropped_buffers=50")
    let stream = try Vivid.open()
    let log = EventLog()
    try stream.start(log.receive)
    #expect(wait(log) { $0.drops.count >= 5 && $0.sequences.count >= 5 })
    stream.stop()
    let seen = log.now
    #expect(seen.drops.allSatisfy { $0.reason == .discontinuity })
    #expect(seen.order.map { $0 < 0 ? -1 - $0 : $0 } == Array(0..<seen.order.count))
  }

  @Test func `a buffer with the error flag is dropped and the next one is not`() throws {
    let (stream, log) = try streaming(Vivid.open())
    let count = log.now.drops.count
    try Vivid.set("inject_v4l2_buf_flag_error=1")
    #expect(wait(log) { $0.drops.count > count })
    let reported = log.now.order.count
    #expect(wait(log) { $0.order.count > reported + 2 })
    #expect(log.now.failure == nil)
    stream.stop()
  }

  @Test func `numbers go on when the driver's wrap`() throws {
    try Vivid.set("wrap_sequence_number=1")
    let stream = try Vivid.open()
    let log = EventLog()
    try stream.start(log.receive)
    #expect(wait(log) { ($0.sequences.last ?? 0) > 140 })
    stream.stop()
    let seen = log.now
    #expect(seen.order.map { $0 < 0 ? -1 - $0 : $0 } == Array(0..<seen.order.count))
  }

  @Test func `refused buffers and a refused start are errors that pass`() throws {
    try Vivid.set("inject_vidioc_reqbufs_error=1")
    let open = #expect(throws: CaptureDeviceError.self) { try Vivid.open() }
    #expect(open?.code == .ioFailure)
    let stream = try Vivid.open()
    try Vivid.set("inject_vidioc_streamon_error=1")
    let start = #expect(throws: CaptureDeviceError.self) { try stream.start { _ in } }
    #expect(start?.code == .ioFailure)
    let log = EventLog()
    try stream.start(log.receive)
    #expect(wait(log) { $0.sequences.count >= 2 })
    // One buffer that comes back is refused; the stream goes on with all of them.
    try Vivid.set("inject_vidioc_qbuf_error=1")
    #expect(wait(log) { _ in ((stream as? V4L2Stream)?.diagnosis.refusedReturns ?? 0) > 0 })
    let count = log.now.sequences.count
    #expect(wait(log) { $0.sequences.count > count + 8 })
    stream.stop()
    #expect(log.now.failure == nil)
  }

  @Test func `a fatal streaming error ends the stream, and a new start mends it`() throws {
    let stream = try Vivid.open()
    let first = EventLog()
    try stream.start(first.receive)
    #expect(wait(first) { $0.sequences.count >= 1 })
    try Vivid.set("inject_fatal_streaming_error=1")
    #expect(wait(first) { $0.failure != nil })
    #expect(first.now.failure?.code == .ioFailure)
    let second = EventLog()
    try stream.start(second.receive)
    #expect(wait(second) { $0.sequences.count >= 2 })
    stream.stop()
  }

  @Test func `a client that holds every frame costs frames and nothing else`() throws {
    let stream = try Vivid.open(bufferCount: 2)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    #expect(wait(log) { $0.drops.contains { $0.reason == .outOfBuffers } })
    #expect(log.now.frames.count == 2)
    log.releaseFrames()
    #expect(wait(log) { $0.frames.count >= 1 })
    stream.stop()
    // Held frames stay readable after the stream and the device are closed.
    let addresses = Set(log.now.frames.compactMap(\.address))
    #expect(!addresses.isEmpty && log.now.frames.allSatisfy { $0.firstByte != nil })
  }

  @Test func `a camera that another program streams from is busy, and that program is named`() throws {
    let frames = "/tmp/holder.txt"
    let other = try Vivid.run(
      "rm -f \(frames); v4l2-ctl -d /dev/video0 --stream-mmap --stream-count 100000 >\(frames) 2>&1 & echo $!"
    )
    defer { _ = try? Vivid.run("kill -9 \(other)") }
    // An open while that program starts would take the camera from it.
    #expect(
      outside("another program writes into a file") {
        (try? String(contentsOfFile: frames, encoding: .utf8))?.contains("<") == true
      })
    let error = #expect(throws: CaptureDeviceError.self) { try Vivid.camera().open() }
    #expect(error?.code == .deviceBusy)
    #expect(error?.message.contains("v4l2-ctl (process \(other))") == true, "\(error?.message ?? "")")
  }

  @Test func `plug and unplug are reported`() throws {
    let provider = V4L2DeviceProvider()
    let reported = Monitor<[String]>([])
    provider.observeDevices { change in
      reported.withLock { reported in
        switch change {
        case .connected(let device): reported.append("+\(device.facts.uniqueID)")
        case .disconnected(let uniqueID): reported.append("-\(uniqueID)")
        }
      }
    }
    try Vivid.bind(false)
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 20_000_000_000)
    #expect(reported.wait(until: deadline, for: { $0.count == 2 }, then: { _ in }) != nil)
    try Vivid.bind(true)
    #expect(reported.wait(until: deadline, for: { $0.count == 4 }, then: { _ in }) != nil)
    #expect(
      reported.withLock { $0 } == [
        "-platform:vivid-000", "-platform:vivid-001", "+platform:vivid-000", "+platform:vivid-001",
      ])
    provider.observeDevices(nil)
  }

  static let suite = DeviceConformanceSuite(
    formats: { facts in
      [kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange].compactMap {
        format in
        facts.formats.first { $0.encoding == .pixels(format) }
      }
    }, makeProvider: { V4L2DeviceProvider() })

  @Test(arguments: suite.checks)
  func `vivid keeps the contract`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }
}
