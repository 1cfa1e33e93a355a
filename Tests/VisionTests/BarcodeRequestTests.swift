import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import ImageIO
import PixelTransforms
import StillCodecs
import Testing
import Vision

@Suite("Vision: codes")
struct BarcodeRequestTests {
  /// A QR code on the left half of a picture of 400 by 200, near its upper edge.
  private let paper: CodePaper

  init() throws {
    paper = try CodePaper(400, 200, [CodePaper.Code(text: "left and high", x: 20, y: 10)])
  }

  private func codes(_ handler: VNImageRequestHandler) throws -> [VNBarcodeObservation] {
    let request = VNDetectBarcodesRequest()
    request.symbologies = [.qr]
    try handler.perform([request])
    return try #require(request.results)
  }

  @Test func `are found where they are, with y upwards from the lower edge`() throws {
    let found = try codes(VNImageRequestHandler(cvPixelBuffer: paper.pixels))
    #expect(found.map(\.payloadStringValue) == ["left and high"] && found.map(\.symbology) == [.qr])
    let code = try #require(found.first)
    #expect(code.boundingBox.minX > 0.05 && code.boundingBox.maxX < 0.4)
    #expect(code.boundingBox.minY > 0.3 && code.boundingBox.maxY < 0.95)
    #expect(code.topLeft.x < code.topRight.x && code.topLeft.y > code.bottomLeft.y)
    #expect(abs(code.topLeft.y - code.boundingBox.maxY) < 0.01)
    #expect(code.confidence == 1 && code.payloadData == Data("left and high".utf8))
    #expect((code.barcodeDescriptor as? CIQRCodeDescriptor)?.symbolVersion == 1)
    #expect(code.timeRange == .zero)
  }

  @Test func `are in a handler that knows only that it is a request`() throws {
    var seen: [String?] = []
    let request = VNDetectBarcodesRequest { request, error in
      let codes = request.results as? [VNBarcodeObservation] ?? []
      seen = error == nil ? codes.map(\.payloadStringValue) : []
    }
    let plain: VNRequest = request
    #expect(plain.results == nil)
    try VNImageRequestHandler(cvPixelBuffer: paper.pixels).perform([plain])
    #expect(seen == ["left and high"])
    #expect(plain.results?.first is VNBarcodeObservation && plain.results?.first === request.results?.first)
  }

  @Test func `are found in a picture that is turned as a viewer would turn it`() throws {
    let transformer = PixelTransformer(bufferLimit: 8)
    // How the upright picture was stored, for each orientation that makes it upright again.
    let stored: [(CGImagePropertyOrientation, FrameTransform)] = [
      (.up, FrameTransform()), (.down, FrameTransform(rotation: .half)),
      (.right, FrameTransform(rotation: .clockwise270)), (.left, FrameTransform(rotation: .clockwise90)),
      (.upMirrored, FrameTransform(isMirrored: true)),
      (.downMirrored, FrameTransform(rotation: .half, isMirrored: true)),
      (.rightMirrored, FrameTransform(rotation: .clockwise90, isMirrored: true)),
      (.leftMirrored, FrameTransform(rotation: .clockwise270, isMirrored: true)),
    ]
    let upright = try #require(try codes(VNImageRequestHandler(cvPixelBuffer: paper.pixels)).first)
    for (orientation, change) in stored {
      let pixels = try transformer.apply(change, to: paper.pixels)
      let code = try #require(
        try codes(VNImageRequestHandler(cvPixelBuffer: pixels, orientation: orientation)).first,
        "\(orientation)")
      #expect(abs(code.boundingBox.midX - upright.boundingBox.midX) < 0.02, "\(orientation)")
      #expect(abs(code.boundingBox.midY - upright.boundingBox.midY) < 0.02, "\(orientation)")
      #expect(abs(code.topLeft.x - upright.topLeft.x) < 0.03, "\(orientation)")
    }
  }

  @Test func `are in fractions of the searched part, and of the whole in the first version`() throws {
    let request = VNDetectBarcodesRequest()
    request.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 1)
    let handler = VNImageRequestHandler(cvPixelBuffer: paper.pixels)
    try handler.perform([request])
    let part = try #require(request.results?.first?.boundingBox)
    request.revision = 1
    try handler.perform([request])
    let whole = try #require(request.results?.first?.boundingBox)
    #expect(abs(part.minX - 2 * whole.minX) < 0.01 && abs(part.width - 2 * whole.width) < 0.01)
    #expect(abs(part.minY - whole.minY) < 0.01)
    request.regionOfInterest = CGRect(x: 0.5, y: 0, width: 0.5, height: 1)
    try handler.perform([request])
    #expect(request.results == [])
    #expect(request.revision == 1 && VNDetectBarcodesRequest.supportedRevisions == IndexSet(1...4))
  }

  @Test func `are those of the wanted kinds`() throws {
    let paper = try CodePaper(
      500, 260,
      [
        CodePaper.Code(text: "a code", x: 10, y: 10),
        CodePaper.Code(format: "EAN-13", text: "4006381333931", x: 180, y: 40, module: 3, height: 40),
      ])
    let request = VNDetectBarcodesRequest()
    #expect(try request.supportedSymbologies() == VNDetectBarcodesRequest.supportedSymbologies)
    #expect(Set(request.symbologies) == Set(try request.supportedSymbologies()))
    let handler = VNImageRequestHandler(cvPixelBuffer: paper.pixels)
    try handler.perform([request])
    #expect(Set(request.results?.map(\.symbology) ?? []) == [.qr, .ean13])
    request.symbologies = [.ean13]
    try handler.perform([request])
    #expect(request.results?.map(\.payloadStringValue) == ["4006381333931"])
  }

  @Test func `are found in images, files, sample buffers and sequences`() throws {
    let image = try paper.image
    let folder = FileManager.default.temporaryDirectory
    let url = folder.appendingPathComponent("vision-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try PNGEncoder.encode(image)
    try file.write(to: url)
    var sample: CMSampleBuffer?
    var format: CMVideoFormatDescription?
    _ = CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: nil, imageBuffer: paper.pixels, formatDescriptionOut: &format)
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
    _ = CMSampleBufferCreateReadyWithImageBuffer(
      allocator: nil, imageBuffer: paper.pixels, formatDescription: try #require(format),
      sampleTiming: &timing, sampleBufferOut: &sample)
    let buffer = try #require(sample)
    let handlers = [
      VNImageRequestHandler(cgImage: image), VNImageRequestHandler(ciImage: CIImage(cgImage: image)),
      VNImageRequestHandler(url: url), VNImageRequestHandler(data: file),
      VNImageRequestHandler(url: url, orientation: .up), VNImageRequestHandler(data: file, orientation: .up),
      VNImageRequestHandler(cmSampleBuffer: buffer),
    ]
    for handler in handlers { #expect(try codes(handler).count == 1) }
    let sequence = VNSequenceRequestHandler(), request = VNDetectBarcodesRequest()
    let performs: [() throws -> Void] = [
      { try sequence.perform([request], on: paper.pixels) }, { try sequence.perform([request], on: buffer) },
      { try sequence.perform([request], on: image) },
      { try sequence.perform([request], on: CIImage(cgImage: image)) },
      { try sequence.perform([request], onImageURL: url) },
      { try sequence.perform([request], onImageData: file) },
    ]
    for perform in performs {
      request.symbologies = []
      try perform()
      #expect(request.results == [])
      request.symbologies = [.qr]
      try perform()
      #expect(request.results?.count == 1)
    }
  }

  @Test func `tell the completion handler before perform returns, and may be cancelled`() throws {
    nonisolated(unsafe) var calls: [(count: Int?, code: Int?)] = []
    let request = VNDetectBarcodesRequest { request, error in
      calls.append(((request as? VNDetectBarcodesRequest)?.results?.count, (error as NSError?)?.code))
    }
    #expect(request.results == nil)
    let handler = VNImageRequestHandler(cvPixelBuffer: paper.pixels)
    try handler.perform([request])
    #expect(calls.map(\.count) == [1] && calls.map(\.code) == [nil])
    request.cancel()
    let error = #expect(throws: NSError.self) { try handler.perform([request]) }
    #expect(error?.domain == VNErrorDomain && error?.code == VNErrorCode.requestCancelled.rawValue)
    #expect(calls.last?.code == VNErrorCode.requestCancelled.rawValue && request.results == nil)
    try handler.perform([request])
    #expect(request.results?.count == 1)
  }

  @Test func `wrong requests and pictures are errors that say so, and the others are performed`() throws {
    func code(_ body: () throws -> Void) -> VNErrorCode? {
      let error = #expect(throws: NSError.self) { try body() }
      #expect(error?.domain == VNErrorDomain && error?.localizedDescription.hasSuffix(".") == true)
      return error.flatMap { VNErrorCode(rawValue: $0.code) }
    }
    let outside = VNDetectBarcodesRequest(), strange = VNDetectBarcodesRequest()
    let good = VNDetectBarcodesRequest()
    outside.regionOfInterest = CGRect(x: 0.5, y: 0.5, width: 0.6, height: 0.2)
    strange.revision = 9
    let handler = VNImageRequestHandler(cvPixelBuffer: paper.pixels)
    #expect(code { try handler.perform([outside, good]) } == .outOfBoundsError)
    #expect(outside.results == nil && good.results?.count == 1)
    #expect(code { try handler.perform([strange]) } == .unsupportedRevision)
    let nowhere = URL(fileURLWithPath: "/nowhere/a.jpg")
    #expect(code { try VNImageRequestHandler(url: nowhere).perform([good]) } == .ioError)
    #expect(code { try VNImageRequestHandler(data: Data("no".utf8)).perform([good]) } == .invalidImage)
    #expect(
      code { try VNImageRequestHandler(ciImage: CIImage(color: .black)).perform([good]) } == .invalidImage)
  }

  @Test func `places are turned into pixels and back`() {
    #expect(VNNormalizedRectIsIdentityRect(VNNormalizedIdentityRect))
    let rect = CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    let pixels = VNImageRectForNormalizedRect(rect, 200, 100)
    #expect(pixels == CGRect(x: 50, y: 50, width: 100, height: 25))
    #expect(VNNormalizedRectForImageRect(pixels, 200, 100) == rect)
    let point = VNImagePointForNormalizedPoint(CGPoint(x: 0.5, y: 0.25), 200, 100)
    #expect(point == CGPoint(x: 100, y: 25))
    #expect(VNNormalizedPointForImagePoint(point, 200, 100) == CGPoint(x: 0.5, y: 0.25))
    let half = CGRect(x: 0.5, y: 0, width: 0.5, height: 1)
    #expect(
      VNImageRectForNormalizedRectUsingRegionOfInterest(rect, 200, 100, half)
        == CGRect(x: 125, y: 50, width: 50, height: 25))
  }
}
