internal import Foundation
public import FoundationExtras
package import StillCodecs

/// What Apple's cameras write into a picture's maker note: a dictionary in a picture's properties, by the tags' numbers as text.
///
/// The text under "17" names both halves of a Live Photo. A picture that is written gets the dictionary's entries into the maker note
/// that it has; values are numbers, text and data.
public let kCGImagePropertyMakerAppleDictionary: CFString = "{MakerApple}"

extension AppleMakerNote {
  /// The note as a dictionary of properties.
  var properties: CFDictionary {
    var result: CFDictionary = [:]
    for tag in tags {
      switch self[tag] {
      case .integer(let number)?: result[String(tag)] = number
      case .number(let number)?: result[String(tag)] = number
      case .text(let text)?: result[String(tag)] = text
      case .data(let bytes)?: result[String(tag)] = Data(bytes)
      case nil: break
      }
    }
    return result
  }

  /// Takes over the entries of a dictionary of properties; `kCFNull` removes one.
  package mutating func set(_ properties: CFDictionary) {
    for (key, value) in properties {
      guard let tag = UInt16(key) else { continue }
      if value is NSNull {
        self[tag] = nil
      } else if let text = value as? String {
        self[tag] = .text(text)
      } else if let data = value as? Data {
        self[tag] = .data(Array(data))
      } else if let number = LooseNumber.double(value) {
        let whole = LooseNumber.integer(value).flatMap { Double($0) == number ? $0 : nil }
        self[tag] = whole.map { .integer($0) } ?? .number(number)
      }
    }
  }
}

extension ExifBlock {
  private static let makerNote = ExifTag(.exif, 0x927C)

  /// The bytes of the maker note.
  private var makerNote: [UInt8]? {
    switch self[Self.makerNote] {
    case .undefined(let bytes)?, .bytes(let bytes)?: bytes
    default: nil
    }
  }

  /// The maker note, where it is Apple's.
  var appleMakerNote: AppleMakerNote? { makerNote.flatMap { AppleMakerNote($0) } }

  /// Keeps the name that the photo of a Live Photo shares with its movie, where another block of tags takes the place of the file's.
  ///
  /// Unless that block has its own, or a note of another maker.
  package mutating func keepContentIdentifier(of former: ExifBlock?) {
    guard let identifier = former?.appleMakerNote?[AppleMakerNote.contentIdentifier] else { return }
    guard var note = makerNote == nil ? AppleMakerNote() : appleMakerNote,
      note[AppleMakerNote.contentIdentifier] == nil
    else { return }
    note[AppleMakerNote.contentIdentifier] = identifier
    self[Self.makerNote] = .undefined(note.bytes)
  }

  /// Takes over what properties say of Apple's maker note.
  mutating func setAppleMakerNote(_ properties: CFDictionary) {
    let value = properties[kCGImagePropertyMakerAppleDictionary]
    if value is NSNull, appleMakerNote != nil { self[Self.makerNote] = nil }
    guard let values = value as? CFDictionary else { return }
    let former = appleMakerNote
    var note = former ?? AppleMakerNote()
    note.set(values)
    if note != former { self[Self.makerNote] = .undefined(note.bytes) }
  }
}
