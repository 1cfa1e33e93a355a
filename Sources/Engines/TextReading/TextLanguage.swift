internal import CTesseract
internal import Foundation

/// A language that text can be read in, where the machine has Tesseract's data of it.
package struct TextLanguage: Sendable, Hashable {
  /// Apple's name of it, such as `en-US`.
  package let identifier: String
  /// Tesseract's name of it, which is that of its file and the end of its Debian package's, such as `eng`.
  package let code: String

  /// The languages that have a name in both, English first, and then by Apple's names.
  package static let all: [TextLanguage] = [
    ("en-US", "eng"), ("ar-SA", "ara"), ("cs-CZ", "ces"), ("da-DK", "dan"), ("de-DE", "deu"),
    ("es-ES", "spa"), ("fr-FR", "fra"), ("id-ID", "ind"), ("it-IT", "ita"), ("ja-JP", "jpn"),
    ("ko-KR", "kor"), ("ms-MY", "msa"), ("nl-NL", "nld"), ("no-NO", "nor"), ("pl-PL", "pol"),
    ("pt-BR", "por"), ("ro-RO", "ron"), ("ru-RU", "rus"), ("sv-SE", "swe"), ("th-TH", "tha"),
    ("tr-TR", "tur"), ("uk-UA", "ukr"), ("vi-VT", "vie"), ("zh-Hans", "chi_sim"), ("zh-Hant", "chi_tra"),
  ].map { TextLanguage(identifier: $0.0, code: $0.1) }

  /// The language of a name: of `en-GB`, `en_GB` or `en` English; of `zh-Hant-TW` traditional Chinese.
  package init?(named name: String) {
    let parts = name.split { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
    func fits(_ language: TextLanguage) -> Bool {
      let own = language.identifier.split(separator: "-").map { $0.lowercased() }
      return own[0] == parts.first && (own[0] != "zh" || parts.dropFirst().first == own[1])
    }
    guard let found = Self.all.first(where: fits) else { return nil }
    self = found
  }

  private init(identifier: String, code: String) {
    (self.identifier, self.code) = (identifier, code)
  }
}

/// The folder of Tesseract's languages, and those that are in it.
package struct TextLanguages: Sendable, Hashable {
  /// The folder of the `.traineddata` files.
  package let folder: String

  /// A folder that may be empty, or not exist.
  package init(folder: String) {
    self.folder = folder
  }

  /// The folder of this machine: `TESSDATA_PREFIX`, or Debian's.
  package static let current = TextLanguages(
    folder: ProcessInfo.processInfo.environment["TESSDATA_PREFIX"] ?? "/usr/share/tesseract-ocr/5/tessdata")

  /// The languages whose data are here.
  package var installed: [TextLanguage] {
    TextLanguage.all.filter { access("\(folder)/\($0.code).traineddata", R_OK) == 0 }
  }

  /// Why no text can be read here, in one sentence; `nil` when it can.
  ///
  /// Opens the library once.
  package var obstacle: TextReadingError? {
    guard installed.isEmpty else { return Self.libraryObstacle }
    return Self.libraryObstacle
      ?? TextReadingError(
        code: .notInstalled,
        description:
          "Text cannot be read, because \(folder) holds no language; install the package tesseract-ocr-eng.")
  }

  private static var libraryObstacle: TextReadingError? {
    var buffer = [CChar](repeating: 0, count: 300)
    guard cam_text_is_available(&buffer, buffer.count) == 0 else { return nil }
    return TextReadingError(
      code: .notInstalled,
      description: "Text cannot be read, because Tesseract cannot be used (\(buffer.reason)); "
        + "install the packages libtesseract5 and tesseract-ocr-eng.")
  }
}
