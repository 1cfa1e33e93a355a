public import Foundation

/// A reading of a line of text.
///
/// Apple: `RecognizedText`.
public struct RecognizedText: Sendable, Hashable {
  /// The text.
  public let string: String
  /// How sure it is, from 0 to 1.
  public let confidence: Float
  private let older: VNRecognizedText

  init(_ older: VNRecognizedText) {
    (string, confidence, self.older) = (older.string, older.confidence, older)
  }

  /// The corners around the words that a part of ``string`` touches; `nil` where it touches none.
  ///
  /// Apple: `RecognizedText.boundingBox(for:)`.
  public func boundingBox(for range: Range<String.Index>) -> RectangleObservation? {
    guard let found = try? older.boundingBox(for: range) else { return nil }
    return RectangleObservation(found)
  }
}

/// A line of text, with its corners along the line.
///
/// Apple: `RecognizedTextObservation`.
public struct RecognizedTextObservation: Sendable, Hashable {
  /// Its own number.
  public let uuid: UUID
  /// How sure it is, from 0 to 1.
  public let confidence: Float
  /// The smallest upright rectangle around it, in fractions of the searched part, y upwards.
  public let boundingBox: NormalizedRect
  /// Its upper left corner.
  public let topLeft: NormalizedPoint
  /// Its upper right corner.
  public let topRight: NormalizedPoint
  /// Its lower left corner.
  public let bottomLeft: NormalizedPoint
  /// Its lower right corner.
  public let bottomRight: NormalizedPoint
  private let candidates: [RecognizedText]

  init(_ observation: VNRecognizedTextObservation) {
    uuid = observation.uuid
    confidence = observation.confidence
    boundingBox = NormalizedRect(normalizedRect: observation.boundingBox)
    topLeft = NormalizedPoint(observation.topLeft)
    topRight = NormalizedPoint(observation.topRight)
    bottomLeft = NormalizedPoint(observation.bottomLeft)
    bottomRight = NormalizedPoint(observation.bottomRight)
    candidates = observation.topCandidates(10).map { RecognizedText($0) }
  }

  /// The likeliest readings, the surest first: one here.
  ///
  /// Apple: `RecognizedTextObservation.topCandidates(_:)`.
  public func topCandidates(_ maxCandidateCount: Int) -> [RecognizedText] {
    Array(candidates.prefix(max(maxCandidateCount, 0)))
  }
}

/// A reading of the text in a picture; see ``VNRecognizeTextRequest``.
///
/// Apple: `RecognizeTextRequest`.
public struct RecognizeTextRequest: ImageProcessingRequest {
  /// How much a search for text takes.
  ///
  /// Apple: `RecognizeTextRequest.RecognitionLevel`.
  public enum RecognitionLevel: Sendable, Hashable {
    /// As ``VNRequestTextRecognitionLevel/accurate``.
    case accurate
    /// As ``VNRequestTextRecognitionLevel/fast``.
    case fast
  }

  /// As ``ImageProcessingRequest/regionOfInterest``; all of the picture at first.
  public var regionOfInterest = NormalizedRect.fullImage
  /// The least height of text in parts of the picture's: 1/32 at first, at which lower text is read as well.
  public var minimumTextHeightFraction: Float = 1 / 32
  /// How much the search takes; accurate at first.
  public var recognitionLevel = RecognitionLevel.accurate
  /// The languages to read, the likelier first; English at first.
  public var recognitionLanguages = [Locale.Language(identifier: "en-US")]
  /// Whether all languages that are installed are tried; `false` at first.
  public var automaticallyDetectsLanguage = false
  /// Whether the languages' dictionaries help; `true` at first.
  public var usesLanguageCorrection = true
  /// Words that are expected, as ``VNRecognizeTextRequest/customWords``.
  public var customWords: [String] = []

  /// A search for English text.
  public init() {}

  /// The languages that are installed.
  ///
  /// Apple: `RecognizeTextRequest.supportedRecognitionLanguages`.
  public var supportedRecognitionLanguages: [Locale.Language] {
    ((try? VNRecognizeTextRequest().supportedRecognitionLanguages()) ?? []).map {
      Locale.Language(identifier: $0)
    }
  }

  /// As ``VisionRequest/result(of:)``.
  public func result(of picture: VisionPicture) throws -> [RecognizedTextObservation] {
    let request = VNRecognizeTextRequest()
    request.regionOfInterest = regionOfInterest.cgRect
    request.minimumTextHeight = minimumTextHeightFraction
    request.recognitionLevel = recognitionLevel == .accurate ? .accurate : .fast
    request.recognitionLanguages = recognitionLanguages.map(\.nameOfText)
    request.automaticallyDetectsLanguage = automaticallyDetectsLanguage
    request.usesLanguageCorrection = usesLanguageCorrection
    request.customWords = customWords
    try request.perform(on: picture.picture)
    return (request.results ?? []).map { RecognizedTextObservation($0) }
  }
}

extension Locale.Language {
  /// The language with its script, by which text is read: `zh-Hant` also of `zh-TW`.
  package var nameOfText: String {
    let full = Locale.Language(identifier: maximalIdentifier)
    return [languageCode?.identifier, (script ?? full.script)?.identifier].compactMap { $0 }.joined(
      separator: "-")
  }
}
