import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras
import PixelTransforms
import Testing
import V4L2Devices

extension LabTests {
  static let uncompressed: [OSType] = [
    kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8,
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8Planar,
    kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16, kCVPixelFormatType_24RGB,
    kCVPixelFormatType_32BGRA,
  ]

  @Test func `every format shows vivid's colour bars alike, within rounding`() throws {
    for format in Self.uncompressed {
      let stream = try Vivid.open(format)
      let log = EventLog(keepsFrames: true)
      try stream.start(log.receive)
      #expect(wait(log) { $0.frames.count >= 1 })
      stream.stop()
      guard case .pixels(let pixels)? = log.now.frames.first?.picture else {
        throw ScriptedKernel.Missing.picture
      }
      let picture = try PixelTransformer(threads: 1).apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: pixels)
      let isGrey = [kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16].contains(format)
      let row = picture.planes[0].row(picture.height / 2)
      for bar in 0..<8 {
        let x = ColorBars.column(bar, width: picture.width)
        let color = ColorBars.rgb[bar]
        // vivid makes grey after BT.709, from 0 to 255.
        let grey = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
        for channel in 0..<3 {
          let found = Double(row[4 * x + 2 - channel])
          let wanted = 255 * (isGrey ? grey : color[channel])
          // vivid rounds luma and chroma, and computes colours with 8 bits.
          #expect(
            abs(found - wanted) <= 4,
            "\(FourCharacterCode(rawValue: format)), bar \(bar), \(channel): \(found)")
        }
        #expect(row[4 * x + 3] == 255)
      }
      log.releaseFrames()
    }
  }

  @Test func `a picture's memory is shared with other devices without a copy`() throws {
    let stream = try Vivid.open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    #expect(wait(log) { $0.frames.count >= 1 })
    guard case .pixels(let pixels)? = log.now.frames.first?.picture else {
      throw ScriptedKernel.Missing.picture
    }
    let shared = try #require(try pixels.exportDMABuffer())
    let count = pixels.planes[0].bytesPerRow * pixels.height
    let mapped = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, shared.descriptor, 0)
    let memory = try #require(mapped != MAP_FAILED ? mapped : nil)
    let row = pixels.planes[0].row(0)
    let seen = memory.assumingMemoryBound(to: UInt8.self)
    #expect((0..<pixels.planes[0].bytesPerRow).allSatisfy { seen[$0] == row[$0] })
    // The same memory, and not a copy of it.
    seen[0] ^= 0xFF
    #expect(row[0] == seen[0])
    munmap(memory, count)
    stream.stop()
    log.releaseFrames()
  }

  @Test func `formats that nothing here reads are listed`() throws {
    let unreadable = try Vivid.camera().facts.unreadableFormats
    #expect(unreadable.contains("NV16") && unreadable.contains("RGBP"), "\(unreadable)")
    #expect(!unreadable.contains("NV21") && !unreadable.contains("YU12"))
  }

  /// The processor time of this process, or of the ended ones that it started, in microseconds.
  private static func processorTime(ofChildren: Bool = false) -> Int {
    var usage = rusage()
    getrusage((ofChildren ? RUSAGE_CHILDREN : RUSAGE_SELF).rawValue, &usage)
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000 + usage.ru_utime.tv_usec
      + usage.ru_stime.tv_usec
  }

  /// Prints the figure; emulation decides its size, so that only the two together say something.
  @Test func `what a delivered frame costs, beside v4l2-ctl`() throws {
    let count = 90
    let log = EventLog()
    let began = Self.processorTime()
    do {
      let stream = try Vivid.open()
      try stream.start(log.receive)
      #expect((0..<20).contains { _ in log.wait { $0.sequences.count >= count } })
      stream.stop()
    }
    let ours = (Self.processorTime() - began) / log.now.sequences.count
    let before = Self.processorTime(ofChildren: true)
    try Vivid.run(
      "v4l2-ctl -d /dev/video0 --set-fmt-video=width=320,height=180,pixelformat=YUYV --stream-mmap "
        + "--stream-count \(count) >/dev/null")
    let theirs = (Self.processorTime(ofChildren: true) - before) / count
    print("lab: processor time per delivered frame: \(ours) µs, v4l2-ctl \(theirs) µs")
    #expect(ours > 0)
  }
}
