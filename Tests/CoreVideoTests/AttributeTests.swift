import CoreVideo
import Foundation
import FoundationExtras
import Testing

@Suite("CVPixelBuffer: attributes")
struct AttributeTests {
  private func resolve(_ list: [CFDictionary]) -> (CFDictionary?, CVReturn) {
    var resolved: CFDictionary?
    let result = CVPixelBufferCreateResolvedAttributesDictionary(nil, list as CFArray, &resolved)
    return (resolved, result)
  }

  @Test func `wishes that agree become one`() {
    let (resolved, result) = resolve([
      [
        kCVPixelBufferPixelFormatTypeKey: [kCVPixelFormatType_32BGRA, kCVPixelFormatType_24RGB],
        kCVPixelBufferWidthKey: 64, kCVPixelBufferBytesPerRowAlignmentKey: 16,
        kCVPixelBufferExtendedPixelsLeftKey: 4,
      ],
      [
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_24RGB, kCVPixelBufferWidthKey: 64.0,
        kCVPixelBufferBytesPerRowAlignmentKey: 24, kCVPixelBufferExtendedPixelsLeftKey: 8,
        kCVPixelBufferCGImageCompatibilityKey: true,
      ],
    ])
    #expect(result == kCVReturnSuccess)
    #expect(LooseNumber.code(resolved?[kCVPixelBufferPixelFormatTypeKey]) == kCVPixelFormatType_24RGB)
    #expect(LooseNumber.integer(resolved?[kCVPixelBufferWidthKey]) == 64)
    #expect(LooseNumber.integer(resolved?[kCVPixelBufferBytesPerRowAlignmentKey]) == 48)
    #expect(LooseNumber.integer(resolved?[kCVPixelBufferExtendedPixelsLeftKey]) == 8)
    #expect(LooseNumber.truth(resolved?[kCVPixelBufferCGImageCompatibilityKey]) == true)
  }

  @Test func `wishes that contradict each other are refused`() {
    #expect(
      resolve([[kCVPixelBufferWidthKey: 1], [kCVPixelBufferWidthKey: 2]]).1
        == kCVReturnInvalidPixelBufferAttributes)
    #expect(
      resolve([
        [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA],
        [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_24RGB],
      ]).1 == kCVReturnInvalidPixelBufferAttributes)
    var resolved: CFDictionary?
    #expect(
      CVPixelBufferCreateResolvedAttributesDictionary(nil, [1], &resolved) == kCVReturnInvalidArgument)
  }

  @Test func `a buffer is compatible with what it was made with, and with less`() throws {
    let attributes: CFDictionary = [
      kCVPixelBufferExtendedPixelsLeftKey: 8, kCVPixelBufferBytesPerRowAlignmentKey: 32,
    ]
    let buffer = try CVPixelBuffer(
      format: kCVPixelFormatType_32BGRA, width: 10, height: 4, attributes: attributes)
    #expect(CVPixelBufferIsCompatibleWithAttributes(buffer, CVPixelBufferCopyCreationAttributes(buffer)))
    #expect(CVPixelBufferIsCompatibleWithAttributes(buffer, nil))
    #expect(CVPixelBufferIsCompatibleWithAttributes(buffer, [kCVPixelBufferBytesPerRowAlignmentKey: 16]))
    #expect(
      CVPixelBufferIsCompatibleWithAttributes(
        buffer, [kCVPixelBufferPixelFormatTypeKey: [kCVPixelFormatType_24RGB, kCVPixelFormatType_32BGRA]]))
    let refused: [CFDictionary] = [
      [kCVPixelBufferWidthKey: 11], [kCVPixelBufferHeightKey: "4"], [kCVPixelBufferExtendedPixelsLeftKey: 9],
      [kCVPixelBufferBytesPerRowAlignmentKey: 1024],
      [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_24RGB],
    ]
    for wish in refused { #expect(!CVPixelBufferIsCompatibleWithAttributes(buffer, wish), "\(wish)") }
  }

  @Test func `the outermost pixels fill the memory around the picture`() throws {
    let buffer = try CVPixelBuffer(
      format: kCVPixelFormatType_OneComponent8, width: 3, height: 2,
      attributes: [
        kCVPixelBufferExtendedPixelsLeftKey: 2, kCVPixelBufferExtendedPixelsRightKey: 1,
        kCVPixelBufferExtendedPixelsTopKey: 1, kCVPixelBufferExtendedPixelsBottomKey: 2,
        kCVPixelBufferBytesPerRowAlignmentKey: 1,
      ])
    let plane = buffer.planes[0]
    #expect(plane.bytesPerRow == 6)
    plane.row(0).copyBytes(from: [1, 2, 3])
    plane.row(1).copyBytes(from: [4, 5, 6])
    #expect(CVPixelBufferFillExtendedPixels(buffer) == kCVReturnSuccess)
    let rows = (-1..<4).map { row in
      Array(UnsafeRawBufferPointer(start: plane.baseAddress + row * 6 - 2, count: 6))
    }
    #expect(
      rows == [
        [1, 1, 1, 2, 3, 3], [1, 1, 1, 2, 3, 3], [4, 4, 4, 5, 6, 6], [4, 4, 4, 5, 6, 6], [4, 4, 4, 5, 6, 6],
      ])
  }

  @Test(arguments: PixelFormatLayout.all.map(\.code))
  func `filling the edges stays inside the memory and keeps the picture`(format: OSType) throws {
    let buffer = try CVPixelBuffer(
      format: format, width: 5, height: 3,
      attributes: [
        kCVPixelBufferExtendedPixelsLeftKey: 3, kCVPixelBufferExtendedPixelsRightKey: 5,
        kCVPixelBufferExtendedPixelsTopKey: 1, kCVPixelBufferExtendedPixelsBottomKey: 3,
      ])
    let layout = try #require(buffer.layout)
    var pictures: [[[UInt8]]] = []
    for (plane, form) in zip(buffer.planes, layout.planes) {
      let count = form.minimumBytesPerRow(planeWidth: plane.width, aligned: false)
      pictures.append(
        (0..<plane.height).map { row in
          let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + row * 31 + 1) }
          plane.row(row).copyBytes(from: bytes)
          return bytes
        })
    }
    #expect(CVPixelBufferFillExtendedPixels(buffer) == kCVReturnSuccess)
    for ((plane, form), picture) in zip(zip(buffer.planes, layout.planes), pictures) {
      let size = form.bitsPerBlock / 8
      for (row, bytes) in picture.enumerated() {
        let start = plane.baseAddress + row * plane.bytesPerRow
        #expect(Array(UnsafeRawBufferPointer(start: start, count: bytes.count)) == bytes)
        #expect(Array(UnsafeRawBufferPointer(start: start - size, count: size)) == Array(bytes.prefix(size)))
      }
    }
  }
}
