internal import CameraTasks
internal import Foundation
internal import Linux
internal import Photos

/// `obscura library import` and `export`.
enum LibraryTransfer {
  /// Each file is a change of its own: one that cannot be read keeps no other from coming in.
  static func takeIn(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard !arguments.operands.isEmpty else {
      throw CommandError(.usage, "no file was named; write 'obscura library import FILE…'.")
    }
    try LibraryAssets.checkLibrary()
    let folders = UserFolders(ProcessInfo.processInfo.environment)
    let options = PHAssetResourceCreationOptions()
    options.shouldMoveFile = arguments.has("move")
    let album = try arguments["album"].map { title in try Self.album(title) }
    let failures = Failures(terminal)
    let paths = arguments.operands.map(folders.expanded)
    let raws = RawPairs.find(amongFiles: paths)
    // All files of one press have the name of its movie; the movie is the photo's.
    let films = LivePairs.find(amongFiles: paths.filter { !raws.values.contains($0) })
    let parts = Set(films.values).union(raws.values)
    for (index, word) in arguments.operands.enumerated() {
      let path = folders.expanded(word)
      // The movie of a Live Photo and the raw picture come in with their photo.
      if parts.contains(path) { continue }
      let progress = Progress(terminal) { "Importing \(path)" }
      defer { progress.end() }
      do {
        let asset = try add(
          URL(fileURLWithPath: path), options, album, film: films[path].map { URL(fileURLWithPath: $0) },
          raw: raws[path].map { URL(fileURLWithPath: $0) })
        if options.shouldMoveFile {
          RawNames.removeFile(behind: word)
          let moved = [films[path], raws[path]].compactMap(\.self)
          for other in arguments.operands where moved.contains(folders.expanded(other)) {
            RawNames.removeFile(behind: other)
          }
        }
        if arguments.has("json") {
          try terminal.answer(json: LibraryAnswer(asset))
        } else {
          try terminal.answer(LibraryAnswer(asset).line)
        }
      } catch let error as PHPhotosError {
        failures.report(error)
        // Nothing more will fit, either.
        guard [.diskFull, .permissionDenied].contains(ExitCode(error.code)) else { continue }
        let rest = arguments.operands[(index + 1)...].filter { !parts.contains(folders.expanded($0)) }
        if !rest.isEmpty { failures.report(untried(rest.count, ExitCode(error.code))) }
        break
      }
    }
    return failures.exitCode ?? .done
  }

  /// Says that files were left where they are.
  private static func untried(_ count: Int, _ code: ExitCode) -> CommandError {
    let what = count == 1 ? "The file after that was" : "The \(count) files after that were"
    return CommandError(code, "\(what) not imported, either; import what is left once that is mended.")
  }

  /// Adds a file as a photo, or as a movie where it is none.
  ///
  /// - Parameters:
  ///   - film: The movie of a Live Photo whose photo the file is.
  ///   - raw: The raw picture of the same press.
  static func add(
    _ file: URL, _ options: PHAssetResourceCreationOptions, _ album: PHAssetCollection?, film: URL? = nil,
    raw: URL? = nil
  ) throws -> PHAsset {
    let type = LibraryFile.type(of: file.path)
    var name = ""
    try PHPhotoLibrary.shared().performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: type, fileURL: file, options: options)
      if let raw { request.addResource(with: .alternatePhoto, fileURL: raw, options: options) }
      if let film { request.addResource(with: .pairedVideo, fileURL: film, options: options) }
      guard let placeholder = request.placeholderForCreatedAsset else { return }
      name = placeholder.localIdentifier
      album.flatMap { PHAssetCollectionChangeRequest(for: $0) }?.addAssets([placeholder])
    }
    guard let asset = PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject else {
      throw CommandError(
        .otherFailure, "\(file.path) was added and is gone again; another program has deleted it.")
    }
    return asset
  }

  /// The album with a title, made where it is missing.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` for what is no title.
  static func album(_ title: String) throws -> PHAssetCollection {
    let isBlank = title.allSatisfy(\.isWhitespace)
    guard !isBlank, title.count <= 255,
      !title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw CommandError(
        .usage,
        "\(Arguments.Bounds.shown(title)) is no title of an album; write 1 to 255 characters on one line.")
    }
    if let album = LibraryAssets.album(title) { return album }
    try PHPhotoLibrary.shared().performChangesAndWait {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
    }
    guard let album = LibraryAssets.album(title) else { throw LibraryListing.noAlbum(title) }
    return album
  }

  // MARK: Export

  static func giveOut(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let names = try LibraryCommand.operands(arguments, "export ID… -o FOLDER")
    let folder = UserFolders(ProcessInfo.processInfo.environment).expanded(arguments["output"] ?? ".")
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandError(
        .otherFailure, "\(folder) is no folder; make it with mkdir, or name another with -o.")
    }
    let failures = Failures(terminal)
    for name in names {
      guard let asset = failures.attempt({ try LibraryAssets.named(name) }) else { continue }
      for resource in chosen(asset, isOriginal: arguments.has("original")) {
        guard let path = failures.attempt({ try resource.export(to: folder) }) else { continue }
        try terminal.answer(path)
      }
    }
    return failures.exitCode ?? .done
  }

  /// The current picture or movie, or the original with what belongs to it.
  private static func chosen(_ asset: PHAsset, isOriginal: Bool) -> [PHAssetResource] {
    let all = PHAssetResource.assetResources(for: asset)
    let originals = all.filter {
      [.photo, .video, .audio, .photoProxy, .pairedVideo, .alternatePhoto].contains($0.type)
    }
    guard !isOriginal else { return originals }
    let current = all.filter { [.fullSizePhoto, .fullSizeVideo].contains($0.type) }
    return current.isEmpty ? originals : current
  }
}
