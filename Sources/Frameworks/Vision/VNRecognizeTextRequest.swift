internal import CoreVideo
public import Foundation
internal import TextReading

/// How much a search for text takes.
///
/// Apple: `VNRequestTextRecognitionLevel`.
public enum VNRequestTextRecognitionLevel: Int, Sendable {
  /// Small letters are read once more in an enlarged picture.
  case accurate = 0
  /// The picture is read once, as it is.
  case fast = 1
}

/// Called while a request is performed: the request, the share that is done from 0 to 1, and `nil`.
///
/// Apple: `VNRequestProgressHandler`.
public typealias VNRequestProgressHandler = (VNRequest, Double, (any Error)?) -> Void

/// A request that reports how far it is.
///
/// Apple: `VNRequestProgressProviding`.
public protocol VNRequestProgressProviding {
  /// What is called, on the thread that performs the request.
  var progressHandler: VNRequestProgressHandler { get set }
  /// Whether the share cannot be told.
  var indeterminate: Bool { get }
}

/// A reading of the text in a picture, line by line.
///
/// Tesseract reads it (the packages `libtesseract5` and one `tesseract-ocr-…` for each language, which `scripts/setup --models` installs with
/// English and Korean); without, it fails with `invalidModel`. Lines may lean some fifteen degrees. ``VNRequest/cancel()`` ends a
/// reading that is under way.
///
/// Source: [VNRecognizeTextRequest](https://developer.apple.com/documentation/vision/vnrecognizetextrequest).
open class VNRecognizeTextRequest: VNImageBasedRequest, VNRequestProgressProviding, @unchecked Sendable {
  // Safe as the base.

  /// The least height of text in parts of the picture's: 1/32 at first, at which lower text is read as well.
  ///
  /// Lines lower than another value are left out.
  ///
  /// Apple: `VNRecognizeTextRequest.minimumTextHeight`.
  open var minimumTextHeight: Float = usualHeight
  /// How much the search takes; ``VNRequestTextRecognitionLevel/accurate`` at first.
  ///
  /// Apple: `VNRecognizeTextRequest.recognitionLevel`.
  open var recognitionLevel = VNRequestTextRecognitionLevel.accurate
  /// The languages to read, the likelier first; English at first.
  ///
  /// A language whose data is not installed fails with `invalidModel`, and one that has no data with `invalidArgument`.
  ///
  /// Apple: `VNRecognizeTextRequest.recognitionLanguages`.
  open var recognitionLanguages = ["en-US"]
  /// Whether all languages that are installed are tried, those of ``recognitionLanguages`` first; `false` at first.
  ///
  /// Apple: `VNRecognizeTextRequest.automaticallyDetectsLanguage`.
  open var automaticallyDetectsLanguage = false
  /// Whether the languages' dictionaries help; `true` at first.
  ///
  /// Codes and serial numbers are better read without.
  ///
  /// Apple: `VNRecognizeTextRequest.usesLanguageCorrection`.
  open var usesLanguageCorrection = true
  /// Words that are expected: words read without certainty that resemble one become it, where ``usesLanguageCorrection`` is `true`.
  ///
  /// Apple: `VNRecognizeTextRequest.customWords`.
  open var customWords: [String] = []
  /// Called with the share that is done, on the thread that performs the request.
  ///
  /// Apple: `VNRequestProgressProviding.progressHandler`.
  open var progressHandler: VNRequestProgressHandler = { _, _, _ in }
  /// `false`: the share is known.
  ///
  /// Apple: `VNRequestProgressProviding.indeterminate`.
  open var indeterminate: Bool { false }

  private static let usualHeight: Float = 1 / 32
  private var reader: TextReader?

  /// The lines that were read last, from the top down; `nil` before the request was performed, and after it failed.
  ///
  /// Apple: `VNRecognizeTextRequest.results`.
  open var results: [VNRecognizedTextObservation]? { observations as? [VNRecognizedTextObservation] }

  /// The first three versions, which read the same.
  ///
  /// Apple: `VNRequest.supportedRevisions`.
  open override class var supportedRevisions: IndexSet { IndexSet(1...3) }

  /// The languages that are installed, by Apple's names.
  ///
  /// Apple: `VNRecognizeTextRequest.supportedRecognitionLanguages()`.
  open func supportedRecognitionLanguages() throws -> [String] {
    TextLanguages.current.installed.map(\.identifier)
  }

  /// The same, of any version and level.
  ///
  /// Apple: `VNRecognizeTextRequest.supportedRecognitionLanguages(for:revision:)`; deprecated there.
  open class func supportedRecognitionLanguages(
    for recognitionLevel: VNRequestTextRecognitionLevel, revision: Int
  ) throws -> [String] {
    guard supportedRevisions.contains(revision) else {
      throw VNErrorCode.unsupportedRevision.error(
        "\(self) has no revision \(revision); ask its supportedRevisions.")
    }
    return TextLanguages.current.installed.map(\.identifier)
  }

  override func search(_ part: CVPixelBuffer, _ places: PartPlaces) throws -> [VNObservation] {
    do {
      let reader = try prepared()
      let lines = try reader.lines(
        in: part, expected: usesLanguageCorrection ? customWords : [],
        isThorough: recognitionLevel == .accurate
      ) { share in
        progressHandler(self, share, nil)
        return !isCancelled
      }
      let least = minimumTextHeight == Self.usualHeight ? 0 : CGFloat(minimumTextHeight)
      return lines.filter { $0.bounds.height >= least * CGFloat(part.height) }
        .map { VNRecognizedTextObservation($0, places) }
    } catch let error as TextReadingError {
      throw error.code.visionCode.error(error.description)
    }
  }

  private func prepared() throws -> TextReader {
    var languages = try recognitionLanguages.map { name in
      guard let language = TextLanguage(named: name) else {
        throw VNErrorCode.invalidArgument.error(
          "There is no language \(name); ask supportedRecognitionLanguages().")
      }
      return language
    }
    if automaticallyDetectsLanguage {
      languages += TextLanguages.current.installed.filter { !languages.contains($0) }
    }
    guard !languages.isEmpty else {
      throw VNErrorCode.invalidArgument.error("recognitionLanguages is empty; name a language to read.")
    }
    if let reader, reader.languages == languages, reader.corrects == usesLanguageCorrection { return reader }
    let reader = try TextReader(languages, corrects: usesLanguageCorrection)
    self.reader = reader
    return reader
  }
}

extension TextReadingError.Code {
  fileprivate var visionCode: VNErrorCode {
    switch self {
    case .notInstalled: .invalidModel
    case .cancelled: .requestCancelled
    case .failed: .operationFailed
    }
  }
}
