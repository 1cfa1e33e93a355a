package import Foundation

/// A line of text in a picture, with its words; places in pixels of the picture from its top left corner.
package struct FoundText: Sendable, Hashable {
  /// A word of a line.
  package struct Word: Sendable, Hashable {
    /// What it says, without spaces.
    package var text: String
    /// How sure it is, from 0 to 1.
    package var confidence: Double
    /// The smallest upright rectangle around it.
    package var bounds: CGRect

    /// A word at a place.
    package init(text: String, confidence: Double, bounds: CGRect) {
      (self.text, self.confidence, self.bounds) = (text, confidence, bounds)
    }
  }

  /// From the line's beginning to its end.
  package var words: [Word]
  /// The line's rise over its length as the picture is looked at, in pixels downwards for each to the right.
  package var slope: Double

  /// A line of words.
  package init(words: [Word], slope: Double) {
    (self.words, self.slope) = (words, slope)
  }

  /// What it says: its words, with a space between two.
  package var text: String { words.map(\.text).joined(separator: " ") }
  /// The words that a part of ``text`` touches, from the first to the last; `nil` where it touches none.
  ///
  /// - Parameter text: ``text``, of which the range is.
  package func words(touching range: Range<String.Index>, of text: String) -> Range<Int>? {
    var touched: Range<Int>?
    var start = text.startIndex
    // Letters are no measure: a mark at the beginning of a word and the space before it are one.
    let scalars = text.unicodeScalars
    for (index, word) in words.enumerated() {
      let end = scalars.index(start, offsetBy: word.text.unicodeScalars.count)
      if range.overlaps(start..<end) { touched = (touched?.lowerBound ?? index)..<index + 1 }
      start = end < scalars.endIndex ? scalars.index(after: end) : end
    }
    return touched
  }

  /// How sure it is, from 0 to 1: the mean of its letters'.
  package var confidence: Double {
    let letters = words.reduce(0) { $0 + $1.text.count }
    return words.reduce(0.0) { $0 + $1.confidence * Double($1.text.count) } / Double(max(letters, 1))
  }
  /// The smallest upright rectangle around it.
  package var bounds: CGRect {
    words.dropFirst().reduce(words.first?.bounds ?? .zero) { $0.union($1.bounds) }
  }

  /// The corners of some of its words, along the line: top left, top right, bottom right, bottom left.
  ///
  /// - Parameter range: The words' places in ``words``; not empty.
  package func corners(of range: Range<Int>) -> [CGPoint] {
    let box = words[range].dropFirst().reduce(words[range.lowerBound].bounds) { $0.union($1.bounds) }
    // The upright box of a leaning line is higher than the line by what the line rises over its length.
    let rise = min(abs(slope) * box.width, box.height * 0.9)
    let height = box.height - rise
    let (left, right) = slope > 0 ? (box.minY, box.minY + rise) : (box.minY + rise, box.minY)
    return [
      CGPoint(x: box.minX, y: left), CGPoint(x: box.maxX, y: right),
      CGPoint(x: box.maxX, y: right + height), CGPoint(x: box.minX, y: left + height),
    ]
  }
}
