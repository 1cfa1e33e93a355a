internal import Foundation

/// Finds which raw files belong to a picture of the same press: both have one name in one folder, and, where both say when they were taken,
/// one moment.
package enum RawPairs {
  /// How far the times of two files may be apart, in seconds: programs round them.
  private static let mostApart = 2.0
  static let rawType = "com.adobe.raw-image"

  /// The path of the raw file of each picture that has one among the files, by the picture's path.
  static func find(_ files: [(path: String, facts: MediaFacts)]) -> [String: String] {
    var raws = Dictionary(
      files.filter { $0.facts.typeIdentifier == rawType }.map { (LivePairs.stem($0.path).lowercased(), $0) }
    ) { first, _ in first }
    var pairs: [String: String] = [:]
    for photo in files where isPhoto(photo.facts) {
      let stem = LivePairs.stem(photo.path).lowercased()
      guard let raw = raws[stem], isPair(photo, raw) else { continue }
      raws[stem] = nil
      pairs[photo.path] = raw.path
    }
    return pairs
  }

  /// The same of files that are read for it.
  package static func find(amongFiles paths: [String]) -> [String: String] {
    func isRaw(_ path: String) -> Bool { (path as NSString).pathExtension.lowercased() == "dng" }
    let stems = Set(paths.filter(isRaw).map { LivePairs.stem($0).lowercased() })
    guard !stems.isEmpty else { return [:] }
    return find(
      paths.filter { stems.contains(LivePairs.stem($0).lowercased()) }.compactMap { path in
        MediaFacts(path: path).map { (path, $0) }
      })
  }

  /// Whether a picture and a raw file are a pair.
  static func isPair(_ photo: (path: String, facts: MediaFacts), _ raw: (path: String, facts: MediaFacts))
    -> Bool
  {
    guard isPhoto(photo.facts), raw.facts.typeIdentifier == rawType,
      LivePairs.stem(photo.path).caseInsensitiveCompare(LivePairs.stem(raw.path)) == .orderedSame
    else { return false }
    guard let taken = photo.facts.created, let counted = raw.facts.created else { return true }
    return abs(taken.timeIntervalSince(counted)) <= mostApart
  }

  private static func isPhoto(_ facts: MediaFacts) -> Bool {
    facts.mediaType == .image && facts.typeIdentifier != rawType
  }
}
