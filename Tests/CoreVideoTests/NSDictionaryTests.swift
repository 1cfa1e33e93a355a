import CoreVideo
import Foundation
import FoundationExtras
import Testing

@Suite("Core Video: attributes as NSDictionary")
struct NSDictionaryTests {
  @Test func `pools and buffers are made as of a CFDictionary`() throws {
    let attributes = [
      kCVPixelBufferPixelFormatTypeKey as String: UInt(kCVPixelFormatType_32BGRA),
      kCVPixelBufferWidthKey as String: 8, kCVPixelBufferHeightKey as String: 6,
    ]
    let poolAttributes = [kCVPixelBufferPoolMinimumBufferCountKey as String: 1]
    var made: CVPixelBufferPool?
    #expect(
      CVPixelBufferPoolCreate(
        kCFAllocatorDefault, poolAttributes as NSDictionary?, attributes as NSDictionary?, &made)
        == kCVReturnSuccess)
    let pool = try #require(made)
    let limit = [kCVPixelBufferPoolAllocationThresholdKey as String: 1] as NSDictionary
    var (first, second): (CVPixelBuffer?, CVPixelBuffer?)
    #expect(CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &first) == kCVReturnSuccess)
    #expect(first?.width == 8 && first?.height == 6)
    #expect(
      CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &second)
        == kCVReturnWouldExceedAllocationThreshold)
    let extra = [kCVPixelBufferBytesPerRowAlignmentKey as String: 256] as NSDictionary
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 4, 2, kCVPixelFormatType_32BGRA, extra, &buffer) == kCVReturnSuccess)
    #expect(try CVPixelBufferGetBytesPerRow(#require(buffer)) % 256 == 0)
    // What has no attributes at all is still unambiguous.
    #expect(CVPixelBufferCreate(nil, 4, 2, kCVPixelFormatType_32BGRA, nil, &buffer) == kCVReturnSuccess)
  }
}
