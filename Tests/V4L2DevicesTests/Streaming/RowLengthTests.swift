import Testing

import V4L2Devices

@Suite("Lengths of rows")
struct RowLengthTests {
  @Test(arguments: [
    (VideoPixelFormat.yuyv, 640, 1280), (.uyvy, 641, 1284), (.nv12, 640, 640), (.yuv420, 641, 642),
    (.grey, 641, 641),
    (.y16, 640, 1280), (.rgb24, 640, 1920), (.xbgr32, 640, 2560),
    // BA81, BG10, pBAA, pBCC, pBEE and BYR2: their letters, the first in the lowest byte.
    (VideoPixelFormat(rawValue: 0x3138_4142), 640, 640), (VideoPixelFormat(rawValue: 0x3031_4742), 640, 1280),
    (VideoPixelFormat(rawValue: 0x4141_4270), 642, 805), (VideoPixelFormat(rawValue: 0x4343_4270), 640, 960),
    (VideoPixelFormat(rawValue: 0x4545_4270), 640, 1120),
    (VideoPixelFormat(rawValue: 0x3252_5942), 640, 1280),
  ])
  func `a driver's row that is shorter than its pixels is repaired, and a longer one is kept`(
    format: VideoPixelFormat, width: Int, least: Int
  ) {
    for said in [0, 1, least / 2, least - 1, least] {
      let layout = VideoLayout(size: VideoSize(width, 480), format: format, strideBytes: said)
      #expect(layout.settlingStride.strideBytes == least)
    }
    let padded = VideoLayout(size: VideoSize(width, 480), format: format, strideBytes: least + 64)
    #expect(padded.settlingStride == padded)
  }

  @Test func `compressed pictures have no rows`() {
    let layout = VideoLayout(size: VideoSize(640, 480), format: .mjpeg)
    #expect(layout.settlingStride == layout)
  }
}
