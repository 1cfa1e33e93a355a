internal import CameraTasks
internal import Foundation
internal import Photos

/// `obscura library`: lists, adds, gives out and looks after the photos of the library.
enum LibraryCommand: Command {
  static let name = "library"
  static let summary = "lists and looks after the photos and videos of the library"
  static let usage = "list|show|import|export|album|delete|verify|recover|process [WHAT…] [options]"
  static let operandWords = [
    "list", "show", "import", "export", "album", "delete", "verify", "recover", "process",
  ]
  static let options: [Arguments.Option] = [
    .init(
      "album", value: "TITLE",
      help: "with list: those of an album; with import: into it, made where it is missing"),
    .init(
      "type", value: "KIND", choices: LibraryListing.Kind.allCases.map(\.rawValue),
      help: "with list: photo or video"),
    .init("favorites", help: "with list: favourites only"),
    .init("hidden", help: "with list: also what is hidden"),
    .init("limit", value: "N", .wholeNumber(1...1_000_000), help: "with list: so many of the newest"),
    .init("move", help: "with import: move the files instead of copying them"),
    .init("output", "o", value: "FOLDER", help: "with export: where to; the working folder by default"),
    .init("original", help: "with export: as it was taken, without later changes"),
    .init("deep", help: "with verify: read each file, too"),
    .init("forget", help: "with recover: forget the photos whose files are gone"),
  ]

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    var arguments = arguments
    guard let what = arguments.takeOperand() else {
      throw CommandError(
        .usage, "nothing was asked of the library; write 'obscura library list', or see --help.")
    }
    let isJSON = arguments.has("json")
    switch what {
    case "list": return try LibraryListing.list(arguments, terminal)
    case "show": return try LibraryListing.show(try operands(arguments, "show ID…"), terminal, isJSON: isJSON)
    case "import": return try LibraryTransfer.takeIn(arguments, terminal)
    case "export": return try LibraryTransfer.giveOut(arguments, terminal)
    case "album": return try LibraryAlbums.run(&arguments, terminal)
    case "delete": return try delete(try operands(arguments, "delete ID…"), terminal, isJSON: isJSON)
    case "verify": return try LibraryCare.verify(arguments, terminal)
    case "recover": return try LibraryCare.recover(arguments, terminal)
    case "process": return try LibraryCare.process(arguments, terminal)
    default:
      throw CommandError(
        .usage,
        "'\(what)' is nothing that the library does; choose one of \(operandWords.joined(separator: ", ")).")
    }
  }

  /// The operands, of which there must be one.
  static func operands(_ arguments: Arguments, _ form: String) throws(CommandError) -> [String] {
    guard !arguments.operands.isEmpty else {
      throw CommandError(.usage, "no photo was named; write 'obscura library \(form)'.")
    }
    return arguments.operands
  }

  private static func delete(_ names: [String], _ terminal: Terminal, isJSON: Bool) throws -> ExitCode {
    let assets = try names.map { try LibraryAssets.named($0) }
    try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets(assets) }
    for asset in assets {
      if isJSON {
        try terminal.answer(json: LibraryAnswer(asset, isDeleted: true))
      } else {
        try terminal.answer(LibraryAssets.name(asset))
      }
    }
    return .done
  }
}

/// Finds assets by what a user types.
enum LibraryAssets {
  /// The name that is shown, and that is accepted.
  static func name(_ asset: PHAsset) -> String { String(asset.localIdentifier.prefix(36)).lowercased() }

  /// The asset of a name, of its first letters, or the newest one for `newest`.
  /// - Throws: ``CommandError`` when there is none, or are several.
  static func named(_ text: String) throws -> PHAsset {
    let options = PHFetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    if text == "newest" {
      options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
      options.fetchLimit = 1
    } else {
      guard text.count >= 4 else {
        throw CommandError(
          .usage, "'\(text)' is too short for a photo's name; write four letters of it at least.")
      }
      options.predicate = NSPredicate(format: "localIdentifier BEGINSWITH[c] %@", text)
      options.fetchLimit = 2
    }
    try checkLibrary()
    let found = PHAsset.fetchAssets(with: options)
    guard let asset = found.firstObject else {
      throw CommandError(
        .otherFailure, "The library has no photo '\(text)'; 'obscura library list' shows those that it has.")
    }
    guard found.count == 1 else {
      throw CommandError(.usage, "Several photos have names that begin with '\(text)'; write more of it.")
    }
    return asset
  }

  /// - Throws: why the library cannot be opened; fetches only find nothing then.
  static func checkLibrary() throws {
    if let reason = PHPhotoLibrary.shared().unavailabilityReason { throw reason }
    // What other programs did with the files; a library that cannot be written is shown as it was left.
    if let store = try? SharedLibrary.store(), store.isWritable {
      _ = try? Reconciliation(store, isFull: false).run()
    }
  }

  /// - Throws: why nothing can be added to the library.
  static func checkWriting() throws {
    guard PHPhotoLibrary.authorizationStatus(for: .addOnly) != .authorized else { return }
    try checkLibrary()
    throw CommandError(
      .permissionDenied, "The photo library cannot be written; choose another folder with OBSCURA_LIBRARY.")
  }

  /// The album with a title; `nil` when there is none.
  static func album(_ title: String) -> PHAssetCollection? {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "localizedTitle == %@", title)
    return PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options).firstObject
      ?? PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: options)
      .firstObject
  }
}
