import DrawingCore
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Testing
import TextReading
import Vision

private let installed =
  TextLanguages.current.obstacle == nil ? TextLanguages.current.installed.map(\.identifier) : []

@Suite(
  "Vision: text",
  .enabled(if: installed.contains("en-US"), "Tesseract is not here; run scripts/setup --models"))
struct TextRequestTests {
  /// A white picture of 800 by 300 with black lines of text on it: what they say, where they begin, and how high their letters are.
  private func paper(
    _ lines: [(text: String, x: Double, y: Double, size: Double)], width: Int = 800, lean: Double = 0
  ) throws -> CGImage {
    let format = UIGraphicsImageRendererFormat()
    format.scale = 1
    let renderer = UIGraphicsImageRenderer(size: CGSize(width: width, height: 300), format: format)
    let image = renderer.image { context in
      UIColor.white.setFill()
      context.fill(CGRect(x: 0, y: 0, width: width, height: 300))
      context.cgContext.translateBy(x: CGFloat(width) / 2, y: 150)
      context.cgContext.rotate(by: lean)
      context.cgContext.translateBy(x: -CGFloat(width) / 2, y: -150)
      for line in lines {
        line.text.draw(
          at: CGPoint(x: line.x, y: line.y), withAttributes: [.font: UIFont.systemFont(ofSize: line.size)])
      }
    }
    return try #require(image.cgImage)
  }

  private func texts(_ request: VNRecognizeTextRequest, _ picture: CGImage) throws -> [String] {
    try VNImageRequestHandler(cgImage: picture).perform([request])
    return try #require(request.results).compactMap { $0.topCandidates(1).first?.string }
  }

  @Test func `is read line by line from the top, each where it is`() throws {
    let picture = try paper([("Platform four", 60, 190, 40), ("Departure 12:45", 60, 40, 40)])
    let request = VNRecognizeTextRequest()
    #expect(try texts(request, picture) == ["Departure 12:45", "Platform four"])
    let line = try #require(request.results?.first)
    #expect(line.boundingBox.minX > 0.05 && line.boundingBox.minX < 0.12, "\(line.boundingBox)")
    #expect(line.boundingBox.minY > 0.7 && line.boundingBox.maxY < 0.9, "\(line.boundingBox)")
    #expect(line.confidence > 0.5 && line.topLeft.y > line.bottomLeft.y && line.topLeft.x < line.topRight.x)
    #expect(line.topCandidates(0).isEmpty && line.topCandidates(10).count == 1)
  }

  @Test func `has a place for each of its words`() throws {
    let request = VNRecognizeTextRequest()
    _ = try texts(request, try paper([("Departure 12:45", 60, 40, 40)]))
    let reading = try #require(request.results?.first?.topCandidates(1).first)
    let time = try #require(reading.string.range(of: "12:45"))
    let place = try #require(try reading.boundingBox(for: time))
    let whole = try #require(
      try reading.boundingBox(for: reading.string.startIndex..<reading.string.endIndex))
    #expect(
      place.boundingBox.minX > whole.boundingBox.midX && place.boundingBox.maxX == whole.boundingBox.maxX)
    #expect(whole.boundingBox == request.results?.first?.boundingBox)
    let empty = reading.string.startIndex..<reading.string.startIndex
    #expect(try reading.boundingBox(for: empty) == nil)
    let other = "a much longer text than that which was read"
    let error = #expect(throws: NSError.self) {
      _ = try reading.boundingBox(for: other.startIndex..<other.endIndex)
    }
    #expect(error?.code == VNErrorCode.invalidArgument.rawValue)
  }

  @Test func `that leans has corners along its line`() throws {
    let request = VNRecognizeTextRequest()
    let read = try texts(request, try paper([("Departure at noon", 150, 120, 44)], lean: 0.1))
    #expect(read == ["Departure at noon"])
    let line = try #require(request.results?.first)
    // The picture is 800 by 300, and the line falls by a tenth as it is looked at.
    let fall = (line.topLeft.y - line.topRight.y) * 300 / ((line.topRight.x - line.topLeft.x) * 800)
    #expect(abs(fall - 0.1) < 0.04, "\(fall)")
  }

  @Test func `of small letters is read by the accurate level, and the least height leaves it out`() throws {
    let picture = try paper([("The quick brown fox jumps", 60, 40, 11), ("Large title", 60, 150, 48)])
    let request = VNRecognizeTextRequest()
    #expect(try texts(request, picture) == ["The quick brown fox jumps", "Large title"])
    request.minimumTextHeight = 0.1
    #expect(try texts(request, picture) == ["Large title"])
    request.recognitionLevel = .fast
    #expect(try texts(request, picture) == ["Large title"])
  }

  @Test func `of a part of the picture is in fractions of that part`() throws {
    let picture = try paper([("Platform four", 60, 190, 40), ("Departure 12:45", 60, 40, 40)])
    let request = VNRecognizeTextRequest()
    request.regionOfInterest = CGRect(x: 0, y: 0, width: 1, height: 0.5)
    #expect(try texts(request, picture) == ["Platform four"])
    #expect(try #require(request.results?.first).boundingBox.minY > 0.3)
  }

  @Test(.enabled(if: installed.contains("ko-KR"), "Korean is not installed"))
  func `is read in the languages that are asked for`() throws {
    let picture = try paper([("카메라 사진", 60, 100, 60)])
    let request = VNRecognizeTextRequest()
    #expect(try texts(request, picture) != ["카메라 사진"])
    request.recognitionLanguages = ["ko-KR", "en-US"]
    #expect(try texts(request, picture) == ["카메라 사진"])
    request.recognitionLanguages = ["en-US"]
    request.automaticallyDetectsLanguage = true
    #expect(try texts(request, picture) == ["카메라 사진"])
    #expect(try request.supportedRecognitionLanguages() == installed)
    #expect(try VNRecognizeTextRequest.supportedRecognitionLanguages(for: .fast, revision: 3) == installed)
  }

  @Test func `in a language that is not there is one clear error`() throws {
    let picture = try paper([("text", 60, 100, 60)])
    let request = VNRecognizeTextRequest()
    let cases: [([String], VNErrorCode)] = [(["xx-XX"], .invalidArgument), ([], .invalidArgument)]
    for (languages, code) in cases {
      request.recognitionLanguages = languages
      let error = #expect(throws: NSError.self) { _ = try texts(request, picture) }
      #expect(error?.code == code.rawValue && request.results == nil)
    }
    let nowhere = TextLanguages(folder: "/nonexistent")
    let missing = #expect(throws: TextReadingError.self) {
      _ = try TextReader([try #require(TextLanguage(named: "de"))], in: nowhere)
    }
    #expect(missing?.code == .notInstalled)
    #expect(throws: NSError.self) {
      _ = try VNRecognizeTextRequest.supportedRecognitionLanguages(for: .fast, revision: 9)
    }
  }

  @Test func `reports its progress, and ends when it is cancelled`() throws {
    let picture = try paper(
      (0..<6).map { ("A line of text that is to be read", 20, 8 + 48 * Double($0), 34) })
    let request = VNRecognizeTextRequest()
    nonisolated(unsafe) var shares: [Double] = []  // Safe because the handler runs on this thread.
    request.progressHandler = { _, share, _ in shares.append(share) }
    #expect(try texts(request, picture).count == 6)
    #expect(shares.last == 1 && shares == shares.sorted() && shares.count > 2, "\(shares)")
    #expect(!request.indeterminate)
    request.progressHandler = { request, _, _ in request.cancel() }
    let error = #expect(throws: NSError.self) { _ = try texts(request, picture) }
    #expect(error?.code == VNErrorCode.requestCancelled.rawValue && request.results == nil)
  }

  @Test func `in the newer form is the same`() async throws {
    var request = RecognizeTextRequest()
    request.recognitionLevel = .fast
    request.usesLanguageCorrection = false
    let lines = try await request.perform(on: try paper([("Departure 12:45", 60, 40, 40)]))
    let reading = try #require(lines.first?.topCandidates(1).first)
    #expect(lines.count == 1 && reading.string == "Departure 12:45" && reading.confidence > 0.5)
    let time = try #require(reading.string.range(of: "12:45"))
    let place = try #require(reading.boundingBox(for: time))
    #expect(place.boundingBox.origin.x > 0.25 && lines[0].boundingBox.origin.x < 0.12)
    #expect(request.supportedRecognitionLanguages.map(\.minimalIdentifier).contains("en"))
  }
}
