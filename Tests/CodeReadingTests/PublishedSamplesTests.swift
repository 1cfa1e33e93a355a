import CodeReading
import CoreVideo
import Foundation
import FoundationExtras
import Testing

/// The origin and the licence of the pictures stand in `Pictures/ZXing/SOURCES.md`.
@Suite("Pictures that ZXing publishes")
struct PublishedSamplesTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let kind: CodeKind
    let text: String
    /// Whether libzxing 1.4 alone ends the process over the picture.
    let isFatal: Bool
    var testDescription: String { name }
  }

  static let samples = [
    Sample(name: "rss14-1-1", kind: .dataBar, text: "04412345678909", isFatal: false),
    Sample(name: "rss14-1-2", kind: .dataBar, text: "00821935106427", isFatal: true),
    Sample(name: "rss14-1-5", kind: .dataBar, text: "00034567890125", isFatal: true),
    Sample(name: "rss14-2-24", kind: .dataBar, text: "00012345678905", isFatal: true),
    Sample(
      name: "rssexpanded-1-1", kind: .dataBarExpanded, text: "(11)100224(17)110224(3102)000100",
      isFatal: false
    ),
    Sample(
      name: "rssexpanded-1-2", kind: .dataBarExpanded, text: "(01)90012345678908(3103)001750", isFatal: false),
    Sample(
      name: "rssexpandedstacked-1-1", kind: .dataBarExpanded,
      text: "(01)90012345678908(3103)012233(15)991231", isFatal: true),
    Sample(
      name: "rssexpandedstacked-1-10", kind: .dataBarExpanded, text: "(01)90012345678908(3203)010000",
      isFatal: true),
    Sample(
      name: "rssexpandedstacked-1-16", kind: .dataBarExpanded, text: "(01)90012345678908(3932)04055GBP",
      isFatal: true),
    Sample(
      name: "rssexpandedstacked-1-19", kind: .dataBarExpanded,
      text: "(01)12345678901231(10)UNIVERSITY-OF-DEUSTO", isFatal: true),
    Sample(
      name: "rssexpandedstacked-1-22", kind: .dataBarExpanded,
      text: "(01)98898765432106(15)991231(3103)001750(10)12A(422)123(21)123456(423)012345678901",
      isFatal: true),
    Sample(
      name: "rssexpandedstacked-1-65", kind: .dataBarExpanded, text: "(8110))2345672(1*813", isFatal: true),
    Sample(
      name: "rssexpandedstacked-2-1000", kind: .dataBarExpanded,
      text: "(01)98898765432106(3202)012345(15)991231", isFatal: true),
    Sample(
      name: "rssexpanded-2-3_09", kind: .dataBarExpanded, text: "(10)12A", isFatal: true),
    Sample(name: "upca-4-13", kind: .ean13, text: "0059290522143", isFatal: false),
    Sample(name: "upce-2-11", kind: .upcE, text: "04963406", isFatal: true),
  ]

  @Test(arguments: samples)
  func `each is read once, and ends no process`(sample: Sample) throws {
    let picture = try CodePicture(named: sample.name, in: "Pictures/ZXing")
    let reader = CodeReader(kinds: Set(CodeKind.allCases))
    let pixels = try picture.buffer(kCVPixelFormatType_OneComponent8)
    let found = try reader.codes(in: pixels, effort: .thorough)
    #expect(found.map(\.kind) == [sample.kind])
    #expect(found.map(\.text) == [sample.text])
    for effort in [CodeReader.Effort.light, .next] {
      #expect(try reader.codes(in: pixels, effort: effort).allSatisfy { $0.text == sample.text })
    }
    if !sample.isFatal {
      #expect(try reader.codes(in: pixels, effort: .plain).map(\.text) == [sample.text])
    }
  }
}
