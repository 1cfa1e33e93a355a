public import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux
package import MediaFiles

/// An item of metadata of a file or a track.
///
/// Immutable, unless it is an ``AVMutableMetadataItem``. Apple: `AVMetadataItem`.
open class AVMetadataItem: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  struct Content {
    var identifier: AVMetadataIdentifier?
    var keySpace: AVMetadataKeySpace?
    var key: (any NSCopying & NSObjectProtocol)?
    var value: (any NSCopying & NSObjectProtocol)?
    var dataType: String?
    var extendedLanguageTag: String?
    var locale: Locale?
    var time = CMTime.invalid
    var duration = CMTime.invalid
    var extraAttributes: [AVMetadataExtraAttributeKey: Any]?
  }

  let content: Locked<Content>

  init(_ content: sending Content) {
    self.content = Locked(content)
  }

  /// An item of a file.
  package convenience init(_ item: MovieMetadata) {
    var content = Content()
    content.keySpace = AVMetadataKeySpace(rawValue: item.keySpace.rawValue)
    content.key = NSString(string: item.key)
    content.identifier = AVMetadataIdentifier(rawValue: "\(item.keySpace.rawValue)/\(item.key)")
    content.extendedLanguageTag = item.language
    switch item.value {
    case .text(let text):
      content.value = NSString(string: text)
      content.dataType = kCMMetadataBaseDataType_UTF8
    case .integer(let number):
      content.value = NSNumber(value: number)
      content.dataType = kCMMetadataBaseDataType_SInt64
    case .number(let number):
      content.value = NSNumber(value: number)
      content.dataType = kCMMetadataBaseDataType_Float64
    case .data(let data):
      content.value = NSData(data: data)
      content.dataType = kCMMetadataBaseDataType_RawData
    }
    self.init(content)
  }

  /// Key space and key in one; `nil` when either is unknown.
  ///
  /// Apple: `AVMetadataItem.identifier`.
  open var identifier: AVMetadataIdentifier? { content.withLock { $0.identifier } }

  /// The key in its key space.
  ///
  /// Apple: `AVMetadataItem.key`.
  open var key: (any NSCopying & NSObjectProtocol)? { content.withLock { $0.key } }

  /// The key space, which gives the key its meaning.
  ///
  /// Apple: `AVMetadataItem.keySpace`.
  open var keySpace: AVMetadataKeySpace? { content.withLock { $0.keySpace } }

  /// The key that several formats share; `nil` when there is none for it.
  ///
  /// Apple: `AVMetadataItem.commonKey`.
  open var commonKey: AVMetadataKey? {
    guard let identifier else { return nil }
    return CommonMetadataKeys.key(for: identifier)
  }

  /// The type of the value's data, such as `com.apple.metadata.datatype.UTF-8`.
  ///
  /// Apple: `AVMetadataItem.dataType`.
  open var dataType: String? { content.withLock { $0.dataType } }

  /// The value: `NSString`, `NSNumber` or `NSData`.
  ///
  /// Apple: `AVMetadataItem.value`.
  open var value: (any NSCopying & NSObjectProtocol)? { content.withLock { $0.value } }

  /// A language by BCP 47.
  ///
  /// Apple: `AVMetadataItem.extendedLanguageTag`.
  open var extendedLanguageTag: String? { content.withLock { $0.extendedLanguageTag } }

  /// The language and region.
  ///
  /// Apple: `AVMetadataItem.locale`.
  open var locale: Locale? { content.withLock { $0.locale } }

  /// When it counts, of timed metadata.
  ///
  /// Apple: `AVMetadataItem.time`.
  open var time: CMTime { content.withLock { $0.time } }

  /// How long it counts, of timed metadata.
  ///
  /// Apple: `AVMetadataItem.duration`.
  open var duration: CMTime { content.withLock { $0.duration } }

  /// Further attributes of the value.
  ///
  /// Apple: `AVMetadataItem.extraAttributes`.
  open var extraAttributes: [AVMetadataExtraAttributeKey: Any]? { content.withLock { $0.extraAttributes } }

  /// The value as text; a number in decimal.
  ///
  /// Apple: `AVMetadataItem.stringValue`.
  open var stringValue: String? {
    switch value {
    case let text as NSString: text.description
    case let number as NSNumber: number.stringValue
    default: nil
    }
  }

  /// The value as a number; a text that is one counts.
  ///
  /// Apple: `AVMetadataItem.numberValue`.
  open var numberValue: NSNumber? {
    switch value {
    case let number as NSNumber: number
    case let text as NSString: Double(text.description).map { NSNumber(value: $0) }
    default: nil
    }
  }

  /// The value as a date; a text by ISO 8601 counts, in local time of then where it has no offset from UTC.
  ///
  /// Apple: `AVMetadataItem.dateValue`.
  open var dateValue: Date? {
    if let date = value as? NSDate {
      return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    }
    return (value as? NSString).flatMap { WrittenDate($0.description)?.date() }
  }

  /// The value as bytes.
  ///
  /// Apple: `AVMetadataItem.dataValue`.
  open var dataValue: Data? {
    switch value {
    case let data as NSData: data.copied
    case let text as NSString: Data(text.description.utf8)
    default: nil
    }
  }

  /// The items with an identifier; one of the common ones finds those of every format.
  ///
  /// Apple: `AVMetadataItem.metadataItems(from:filteredByIdentifier:)`.
  open class func metadataItems(
    from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
  ) -> [AVMetadataItem] {
    metadataItems.filter { item in
      item.identifier == identifier || item.commonKey.map { "common/\($0.rawValue)" } == identifier.rawValue
    }
  }

  /// The item as the writer of a file takes it; `nil` without a key, key space or value that files have.
  package var fileItem: MovieMetadata? {
    var space = keySpace?.rawValue
    var name = (key as? NSString)?.description
    if let identifier, let slash = identifier.rawValue.firstIndex(of: "/") {
      space = String(identifier.rawValue[..<slash])
      name = String(identifier.rawValue[identifier.rawValue.index(after: slash)...])
    }
    if space == "common" || space == AVMetadataKeySpace.common.rawValue, let common = name {
      space = AVMetadataKeySpace.quickTimeMetadata.rawValue
      name = CommonMetadataKeys.quickTimeName(AVMetadataKey(rawValue: common))
    }
    guard let space, let name, let keySpace = MovieMetadata.KeySpace(rawValue: space) else { return nil }
    let found: MovieMetadata.Value
    switch value {
    case let text as NSString: found = .text(text.description)
    case let number as NSNumber:
      let isWhole = number.doubleValue.rounded() == number.doubleValue && abs(number.doubleValue) < 1e15
      found = isWhole ? .integer(number.intValue) : .number(number.doubleValue)
    case let data as NSData: found = .data(data.copied)
    case let date as NSDate:
      let moment = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
      found = .text(WrittenDate.text(of: moment))
    default: return nil
    }
    return MovieMetadata(keySpace: keySpace, key: name, value: found, language: extendedLanguageTag)
  }
}

/// A name of what else is said of a metadata item's value.
///
/// Apple: `AVMetadataExtraAttributeKey`.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: String

  /// The name with Apple's text `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A metadata item that a client fills in.
///
/// Apple: `AVMutableMetadataItem`.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {  // Safe: changes are under a lock.
  /// An empty item.
  public init() {
    super.init(Content())
  }

  /// Key space and key in one; setting it sets both.
  ///
  /// Apple: `AVMutableMetadataItem.identifier`.
  open override var identifier: AVMetadataIdentifier? {
    get { super.identifier }
    set {
      change { content in
        content.identifier = newValue
        guard let newValue, let slash = newValue.rawValue.firstIndex(of: "/") else { return }
        let space = String(newValue.rawValue[..<slash])
        content.keySpace = AVMetadataKeySpace(rawValue: space == "common" ? "comn" : space)
        content.key = NSString(
          string: String(newValue.rawValue[newValue.rawValue.index(after: slash)...]))
      }
    }
  }

  /// The key in its key space.
  ///
  /// Apple: `AVMutableMetadataItem.key`.
  open override var key: (any NSCopying & NSObjectProtocol)? {
    get { super.key }
    set {
      change {
        $0.key = newValue
        $0.identifier = Self.identifier($0)
      }
    }
  }

  /// The key space, which gives the key its meaning.
  ///
  /// Apple: `AVMutableMetadataItem.keySpace`.
  open override var keySpace: AVMetadataKeySpace? {
    get { super.keySpace }
    set {
      change {
        $0.keySpace = newValue
        $0.identifier = Self.identifier($0)
      }
    }
  }

  /// The value: `NSString`, `NSNumber`, `NSData` or `NSDate`.
  ///
  /// Apple: `AVMutableMetadataItem.value`.
  open override var value: (any NSCopying & NSObjectProtocol)? {
    get { super.value }
    set { change { $0.value = newValue } }
  }

  /// The type of the value's data.
  ///
  /// Apple: `AVMutableMetadataItem.dataType`.
  open override var dataType: String? {
    get { super.dataType }
    set { change { $0.dataType = newValue } }
  }

  /// A language by BCP 47.
  ///
  /// Apple: `AVMutableMetadataItem.extendedLanguageTag`.
  open override var extendedLanguageTag: String? {
    get { super.extendedLanguageTag }
    set { change { $0.extendedLanguageTag = newValue } }
  }

  /// The language and region.
  ///
  /// Apple: `AVMutableMetadataItem.locale`.
  open override var locale: Locale? {
    get { super.locale }
    set { change { $0.locale = newValue } }
  }

  /// When it counts.
  ///
  /// Apple: `AVMutableMetadataItem.time`.
  open override var time: CMTime {
    get { super.time }
    set { change { $0.time = newValue } }
  }

  /// How long it counts.
  ///
  /// Apple: `AVMutableMetadataItem.duration`.
  open override var duration: CMTime {
    get { super.duration }
    set { change { $0.duration = newValue } }
  }

  /// Further attributes of the value.
  ///
  /// Apple: `AVMutableMetadataItem.extraAttributes`.
  open override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
    get { super.extraAttributes }
    set { change { $0.extraAttributes = newValue } }
  }

  private static func identifier(_ content: Content) -> AVMetadataIdentifier? {
    guard let space = content.keySpace?.rawValue, let key = (content.key as? NSString)?.description else {
      return nil
    }
    return AVMetadataIdentifier(rawValue: "\(space == "comn" ? "common" : space)/\(key)")
  }

  /// Changes the content; what was there leaves after the lock is left, because it may be a client's.
  private func change(_ body: (inout Content) -> Void) {
    let old = content.withLock { content in
      let old = content
      body(&content)
      return old
    }
    withExtendedLifetime(old) {}
  }
}

/// The keys of several formats that mean the same.
enum CommonMetadataKeys {
  private static let quickTime: [(String, AVMetadataKey)] = [
    ("title", .commonKeyTitle), ("displayname", .commonKeyTitle), ("author", .commonKeyCreator),
    ("artist", .commonKeyCreator), ("description", .commonKeyDescription),
    ("creationdate", .commonKeyCreationDate), ("location.ISO6709", .commonKeyLocation),
    ("make", .commonKeyMake),
    ("model", .commonKeyModel), ("software", .commonKeySoftware), ("copyright", .commonKeyCopyrights),
  ]
  private static let short: [String: AVMetadataKey] = [
    "nam": .commonKeyTitle, "ART": .commonKeyCreator, "aut": .commonKeyCreator, "des": .commonKeyDescription,
    "day": .commonKeyCreationDate, "xyz": .commonKeyLocation, "mak": .commonKeyMake, "mod": .commonKeyModel,
    "swr": .commonKeySoftware, "too": .commonKeySoftware, "cpy": .commonKeyCopyrights,
  ]

  static func key(for identifier: AVMetadataIdentifier) -> AVMetadataKey? {
    guard let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
    let name = String(identifier.rawValue[identifier.rawValue.index(after: slash)...])
    if identifier.rawValue.hasPrefix("common/") { return AVMetadataKey(rawValue: name) }
    if name.hasPrefix("\u{A9}") { return short[String(name.dropFirst())] }
    return quickTime.first { "com.apple.quicktime." + $0.0 == name }?.1
  }

  static func quickTimeName(_ key: AVMetadataKey) -> String? {
    quickTime.first { $0.1 == key }.map { "com.apple.quicktime." + $0.0 }
  }
}
