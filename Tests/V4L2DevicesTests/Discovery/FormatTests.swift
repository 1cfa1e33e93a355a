import CaptureDevice
import CoreVideo
import PixelTransforms
import Testing
import V4L2Devices

@Suite("V4L2: pixel formats")
struct FormatTests {
  static let size = VideoSize(64, 6)

  /// A frame of colour bars as a camera of that format sends it, in the driver's memory.
  private func frame(
    _ format: VideoPixelFormat, isFullRange: Bool = false, _ change: (inout KernelCamera) -> Void = { _ in }
  ) throws -> (pixels: CVPixelBuffer, isDriversMemory: Bool) {
    var camera = KernelCamera.plain(format, Self.size.width, Self.size.height)
    camera.isFullRange = isFullRange
    change(&camera)
    let kernel = ScriptedKernel([camera])
    let stream = try kernel.camera().open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    let bytes = try #require(BarPicture.bytes(format, Self.size, isFullRange: isFullRange))
    kernel.expose("/dev/video0", .init(bytes: bytes))
    #expect(log.wait { $0.frames.count == 1 })
    stream.stop()
    let frame = try #require(log.now.frames.first)
    guard case .pixels(let pixels) = frame.picture else { throw ScriptedKernel.Missing.picture }
    return (pixels, kernel.mappedAddresses.contains(try #require(frame.address)))
  }

  private func bgra(_ pixels: CVPixelBuffer) throws -> CVPixelBuffer {
    try PixelTransformer(threads: 1).apply(
      FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: pixels)
  }

  static let formats: [VideoPixelFormat] = [
    .yuyv, .uyvy, .nv12, .nv21, .yuv420, .yvu420, .rgb24, .bgr32, .xbgr32, .abgr32, .grey, .y16,
  ]

  @Test(arguments: formats, [false, true])
  func `every format shows the same picture, in the driver's own memory`(
    _ format: VideoPixelFormat, _ isFullRange: Bool
  ) throws {
    // Core Video cannot say it; see VideoLayout.encoding.
    if format == .uyvy && isFullRange { return }
    let (pixels, isDriversMemory) = try frame(format, isFullRange: isFullRange)
    #expect(isDriversMemory)
    let picture = try bgra(pixels)
    for y in 0..<Self.size.height {
      let row = picture.planes[0].row(y)
      for x in 0..<Self.size.width {
        let color = ColorBars.rgb[x * 8 / Self.size.width]
        let grey = 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]
        let wanted = format == .grey || format == .y16 ? [grey, grey, grey] : color
        for channel in 0..<3 {
          let found = Double(row[4 * x + 2 - channel])
          // Half a level of rounding in luma and chroma each, of which chroma counts up to 2.02 times.
          #expect(abs(found - 255 * wanted[channel]) <= 2, "\(x), \(y), channel \(channel): \(found)")
        }
        #expect(row[4 * x + 3] == 255)
      }
    }
  }

  @Test func `a picture without alpha is opaque where it lies`() throws {
    let (pixels, _) = try frame(.xbgr32)
    #expect(CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_32BGRA)
    let row = pixels.planes[0].row(0)
    #expect((0..<Self.size.width).allSatisfy { row[4 * $0 + 3] == 255 })
  }

  @Test func `three planes have the strides and places of the kernel's`() throws {
    let (pixels, _) = try frame(.yvu420)
    let (luma, blue, red) = (pixels.planes[0], pixels.planes[1], pixels.planes[2])
    #expect(red.baseAddress - luma.baseAddress == 64 * 6)
    #expect(blue.baseAddress - red.baseAddress == 32 * 3)
    #expect(blue.bytesPerRow == 32 && red.width == 32 && red.height == 3)
  }

  @Test func `grey of a driver that says no range is not stretched`() throws {
    let (pixels, _) = try frame(.grey, isFullRange: false) { camera in
      camera.isRangeAssumed = true
    }
    #expect(pixels.planes[0].row(0)[0] == 235)
  }

  @Test func `an odd size has a colour sample for its last column and row`() throws {
    let kernel = ScriptedKernel([.plain(.nv21, 5, 3)])
    let stream = try kernel.camera().open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    // The kernel rounds strides up to whole pairs.
    kernel.expose(
      "/dev/video0", .init(bytes: Array(repeating: 90, count: 6 * 3) + (1...12).map { UInt8($0) }))
    #expect(log.wait { $0.frames.count == 1 })
    guard case .pixels(let pixels)? = log.now.frames.first?.picture else {
      throw ScriptedKernel.Missing.picture
    }
    let rows = (0..<2).map { row in (0..<6).map { pixels.planes[1].row(row)[$0] } }
    #expect(rows == [[2, 1, 4, 3, 6, 5], [8, 7, 10, 9, 12, 11]])
    stream.stop()
  }
}

/// Colour bars, as bytes of the kernel's formats.
enum BarPicture {
  /// `nil` for formats that it cannot paint.
  static func bytes(_ format: VideoPixelFormat, _ size: VideoSize, isFullRange: Bool) -> [UInt8]? {
    func bar(_ x: Int) -> Int { x * 8 / size.width }
    /// Luma, blue and red difference in levels.
    func levels(_ x: Int) -> [Double] {
      let limited = ColorBars.yCbCr(bar(x))
      guard isFullRange else { return limited }
      return [
        (limited[0] - 16) * 255 / 219, 128 + (limited[1] - 128) * 255 / 224,
        128 + (limited[2] - 128) * 255 / 224,
      ]
    }
    func byte(_ level: Double) -> UInt8 { UInt8(min(max(level.rounded(), 0), 255)) }
    func rows(_ count: Int, _ step: Int, _ sample: (Int) -> [UInt8]) -> [UInt8] {
      let row = stride(from: 0, to: size.width, by: step).flatMap(sample)
      return Array(repeatElement(row, count: count).joined())
    }
    func luma() -> [UInt8] { rows(size.height, 1) { [byte(levels($0)[0])] } }
    func chroma(_ order: [Int]) -> [UInt8] {
      rows((size.height + 1) / 2, 2) { x in order.map { byte(levels(x)[$0]) } }
    }
    func rgb(_ order: [Int]) -> [UInt8] {
      rows(size.height, 1) { x in order.map { $0 == 3 ? 0 : byte(255 * ColorBars.rgb[bar(x)][$0]) } }
    }
    switch format {
    case .yuyv:
      return rows(size.height, 2) { x in
        [levels(x)[0], levels(x)[1], levels(x + 1)[0], levels(x)[2]].map(byte)
      }
    case .uyvy:
      return rows(size.height, 2) { x in
        [levels(x)[1], levels(x)[0], levels(x)[2], levels(x + 1)[0]].map(byte)
      }
    case .nv12: return luma() + chroma([1, 2])
    case .nv21: return luma() + chroma([2, 1])
    case .yuv420: return luma() + chroma([1]) + chroma([2])
    case .yvu420: return luma() + chroma([2]) + chroma([1])
    case .grey: return luma()
    case .y16:
      return rows(size.height, 1) { x in
        let value = UInt16(min((levels(x)[0] * (isFullRange ? 257 : 256)).rounded(), 65535))
        return [UInt8(value & 0xFF), UInt8(value >> 8)]
      }
    case .rgb24: return rgb([0, 1, 2])
    case .bgr32, .xbgr32, .abgr32: return rgb([2, 1, 0, 3])
    default: return nil
    }
  }
}
