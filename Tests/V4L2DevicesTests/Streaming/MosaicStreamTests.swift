import CameraFrames
import CaptureDevice
import CaptureDeviceTesting
import CoreMedia
import CoreVideo
import Linux
import Testing
import V4L2Devices

@Suite("V4L2: bare sensors")
struct MosaicStreamTests {
  /// The formats' letters, and what they mean.
  private static let formats: [(UInt32, MosaicLayout)] = [
    (0x3138_4142, MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_BGGR, bits: 8)),
    (0x3031_4142, MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_GRBG, bits: 10)),
    (0x3231_4752, MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_RGGB, bits: 12)),
    (0x3431_5247, MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_GRBG, bits: 14)),
    (0x3631_4247, MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_GBRG, bits: 16)),
    (0x4141_6770, MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_GRBG, bits: 10, isPacked: true)),
    (0x4343_4770, MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_GBRG, bits: 12, isPacked: true)),
    (0x4545_5270, MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_RGGB, bits: 14, isPacked: true)),
  ]

  @Test(arguments: formats.indices)
  func `frames are the driver's memory with the layout that the kernel names, and go back`(index: Int) throws
  {
    let (letters, layout) = Self.formats[index]
    let format = VideoPixelFormat(rawValue: letters)
    let kernel = ScriptedKernel([FoldingTests.node("Microscope", [format])])
    let camera = try kernel.camera()
    #expect(camera.facts.formats.map(\.encoding) == [.mosaic(layout)])
    #expect(camera.facts.formats[0].rawFormat?.size == FrameSize(width: 32, height: 16))
    let stream = try camera.open(.mosaic(layout), bufferCount: 3)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.frames.count == 1 })
    guard case .mosaic(let mosaic)? = log.now.frames.first?.picture else {
      throw ScriptedKernel.Missing.picture
    }
    #expect(mosaic.layout == layout && mosaic.size == FrameSize(width: 32, height: 16))
    #expect(mosaic.whiteLevel == 1 << layout.bits - 1 && mosaic.blackLevels == [0] && mosaic.colors == nil)
    let least = layout.isPacked || layout.bits == 8 ? 32 * layout.bits / 8 : 64
    #expect(mosaic.bytesPerRow == least && mosaic.data.dataLength >= least * 16)
    let picture = try FrameDecoder().open(try #require(log.now.frames.first))
    #expect(picture.format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange && picture.width == 32)
    stream.stop()
  }
}
