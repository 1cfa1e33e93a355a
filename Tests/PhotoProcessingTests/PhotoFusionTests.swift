import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import PhotoProcessing
import Testing

@Suite struct PhotoFusionTests {
  /// A dark room with a bright window, and two patches of one grey: in the room, and before the window.
  private func frame(isGlobal: Bool) throws -> CapturedFrame {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 640, 192, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
    let picture = try #require(made)
    for (number, plane) in picture.planes.enumerated() {
      for row in 0..<plane.height {
        let bytes = plane.row(row)
        for x in bytes.indices where x < 640 {
          let isPatch = (80..<96).contains(row) && ((120..<136).contains(x) || (520..<536).contains(x))
          bytes[x] = number > 0 ? 128 : isPatch ? 70 : x < 400 ? 30 : 252
        }
      }
    }
    var controls = ControlState()
    controls.isGloballyToneMapped = isGlobal
    return CapturedFrame(
      picture: .pixels(picture), timestamp: MonotonicInstant(nanoseconds: 1), sequence: 1,
      conditions: FrameConditions(controls))
  }

  private func patches(of count: Int, isGlobal: Bool) throws -> (dark: UInt8, bright: UInt8)? {
    let frames = try (0..<count).map { _ in try frame(isGlobal: isGlobal) }
    let fused = try PhotoFusion().fuse(
      frames, for: SampleFrame.request(.jpeg(quality: nil), frames[0]),
      decode: { try #require($0.content.uncompressed()) })
    guard let fused, case .pixels(let picture) = fused.frame.picture else { return nil }
    let row = picture.planes[0].row(88)
    return (row[row.startIndex + 128], row[row.startIndex + 528])
  }

  @Test func `a photo of several frames has its shadows lifted by what is around them, or all by one curve`()
    throws
  {
    let local = try #require(try patches(of: 4, isGlobal: false))
    #expect(local.dark > local.bright + 3)
    let global = try #require(try patches(of: 4, isGlobal: true))
    #expect(global.dark == global.bright && global.dark > 80)
  }

  @Test func `a photo of one frame in good light is the frame`() throws {
    #expect(try patches(of: 1, isGlobal: false) == nil)
  }
}
