import Foundation
import Testing
import TextReading

@Suite("Text: expected words, lines and languages")
struct CustomWordsTests {
  private func line(_ words: (String, Double)...) -> FoundText {
    FoundText(
      words: words.enumerated().map { index, word in
        FoundText.Word(
          text: word.0, confidence: word.1, bounds: CGRect(x: 100 * index, y: 10, width: 80, height: 20))
      }, slope: 0)
  }

  @Test func `an unsure word becomes the expected one that it resembles`() {
    let expected = CustomWords(["Obscura", "focus"])
    #expect(expected.correct(line(("0bscura", 0.6), ("f0cus", 0.5))).text == "Obscura focus")
    #expect(expected.correct(line(("0bscura", 0.95), ("f0cus", 0.95))).text == "0bscura f0cus")
    #expect(expected.correct(line(("Oscuro", 0.4), ("list", 0.4))).text == "Oscuro list")
    #expect(CustomWords([]).correct(line(("0bscura", 0.1))).text == "0bscura")
  }

  @Test func `a word of less than five letters is expected to the letter`() {
    let expected = CustomWords(["OK", "lens"])
    #expect(expected.correct(line(("on", 0.3), ("ok", 0.3), ("pens", 0.3))).text == "on OK pens")
  }

  @Test func `a line is as sure as its letters, and reaches around its words`() {
    let line = line(("a", 0.2), ("bcd", 1))
    #expect(line.text == "a bcd" && abs(line.confidence - 0.8) < 1e-9)
    #expect(line.bounds == CGRect(x: 0, y: 10, width: 180, height: 20))
  }

  @Test func `a part of a line touches its words, also where a word begins with a mark`() throws {
    let line = line(("one", 1), ("\u{0E34}two", 1), ("\u{064B}three", 1))
    let text = line.text
    #expect(line.words(touching: text.startIndex..<text.endIndex, of: text) == 0..<3)
    let scalars = text.unicodeScalars
    let second = try #require(scalars.firstIndex(of: "\u{0E34}"))
    #expect(line.words(touching: text.startIndex..<second, of: text) == 0..<1)
    #expect(line.words(touching: second..<scalars.index(second, offsetBy: 4), of: text) == 1..<2)
    let last = try #require(text.range(of: "hree"))
    #expect(line.words(touching: last, of: text) == 2..<3)
    #expect(line.words(touching: text.startIndex..<text.startIndex, of: text) == nil)
  }

  @Test func `corners follow a line that falls or rises`() {
    var line = line(("one", 1), ("two", 1))
    line.slope = 0.05
    #expect(line.corners(of: 0..<2).map(\.y) == [10, 19, 30, 21])
    line.slope = -0.05
    #expect(line.corners(of: 0..<2).map(\.y) == [19, 10, 21, 30])
  }

  @Test func `languages are known by Apple's names, with and without a country`() {
    #expect(TextLanguage(named: "en-GB")?.code == "eng" && TextLanguage(named: "ko")?.code == "kor")
    #expect(
      TextLanguage(named: "de_AT")?.code == "deu" && TextLanguage(named: "zh-Hant-TW")?.code == "chi_tra")
    #expect(TextLanguage(named: "zh-Hans")?.code == "chi_sim")
    #expect(
      TextLanguage(named: "zh") == nil && TextLanguage(named: "xx") == nil && TextLanguage(named: "") == nil)
  }

  @Test func `a folder without languages says which package brings one`() {
    let nowhere = TextLanguages(folder: "/nonexistent")
    #expect(nowhere.installed.isEmpty && nowhere.obstacle?.code == .notInstalled)
    #expect(nowhere.obstacle?.description.contains("tesseract-ocr-eng") == true)
  }
}
