package import CoreVideo
internal import CTesseract
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// Reads text in pictures, by Tesseract's neural networks.
///
/// Finds lines that are level within some fifteen degrees, wherever they are in the picture. Some tenths of a second for a screen
/// full of text. One object serves one caller at a time.
package final class TextReader {
  /// The languages that are read, the likelier one first.
  package let languages: [TextLanguage]
  /// Whether dictionaries help.
  package let corrects: Bool

  private let reader: OpaquePointer
  private let transformer = PixelTransformer(bufferLimit: 2)
  /// Letters lower than so many pixels are read badly; their picture is enlarged.
  private static let readableHeight = 26.0
  private static let largestSide = 6000.0

  /// A reader, which takes some tenths of a second for each language.
  ///
  /// - Throws: `notInstalled` when the library or the data of a language are not there.
  package init(
    _ languages: [TextLanguage], corrects: Bool = true, in folder: TextLanguages = .current
  ) throws(TextReadingError) {
    if let obstacle = folder.obstacle { throw obstacle }
    if let missing = languages.first(where: { !folder.installed.contains($0) }) {
      throw TextReadingError(
        code: .notInstalled,
        description: "Text of the language \(missing.identifier) cannot be read here; install the package "
          + "tesseract-ocr-\(missing.code.replacingOccurrences(of: "_", with: "-")).")
    }
    var buffer = [CChar](repeating: 0, count: 300)
    let names = languages.map(\.code).joined(separator: "+")
    guard let reader = cam_text_reader_open(folder.folder, names, corrects ? 1 : 0, &buffer, buffer.count)
    else {
      throw TextReadingError(
        code: .failed, description: "Text cannot be read: \(buffer.reason).")
    }
    self.languages = languages
    self.corrects = corrects
    self.reader = reader
  }

  deinit {
    cam_text_reader_close(reader)
  }

  /// The lines of text in a picture, from the top down and from the left.
  ///
  /// - Parameters:
  ///   - expected: Words that are likely to be there: unsure words that resemble one of them become it.
  ///   - isThorough: Whether a picture whose letters are small is read once more, enlarged.
  ///   - watch: Called now and then on this thread with the share that is done, from 0 to 1; `false` ends the reading.
  /// - Throws: ``TextReadingError``, or `PixelTransformError` when the picture cannot be read.
  package func lines(
    in pixels: CVPixelBuffer, expected: [String] = [], isThorough: Bool = true,
    watch: (Double) -> Bool = { _ in true }
  ) throws -> [FoundText] {
    let lines = try lines(in: pixels, isThorough: isThorough, watch: watch)
    let expected = CustomWords(expected)
    return lines.map(expected.correct)
  }

  private func lines(
    in pixels: CVPixelBuffer, isThorough: Bool, watch: (Double) -> Bool
  ) throws -> [FoundText] {
    let found = try lines(in: pixels, scale: 1) { watch(isThorough ? $0 / 2 : $0) }
    guard isThorough else { return found }
    let scale = Self.enlargement(of: found, width: pixels.width, height: pixels.height)
    guard scale > 1 else {
      guard watch(1) else { throw Self.cancelled }
      return found
    }
    return try lines(in: pixels, scale: scale) { watch(0.5 + $0 / 2) }
  }

  private static let cancelled = TextReadingError(code: .cancelled, description: "The reading was ended.")

  /// By how much a picture is to be enlarged for its letters; where none was found they may be too small for that, too.
  private static func enlargement(of lines: [FoundText], width: Int, height: Int) -> Double {
    let heights = lines.flatMap(\.words).map(\.bounds.height).sorted()
    let usual = heights.isEmpty ? readableHeight / 2 : Double(heights[heights.count / 4])
    let most = min(4, largestSide / Double(max(width, height)))
    return min(most, (readableHeight / max(usual, 4)).rounded(.up))
  }

  private func lines(in pixels: CVPixelBuffer, scale: Double, watch: (Double) -> Bool) throws -> [FoundText] {
    let size = PixelSize(
      width: max(1, Int(Double(pixels.width) * scale)), height: max(1, Int(Double(pixels.height) * scale)))
    let gray = try transformer.apply(
      FrameTransform(size: size, scaling: .stretch, pixelFormat: kCVPixelFormatType_OneComponent8), to: pixels
    )
    let locked = CVPixelBufferLockBaseAddress(gray, .readOnly)
    guard locked == kCVReturnSuccess, let base = CVPixelBufferGetBaseAddress(gray) else {
      throw PixelTransformError.bufferUnavailable(locked)
    }
    defer { CVPixelBufferUnlockBaseAddress(gray, .readOnly) }
    return try withoutActuallyEscaping(watch) { watch in
      var watching = Watching(watch: watch)
      let isRead = withUnsafeMutablePointer(to: &watching) { context in
        cam_text_read(
          reader, base.assumingMemoryBound(to: UInt8.self), Int32(size.width), Int32(size.height),
          Int32(CVPixelBufferGetBytesPerRow(gray)), { Watching.progressed($0, Int($1)) }, context)
      }
      guard !watching.isEnded else { throw Self.cancelled }
      guard isRead != 0 else {
        throw TextReadingError(code: .failed, description: "Tesseract could not read the picture.")
      }
      return words().sorted { ($0.bounds.midY, $0.bounds.minX) < ($1.bounds.midY, $1.bounds.minX) }
        .map { $0.scaled(by: 1 / scale) }
    }
  }

  /// The watch on its way through the library.
  private struct Watching {
    let watch: (Double) -> Bool
    var isEnded = false

    static func progressed(_ context: UnsafeMutableRawPointer?, _ percent: Int) -> Int32 {
      // Safe because `lines` lends its own, for as long as the library reads.
      guard let watching = context?.assumingMemoryBound(to: Watching.self) else { return 1 }
      if !watching.pointee.watch(Double(min(max(percent, 0), 100)) / 100) { watching.pointee.isEnded = true }
      return watching.pointee.isEnded ? 1 : 0
    }
  }

  private func words() -> [FoundText] {
    var lines: [FoundText] = []
    var word = cam_text_word()
    while cam_text_next(reader, &word) != 0 {
      let text = String(cString: word.text).trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty else { continue }
      let found = FoundText.Word(
        text: text, confidence: Double(word.confidence) / 100,
        bounds: CGRect(
          x: Int(word.left), y: Int(word.top), width: Int(word.right - word.left),
          height: Int(word.bottom - word.top)))
      if word.begins_line != 0 || lines.isEmpty {
        let along = Double(word.baseline_right_x - word.baseline_left_x)
        let slope = along > 0 ? Double(word.baseline_right_y - word.baseline_left_y) / along : 0
        lines.append(FoundText(words: [found], slope: slope))
      } else {
        lines[lines.count - 1].words.append(found)
      }
    }
    return lines
  }
}

extension FoundText {
  fileprivate func scaled(by factor: Double) -> FoundText {
    var scaled = self
    for index in words.indices {
      let box = words[index].bounds
      scaled.words[index].bounds = CGRect(
        x: box.minX * factor, y: box.minY * factor, width: box.width * factor, height: box.height * factor)
    }
    return scaled
  }
}
