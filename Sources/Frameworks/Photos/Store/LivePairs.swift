internal import Foundation

/// Finds which files are the halves of a Live Photo: a picture and the short video of the moments around it.
///
/// By the name that both have inside. Programs that copy or turn pictures often lose it: a picture and a video of the same file name, in one
/// folder and of the same moment, are a pair, too, unless both have names and these differ.
package enum LivePairs {
  /// How far the times of two files may be apart, in seconds, that are a pair by their file names alone.
  private static let mostApart = 3.0
  /// How long a video may be that is one by its file name alone, in seconds.
  private static let longest = 10.0

  /// Why a picture and a video that are to be one Live Photo are none; `nil` when they may be.
  ///
  /// Where one of them has no name, the client that puts them together is believed.
  static func refusal(photo: MediaFacts, film: MediaFacts) -> String? {
    guard let own = photo.contentIdentifier, let other = film.contentIdentifier, own != other else {
      return nil
    }
    return "the picture and the video belong to different Live Photos, \(own) and \(other)"
  }

  /// The path of the video of each picture that has one among the files, by the picture's path.
  static func find(_ files: [(path: String, facts: MediaFacts)]) -> [String: String] {
    var films = files.filter { $0.facts.mediaType == .video }
    var pairs: [String: String] = [:]
    guard !films.isEmpty else { return pairs }
    let photos = files.filter { $0.facts.mediaType == .image }
    for isByName in [true, false] {
      for photo in photos where pairs[photo.path] == nil {
        let index = films.firstIndex { film in
          isByName ? haveSameName(photo.facts, film.facts) : lieTogether(photo, film)
        }
        if let index { pairs[photo.path] = films.remove(at: index).path }
      }
    }
    return pairs
  }

  /// The same of files that are read for it.
  package static func find(amongFiles paths: [String]) -> [String: String] {
    let suffixes = Set(paths.map { ($0 as NSString).pathExtension.lowercased() })
    // Only pictures, or only videos, need not be read twice.
    guard suffixes.count > 1 else { return [:] }
    return find(paths.compactMap { path in MediaFacts(path: path).map { (path, $0) } })
  }

  /// Whether a picture and a video are a pair.
  static func isPair(
    _ photo: (path: String, facts: MediaFacts), _ film: (path: String, facts: MediaFacts)
  ) -> Bool {
    haveSameName(photo.facts, film.facts) || lieTogether(photo, film)
  }

  private static func haveSameName(_ photo: MediaFacts, _ film: MediaFacts) -> Bool {
    photo.contentIdentifier != nil && photo.contentIdentifier == film.contentIdentifier
  }

  private static func lieTogether(
    _ photo: (path: String, facts: MediaFacts), _ film: (path: String, facts: MediaFacts)
  ) -> Bool {
    guard photo.facts.contentIdentifier == nil || film.facts.contentIdentifier == nil,
      film.facts.duration <= longest,
      stem(photo.path).caseInsensitiveCompare(stem(film.path)) == .orderedSame,
      let taken = photo.facts.created, let filmed = film.facts.created
    else { return false }
    return abs(taken.timeIntervalSince(filmed)) <= mostApart
  }

  /// The path without the extension.
  static func stem(_ path: String) -> String { (path as NSString).deletingPathExtension }
}
