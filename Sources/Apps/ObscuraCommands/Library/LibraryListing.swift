internal import Foundation
internal import Photos

/// `obscura library list` and `show`.
enum LibraryListing {
  enum Kind: String, CaseIterable {
    case photo, video
  }

  /// The newest first.
  static func list(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    if let word = arguments.operands.first {
      throw CommandError(
        .usage, "'\(word)' is one word too many; 'obscura library show \(word)' shows one photo.")
    }
    try LibraryAssets.checkLibrary()
    let options = PHFetchOptions()
    options.includeHiddenAssets = arguments.has("hidden")
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.fetchLimit = arguments.wholeNumber("limit") ?? 0
    var conditions: [NSPredicate] = []
    if let kind = try arguments.choice("type", of: Kind.self) {
      let type: PHAssetMediaType = kind == .photo ? .image : .video
      conditions.append(NSPredicate(format: "mediaType == %d", type.rawValue))
    }
    if arguments.has("favorites") { conditions.append(NSPredicate(format: "isFavorite == YES")) }
    if !conditions.isEmpty {
      options.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
    }
    let found: PHFetchResult<PHAsset>
    if let title = arguments["album"] {
      guard let album = LibraryAssets.album(title) else { throw noAlbum(title) }
      found = PHAsset.fetchAssets(in: album, options: options)
    } else {
      found = PHAsset.fetchAssets(with: options)
    }
    for index in 0..<found.count {
      let answer = LibraryAnswer(found[index])
      if arguments.has("json") { try terminal.answer(json: answer) } else { try terminal.answer(answer.line) }
    }
    return .done
  }

  static func noAlbum(_ title: String) -> CommandError {
    CommandError(.otherFailure, "The library has no album '\(title)'; 'obscura library album' lists them.")
  }

  static func show(_ names: [String], _ terminal: Terminal, isJSON: Bool) throws -> ExitCode {
    let failures = Failures(terminal)
    for name in names {
      guard let asset = failures.attempt({ try LibraryAssets.named(name) }) else { continue }
      let answer = LibraryAnswer(asset)
      guard !isJSON else {
        try terminal.answer(json: answer)
        continue
      }
      try terminal.answer(answer.identifier)
      try terminal.answer(
        "  \(answer.kind), \(answer.width)×\(answer.height), \(answer.created ?? "no date")")
      if let place = answer.place { try terminal.answer("  at \(place.latitude), \(place.longitude)") }
      for file in answer.files {
        try terminal.answer(
          "  \(file.type): \(file.path ?? file.name)\(file.bytes.map { ", \($0) bytes" } ?? "")")
      }
    }
    return failures.exitCode ?? .done
  }
}
