import AVFCore
import Foundation
import Testing

@Suite("Metadata items: filters")
struct MetadataFilterTests {
  private func item(_ identifier: String, _ text: String, language: String? = nil) -> AVMutableMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = AVMetadataIdentifier(rawValue: identifier)
    item.value = NSString(string: text)
    item.extendedLanguageTag = language
    return item
  }

  @Test("Items are found by key and key space, and by language in the order of preference")
  func filters() {
    let make = item("mdta/com.apple.quicktime.make", "Obscura")
    let english = item("mdta/com.apple.quicktime.title", "Door", language: "en-US")
    let korean = item("mdta/com.apple.quicktime.title", "Mun", language: "ko")
    let all = [make, english, korean]
    #expect(
      AVMetadataItem.metadataItems(
        from: all, withKey: "com.apple.quicktime.make", keySpace: .quickTimeMetadata) == [make])
    #expect(
      AVMetadataItem.metadataItems(from: all, withKey: AVMetadataKey.commonKeyTitle, keySpace: .common)
        == [english, korean])
    #expect(AVMetadataItem.metadataItems(from: all, withKey: nil, keySpace: .iTunes).isEmpty)
    #expect(
      AVMetadataItem.metadataItems(from: all, filteredAndSortedAccordingToPreferredLanguages: ["ko", "en"])
        == [korean, english])
  }

  @Test("An identifier is made of a key and its space, and gives them back")
  func identifiers() throws {
    let made = try #require(AVMetadataItem.identifier(forKey: "title", keySpace: .common))
    #expect(made == .commonIdentifierTitle)
    #expect(AVMetadataItem.keySpace(forIdentifier: made) == .common)
    #expect(AVMetadataItem.key(forIdentifier: made) as? String == "title")
    #expect(AVMetadataItem.identifier(forKey: 7, keySpace: .iTunes) == nil)
    #expect(AVMetadataItem.keySpace(forIdentifier: AVMetadataIdentifier(rawValue: "nothing")) == nil)
  }

  @Test("Common identifiers find what each format calls its own way")
  func common() {
    let all = [
      item("mdta/com.apple.quicktime.make", "Obscura"), item("udta/\u{A9}mod", "Model 1"),
      item("mdta/com.apple.quicktime.software", "1.0"), item("itsk/\u{A9}des", "A door"),
      item("mdta/com.apple.quicktime.copyright", "Us"), item("mdta/com.apple.quicktime.author", "Ada"),
    ]
    let identifiers: [AVMetadataIdentifier] = [
      .commonIdentifierMake, .commonIdentifierModel, .commonIdentifierSoftware, .commonIdentifierDescription,
      .commonIdentifierCopyrights, .commonIdentifierCreator, .commonIdentifierArtwork,
    ]
    let found = identifiers.map { identifier in
      AVMetadataItem.metadataItems(from: all, filteredByIdentifier: identifier).map { $0.stringValue ?? "" }
    }
    #expect(found == [["Obscura"], ["Model 1"], ["1.0"], ["A door"], ["Us"], ["Ada"], []])
  }
}
