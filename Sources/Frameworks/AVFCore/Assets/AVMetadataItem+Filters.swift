internal import Foundation

extension AVMetadataItem {
  /// The items with a key in a key space; `nil` takes any.
  ///
  /// Apple: `AVMetadataItem.metadataItems(from:withKey:keySpace:)`.
  public class func metadataItems(
    from metadataItems: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
  ) -> [AVMetadataItem] {
    let name = (key as? AVMetadataKey)?.rawValue ?? (key as? NSString)?.description ?? key as? String
    return metadataItems.filter { item in
      if keySpace == .common {
        return item.commonKey != nil && (name == nil || item.commonKey?.rawValue == name)
      }
      return (keySpace == nil || item.keySpace == keySpace)
        && (name == nil || (item.key as? NSString)?.description == name)
    }
  }

  /// The items in the languages that a user prefers, the most preferred one first; items without a language are left out.
  ///
  /// Apple: `AVMetadataItem.metadataItems(from:filteredAndSortedAccordingToPreferredLanguages:)`.
  public class func metadataItems(
    from metadataItems: [AVMetadataItem],
    filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
  ) -> [AVMetadataItem] {
    preferredLanguages.flatMap { language in
      metadataItems.filter { item in
        guard let tag = item.extendedLanguageTag else { return false }
        return tag == language || tag.hasPrefix(language + "-")
      }
    }
  }

  /// The identifier of a key in a key space.
  ///
  /// Apple: `AVMetadataItem.identifier(forKey:keySpace:)`.
  public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
    guard let name = (key as? AVMetadataKey)?.rawValue ?? (key as? NSString)?.description ?? key as? String
    else { return nil }
    return AVMetadataIdentifier(rawValue: "\(keySpace == .common ? "common" : keySpace.rawValue)/\(name)")
  }

  /// The key space of an identifier.
  ///
  /// Apple: `AVMetadataItem.keySpace(forIdentifier:)`.
  public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
    guard let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
    let space = String(identifier.rawValue[..<slash])
    return space == "common" ? .common : AVMetadataKeySpace(rawValue: space)
  }

  /// The key of an identifier.
  ///
  /// Apple: `AVMetadataItem.key(forIdentifier:)`.
  public class func key(forIdentifier identifier: AVMetadataIdentifier) -> Any? {
    guard let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
    return String(identifier.rawValue[identifier.rawValue.index(after: slash)...])
  }
}
