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
  /// Lines lower than so many pixels are read badly; they are enlarged to this height.
  private static let readableHeight = 40.0
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
  ///   - isThorough: Whether low lines are read once more, enlarged, and the surer reading counts.
  ///   - watch: Called now and then on this thread with the share that is done, from 0 to 1; `false` ends the reading.
  /// - Throws: ``TextReadingError``, or `PixelTransformError` when the picture cannot be read.
  package func lines(
    in pixels: CVPixelBuffer, expected: [String] = [], isThorough: Bool = true,
    watch: (Double) -> Bool = { _ in true }
  ) throws -> [FoundText] {
    let gray = try gray(pixels, FrameTransform(pixelFormat: kCVPixelFormatType_OneComponent8))
    var lines = try read(gray) { watch(isThorough ? $0 / 2 : $0) }
    if isThorough {
      if lines.isEmpty { lines = try enlarged(gray, PixelRect(gray), scale: 2) { watch(0.5 + $0 / 4) } }
      for index in lines.indices {
        let share = Double(index) / Double(lines.count)
        if let better = try reread(lines[index], in: gray, watch: { _ in watch(0.75 + share / 4) }) {
          lines[index] = better
        }
      }
    }
    guard watch(1) else { throw Self.cancelled }
    let expected = CustomWords(expected)
    return lines.map(expected.correct)
      .sorted { ($0.bounds.midY, $0.bounds.minX) < ($1.bounds.midY, $1.bounds.minX) }
  }

  private static let cancelled = TextReadingError(code: .cancelled, description: "The reading was ended.")

  /// A low line, read enlarged and by itself; `nil` where that is no better.
  private func reread(
    _ line: FoundText, in gray: CVPixelBuffer, watch: (Double) -> Bool
  ) throws -> FoundText? {
    let height = line.bounds.height
    guard height < Self.readableHeight * 0.8 else { return nil }
    let whole = CGRect(x: 0, y: 0, width: gray.width, height: gray.height)
    let around = line.bounds.insetBy(dx: -height, dy: -height).integral.intersection(whole)
    guard !around.isEmpty else { return nil }
    let place = PixelRect(
      x: Int(around.minX), y: Int(around.minY), width: Int(around.width), height: Int(around.height))
    let scale = Self.readableHeight / max(height, 4)
    let read = try enlarged(gray, place, scale: scale, isLine: true, watch: watch)
    return read.max { $0.confidence < $1.confidence }.flatMap { $0.confidence > line.confidence ? $0 : nil }
  }

  /// The lines in a part of a picture that is enlarged for them.
  private func enlarged(
    _ gray: CVPixelBuffer, _ part: PixelRect, scale: Double, isLine: Bool = false, watch: (Double) -> Bool
  ) throws -> [FoundText] {
    let scale = max(1, min(scale, Self.largestSide / Double(max(part.width, part.height))))
    let size = PixelSize(
      width: Int(Double(part.width) * scale), height: Int(Double(part.height) * scale))
    let picture = try self.gray(
      gray,
      FrameTransform(
        crop: part, size: size, scaling: .stretch, pixelFormat: kCVPixelFormatType_OneComponent8))
    return try read(picture, isLine: isLine, watch: watch).map {
      $0.placed(by: 1 / scale, from: CGPoint(x: part.x, y: part.y))
    }
  }

  private func gray(_ pixels: CVPixelBuffer, _ transform: FrameTransform) throws -> CVPixelBuffer {
    try transformer.apply(transform, to: pixels)
  }

  private func read(
    _ gray: CVPixelBuffer, isLine: Bool = false, watch: (Double) -> Bool
  ) throws -> [FoundText] {
    let locked = CVPixelBufferLockBaseAddress(gray, .readOnly)
    guard locked == kCVReturnSuccess, let base = CVPixelBufferGetBaseAddress(gray) else {
      throw PixelTransformError.bufferUnavailable(locked)
    }
    defer { CVPixelBufferUnlockBaseAddress(gray, .readOnly) }
    return try withoutActuallyEscaping(watch) { watch in
      var watching = Watching(watch: watch)
      let isRead = withUnsafeMutablePointer(to: &watching) { context in
        cam_text_read(
          reader, base.assumingMemoryBound(to: UInt8.self), Int32(gray.width), Int32(gray.height),
          Int32(CVPixelBufferGetBytesPerRow(gray)), isLine ? 1 : 0,
          { Watching.progressed($0, Int($1)) }, context)
      }
      guard !watching.isEnded else { throw Self.cancelled }
      guard isRead != 0 else {
        throw TextReadingError(code: .failed, description: "Tesseract could not read the picture.")
      }
      return words()
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

extension PixelRect {
  fileprivate init(_ pixels: CVPixelBuffer) {
    self.init(x: 0, y: 0, width: pixels.width, height: pixels.height)
  }
}

extension FoundText {
  /// The same in another picture, where it is so much larger and begins elsewhere.
  fileprivate func placed(by factor: Double, from corner: CGPoint) -> FoundText {
    var placed = self
    for index in words.indices {
      let box = words[index].bounds
      placed.words[index].bounds = CGRect(
        x: corner.x + box.minX * factor, y: corner.y + box.minY * factor, width: box.width * factor,
        height: box.height * factor)
    }
    return placed
  }
}
