import CoreVideo
import Foundation
import FoundationExtras
import Testing
import Vision

@Suite("Vision: rectangles")
struct RectangleRequestTests {
  /// A dark picture of 400 by 300 with light rectangles, in pixels from the top left.
  private func picture(_ rectangles: [CGRect]) throws -> CVPixelBuffer {
    let pixels = try CVPixelBuffer(format: kCVPixelFormatType_OneComponent8, width: 400, height: 300)
    for y in 0..<300 {
      let line = pixels.planes[0].row(y)
      for x in 0..<400 {
        line[x] = rectangles.contains { $0.contains(CGPoint(x: x, y: y)) } ? 220 : 30
      }
    }
    return pixels
  }

  @Test func `are found with their corners, the largest first`() throws {
    let pixels = try picture([
      CGRect(x: 40, y: 60, width: 160, height: 120), CGRect(x: 260, y: 200, width: 90, height: 60),
    ])
    let request = VNDetectRectanglesRequest()
    try VNImageRequestHandler(cvPixelBuffer: pixels).perform([request])
    let found = try #require(request.results)
    #expect(found.count == 1)
    let first = try #require(found.first)
    #expect(abs(first.topLeft.x - 0.1) < 0.02 && abs(first.topLeft.y - 0.8) < 0.02)
    #expect(abs(first.bottomRight.x - 0.5) < 0.02 && abs(first.bottomRight.y - 0.4) < 0.02)
    #expect(abs(first.topRight.x - 0.5) < 0.02 && abs(first.bottomLeft.y - 0.4) < 0.02)
    request.maximumObservations = 0
    try VNImageRequestHandler(cvPixelBuffer: pixels).perform([request])
    #expect(request.results?.count == 2)
    request.minimumSize = 0.4
    try VNImageRequestHandler(cvPixelBuffer: pixels).perform([request])
    #expect(request.results?.count == 1)
  }

  @Test func `are those of the wanted shape and sureness`() throws {
    let pixels = try picture([CGRect(x: 40, y: 60, width: 240, height: 80)])
    let request = VNDetectRectanglesRequest()
    let handler = VNImageRequestHandler(cvPixelBuffer: pixels)
    try handler.perform([request])
    #expect(request.results == [], "it is three times as wide as high")
    request.minimumAspectRatio = 0.3
    try handler.perform([request])
    #expect(request.results?.count == 1)
    request.maximumAspectRatio = 0.3
    try handler.perform([request])
    #expect(request.results == [])
    request.maximumAspectRatio = 1
    request.minimumConfidence = 1.1
    try handler.perform([request])
    #expect(request.results == [])
  }
}
