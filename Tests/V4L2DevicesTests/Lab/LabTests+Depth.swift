import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

/// A depth camera behind the kernel's driver for USB webcams: two functions of one device.
extension LabTests {
  /// The map of DeviceLab/usb-webcam.c: 0 on every eighth diagonal, else a slope that moves away, a millimetre with each map.
  private static func distance(_ x: Int, _ y: Int, _ number: Int) -> Int {
    (x + y) % 8 == 0 ? 0 : 500 + 8 * x + 4 * y + number
  }

  /// The number that the camera gave a map; `nil` when the map is not what it sent.
  private static func number(_ map: CVPixelBuffer) -> Int? {
    func value(_ x: Int, _ y: Int) -> Int {
      Int(UInt16(littleEndian: map.planes[0].row(y).load(fromByteOffset: 2 * x, as: UInt16.self)))
    }
    let number = value(1, 0) - distance(1, 0, 0)
    let isWhole = (0..<48).allSatisfy { y in
      (0..<64).allSatisfy { x in value(x, y) == distance(x, y, number) }
    }
    return isWhole ? number : nil
  }

  @Test func `a depth camera is one device whose maps are the driver's memory, value by value`() throws {
    try LabWebcam.withDepth { camera, _ in
      let names = Vivid.cameras().map(\.facts.uniqueID)
      #expect(names.count { $0.contains("LAB0016") } == 1, "its depth node is no camera")
      let provider = V4L2DeviceProvider()
      let words = try #require(
        provider.omittedNodes.first { $0.contains("measures depth for") && $0.contains("(\(camera.path))") })
      let path = String(words.prefix { $0 != " " })
      let depths = try #require(camera.facts.formats.last?.depthFormats)
      #expect(depths.map(\.size.description) == ["64×48", "64×48"])
      #expect(
        depths.map(\.pixelFormat) == [kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DepthFloat16])
      #expect(depths.last?.frameDurations.map(\.lowerBound) == [FrameDuration(1, 30), FrameDuration(1, 15)])

      let kernel = LinuxVideoKernel()
      let other = try kernel.open(path)
      _ = try kernel.requestBuffers(other, count: 2)
      let error = #expect(throws: CaptureDeviceError.self) { try camera.openDepth() }
      #expect(error?.code == .deviceBusy && error?.message.contains("(\(path))") == true)
      kernel.close(other)

      let stream = try camera.openDepth()
      for _ in 0..<2 {
        let log = EventLog(keepsFrames: true)
        let began = MonotonicInstant.now
        try stream.start(log.receive)
        #expect(wait(log) { $0.maps.count >= 4 && $0.frames.count >= 2 })
        stream.stop()
        let maps = log.now.maps
        let numbers = maps.compactMap { Self.number($0.map) }
        #expect(numbers.count == maps.count, "every map is what the camera sent")
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        let lent = try ProcessHoldings.memory(of: path)
        #expect(maps.allSatisfy { lent.contains($0.address) && $0.metresPerUnit == 0.001 })
        let times = log.now.mapTimes
        #expect(times == times.sorted() && times.allSatisfy { began < $0 && $0 < .now })
        log.releaseMaps()
        log.releaseFrames()
        let diagnosis = try #require((stream as? V4L2Stream)?.depthDiagnosis)
        #expect(diagnosis.captured == diagnosis.delivered + diagnosis.dropped && diagnosis.arrivalStamps == 0)
      }
    }
  }

  @Test func `a depth camera keeps the contract`() throws {
    // One for all: each new one would wake every camera of the lab.
    let provider = V4L2DeviceProvider()
    let suite = DeviceConformanceSuite(device: LabWebcam.depthID) { provider }
    let checks = suite.checks.filter { $0.name.contains("depth") }
    #expect(checks.count > 5)
    // Plugged once: what a camera without depth keeps, too, the webcam is asked.
    try LabWebcam.withDepth { _, _ in
      for check in checks {
        Vivid.report("round \(check)")
        #expect(throws: Never.self, "\(check)") { try check.run() }
      }
    }
  }

  @Test func `a depth camera pulled out while it streams says so once, within a second, and leaks nothing`()
    throws
  {
    let before = try ProcessHoldings.now()
    let failures = Locked(0)
    let log = EventLog()
    try LabWebcam.withDepth { camera, unplug in
      let stream = try camera.openDepth()
      try stream.start { event in
        if case .failed = event { failures.withLock { $0 += 1 } }
        log.receive(event)
      }
      #expect(wait(log) { $0.mapOrder.count >= 2 && $0.sequences.count >= 2 })
      try unplug()
      let pulled = MonotonicInstant.now
      #expect(wait(log) { $0.failure != nil })
      #expect(log.now.failure?.code == .disconnected)
      #expect(MonotonicInstant.now.nanoseconds - pulled.nanoseconds < 1_000_000_000)
      stream.stop()
    }
    #expect(failures.withLock { $0 } == 1)
    #expect(
      outside(ProcessHoldings.why) { (try? ProcessHoldings.now().descriptors) ?? .max <= before.descriptors })
    #expect(outside(ProcessHoldings.why) { (try? ProcessHoldings.now().mappings) ?? .max <= before.mappings })
  }
}
