/// Words that a caller expects, which decide where letters were read without certainty.
package struct CustomWords {
  private let words: [(word: String, letters: [Character])]
  /// Words surer than this are left as they were read.
  private static let certainty = 0.9

  /// Words that are expected, in the letters that a reading is to have.
  package init(_ words: [String]) {
    self.words = words.map { ($0, Array($0.lowercased())) }
  }

  /// A line in which an unsure word is the expected one that it resembles: which differs in one letter of five at most.
  package func correct(_ line: FoundText) -> FoundText {
    guard !words.isEmpty else { return line }
    var line = line
    for index in line.words.indices where line.words[index].confidence < Self.certainty {
      let letters = Array(line.words[index].text.lowercased())
      let nearest =
        words
        .map {
          (word: $0.word, distance: Self.distance(letters, $0.letters), most: $0.letters.count / 5)
        }
        .filter { $0.distance <= $0.most }
        .min { $0.distance < $1.distance }
      if let nearest { line.words[index].text = nearest.word }
    }
    return line
  }

  /// How many letters are to be put in, left out or changed (Levenshtein 1966).
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (place, letter) in one.enumerated() {
      var corner = row[0]
      row[0] = place + 1
      for (column, wanted) in other.enumerated() {
        let change = corner + (letter == wanted ? 0 : 1)
        corner = row[column + 1]
        row[column + 1] = min(change, row[column] + 1, corner + 1)
      }
    }
    return row[other.count]
  }
}
