public import Foundation
internal import TextReading

/// A reading of a line of text.
///
/// Source: [VNRecognizedText](https://developer.apple.com/documentation/vision/vnrecognizedtext).
open class VNRecognizedText: NSObject, @unchecked Sendable {  // Safe: constants.
  /// The text.
  ///
  /// Apple: `VNRecognizedText.string`.
  public let string: String
  /// How sure it is, from 0 to 1.
  ///
  /// Apple: `VNRecognizedText.confidence`.
  public let confidence: VNConfidence
  private let line: FoundText
  private let places: PartPlaces

  init(_ line: FoundText, _ places: PartPlaces) {
    string = line.text
    confidence = VNConfidence(line.confidence)
    (self.line, self.places) = (line, places)
    super.init()
  }

  /// The corners around the words that a part of ``string`` touches; `nil` where it touches none.
  ///
  /// - Throws: `invalidArgument` for a range that is not of ``string``.
  ///
  /// Apple: `VNRecognizedText.boundingBox(for:)`.
  open func boundingBox(for range: Range<String.Index>) throws -> VNRectangleObservation? {
    guard range.lowerBound >= string.startIndex, range.upperBound <= string.endIndex else {
      throw VNErrorCode.invalidArgument.error("The range is not one of the text \(string).")
    }
    guard let words = line.words(touching: range, of: string) else { return nil }
    return VNRectangleObservation(
      corners: line.corners(of: words).map(places.point), confidence: line.confidence)
  }
}

/// A line of text, with its corners along the line.
///
/// Source: [VNRecognizedTextObservation](https://developer.apple.com/documentation/vision/vnrecognizedtextobservation).
open class VNRecognizedTextObservation: VNRectangleObservation, @unchecked Sendable {  // Safe: constants.
  private let reading: VNRecognizedText

  init(_ line: FoundText, _ places: PartPlaces) {
    reading = VNRecognizedText(line, places)
    super.init(
      corners: line.corners(of: line.words.indices).map(places.point), confidence: line.confidence)
  }

  /// The likeliest readings, the surest first: one here.
  ///
  /// - Parameter maxCandidateCount: How many are wanted at most, from 1 to 10.
  ///
  /// Apple: `VNRecognizedTextObservation.topCandidates(_:)`.
  open func topCandidates(_ maxCandidateCount: Int) -> [VNRecognizedText] {
    maxCandidateCount > 0 ? [reading] : []
  }
}
