import CaptureDevice
import CoreVideo
import Testing

import OpenNIDevices

@Suite("Pixels of depth cameras")
struct SensorPixelsTests {
  private func copied(_ number: Int, _ bytes: [UInt8], width: Int, rowBytes: Int, isMirrored: Bool) throws
    -> [UInt8]?
  {
    let pixels = try #require(SensorPixels.color(number) ?? SensorPixels.depth(number))
    let buffer = try CVPixelBuffer(format: pixels.format, width: width, height: 1, attributes: [:])
    let mode = SensorMode(pixelFormat: number, size: FrameSize(width: width, height: 1), rate: 30)
    return bytes.withUnsafeBytes { bytes in
      let frame = SensorFrame(
        bytes: bytes, mode: mode, size: mode.size, rowBytes: rowBytes, number: 0, microseconds: 0)
      guard pixels.copy(frame, into: buffer, isMirrored: isMirrored) else { return nil }
      return Array(buffer.planes[0].row(0).prefix(pixels.rowBytes(width: width)))
    }
  }

  @Test func `colours and distances are copied as they are`() throws {
    #expect(
      try copied(200, [1, 2, 3, 4, 5, 6], width: 2, rowBytes: 6, isMirrored: false) == [1, 2, 3, 4, 5, 6])
    #expect(try copied(100, [1, 2, 3, 4], width: 2, rowBytes: 4, isMirrored: false) == [1, 2, 3, 4])
  }

  @Test func `mirrored frames are turned back, pixel by pixel and with the colours of their pairs`() throws {
    #expect(
      try copied(200, [1, 2, 3, 4, 5, 6], width: 2, rowBytes: 6, isMirrored: true) == [4, 5, 6, 1, 2, 3])
    #expect(try copied(100, [1, 2, 3, 4], width: 2, rowBytes: 4, isMirrored: true) == [3, 4, 1, 2])
    #expect(
      try copied(201, [10, 1, 11, 2, 20, 3, 21, 4], width: 4, rowBytes: 8, isMirrored: true)
        == [20, 4, 21, 3, 10, 2, 11, 1])
    #expect(
      try copied(205, [1, 10, 2, 11, 3, 20, 4, 21], width: 4, rowBytes: 8, isMirrored: true)
        == [4, 20, 3, 21, 2, 10, 1, 11])
  }

  @Test func `a frame that is shorter than its rows is no frame`() throws {
    #expect(try copied(200, [1, 2, 3, 4, 5], width: 2, rowBytes: 6, isMirrored: false) == nil)
    #expect(try copied(200, [1, 2, 3, 4, 5, 6], width: 2, rowBytes: 5, isMirrored: false) == nil)
  }
}
