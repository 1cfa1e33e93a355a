public import Foundation

/// A choice of metadata: what may be passed on.
///
/// Immutable, thread-safe. Apple: `AVMetadataItemFilter`.
open class AVMetadataItemFilter: NSObject, @unchecked Sendable {  // Safe: constant after `init`.
  private let isPassing: @Sendable (AVMetadataItem) -> Bool

  private init(_ isPassing: @escaping @Sendable (AVMetadataItem) -> Bool) {
    self.isPassing = isPassing
  }

  /// The filter for what is shared with others: it leaves out what says where and by whom a movie was made.
  ///
  /// What passes is what is needed to play and to sort: titles, dates, descriptions, artists and albums, rights, artwork. Apple:
  /// `AVMetadataItemFilter.forSharing()`.
  open class func forSharing() -> AVMetadataItemFilter {
    AVMetadataItemFilter { item in
      if let key = item.commonKey { return sharedKeys.contains(key) }
      let name = item.identifier?.rawValue ?? ""
      return sharedIdentifiers.contains(name)
    }
  }

  private static let sharedKeys: Set<AVMetadataKey> = [
    .commonKeyTitle, .commonKeySubject, .commonKeyDescription, .commonKeyPublisher, .commonKeyCreationDate,
    .commonKeyLastModifiedDate, .commonKeyType, .commonKeyFormat, .commonKeyLanguage, .commonKeyCopyrights,
    .commonKeyAlbumName, .commonKeyArtist, .commonKeyArtwork,
  ]
  private static let sharedIdentifiers: Set<String> = [
    "mdta/com.apple.quicktime.album", "mdta/com.apple.quicktime.artwork", "mdta/com.apple.quicktime.genre",
    "mdta/com.apple.quicktime.year", "mdta/com.apple.quicktime.content.identifier",
  ]

  func passes(_ item: AVMetadataItem) -> Bool { isPassing(item) }
}

extension AVMetadataItem {
  /// The items that a filter lets pass.
  ///
  /// Apple: `AVMetadataItem.metadataItems(from:filteredBy:)`.
  public class func metadataItems(
    from metadataItems: [AVMetadataItem], filteredBy metadataItemFilter: AVMetadataItemFilter
  ) -> [AVMetadataItem] {
    metadataItems.filter(metadataItemFilter.passes)
  }
}
