import Foundation
import FoundationExtras
import Linux
import PhotoProcessing
import Photos

/// One change of a photo library in the folder `library`, and a look at it.
struct LibraryWork {
  private let stage: Stage
  private let place: LibraryFolders

  init(_ stage: Stage) {
    self.stage = stage
    place = LibraryFolders(folder: "\(stage.folder)/library")
    DeferredFinishing.isAutomatic = false
  }

  func perform(_ operation: String) throws {
    switch operation {
    case "prepare": return try prepare()
    case "check":
      stage.begin()
      return try check()
    case "make":
      stage.begin()
      try open()
    default:
      try open()
      try change(operation)
    }
    stage.say("done \(operation)")
  }

  private func open() throws { SharedLibrary.use(try LibraryStore(place)) }

  private var store: LibraryStore { get throws { try SharedLibrary.store() } }

  private static let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private func prepare() throws {
    try open()
    for shade in 1...3 {
      try add(.photo) { $0.addResource(with: .photo, data: try Stage.picture(shade), options: nil) }
    }
    try edit(PHAsset.fetchAssets(with: nil)[0], shade: 9)
    let all = PHAsset.fetchAssets(with: nil)
    try PHPhotoLibrary.shared().performChangesAndWait {
      let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Trip")
      request.addAssets([all[0], all[1]])
    }
    try deferPhoto(shade: 40)
    try FileManager.default.createDirectory(
      atPath: "\(stage.folder)/incoming", withIntermediateDirectories: true)
    try Stage.picture(70).write(to: URL(fileURLWithPath: "\(stage.folder)/incoming/new.jpg"))
    stage.say("done prepare")
  }

  private func add(_ type: PHAssetResourceType, _ fill: (PHAssetCreationRequest) throws -> Void) throws {
    var failure: (any Error)?
    try PHPhotoLibrary.shared().performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.creationDate = Self.date
      do { try fill(request) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func edit(_ asset: PHAsset, shade: Int) throws {
    let found = Locked<PHContentEditingInput?>(nil)
    let done = DispatchSemaphore(value: 0)
    asset.requestContentEditingInput(with: nil) { input, _ in
      found.withLock { $0 = input }
      done.signal()
    }
    done.wait()
    guard let input = found.withLock({ $0 }) else { throw PHPhotosError(.missingResource) }
    let output = PHContentEditingOutput(contentEditingInput: input)
    try Stage.picture(shade).write(to: output.renderedContentURL)
    try PHPhotoLibrary.shared().performChangesAndWait {
      PHAssetChangeRequest(for: asset).contentEditingOutput = output
    }
  }

  private func deferPhoto(shade: Int) throws {
    let frame = try Stage.frame(shade)
    let request = Stage.request(frame)
    let identifier = PhotoProxy.newIdentifier()
    try DeferredPhotoStore(folder: place.deferredPhotos).save([frame], for: request, as: identifier)
    let proxy = try PhotoProcessor().process([frame], for: request.proxy(identifier)).file
    try add(.photoProxy) { $0.addResource(with: .photoProxy, data: proxy ?? Data(), options: nil) }
  }

  private func change(_ operation: String) throws {
    let assets = PHAsset.fetchAssets(with: nil)
    let incoming = URL(fileURLWithPath: "\(stage.folder)/incoming/new.jpg")
    switch operation {
    case "add":
      let picture = try Stage.picture(50)
      stage.begin()
      try add(.photo) { $0.addResource(with: .photo, data: picture, options: nil) }
    case "import", "move":
      stage.begin()
      try add(.photo) { request in
        let options = PHAssetResourceCreationOptions()
        options.shouldMoveFile = operation == "move"
        request.addResource(with: .photo, fileURL: incoming, options: options)
      }
    case "edit":
      stage.begin()
      try edit(assets[1], shade: 60)
    case "delete":
      stage.begin()
      try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets([assets[0]]) }
    case "albums":
      let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
      guard let album = albums.firstObject else { throw PHPhotosError(.missingResource) }
      stage.begin()
      try PHPhotoLibrary.shared().performChangesAndWait {
        PHAssetCollectionChangeRequest(for: album)?.removeAssets([assets[0]])
        PHAssetCollectionChangeRequest(for: album)?.title = "Journey"
        PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Home")
          .addAssets([assets[2]])
      }
    case "defer":
      stage.begin()
      try deferPhoto(shade: 80)
    case "finish":
      guard let finisher = DeferredFinishing.finisher, let entry = try ProxyJournal.entries(store).first
      else { throw PHPhotosError(.missingResource) }
      stage.begin()
      guard try ProxyJournal(store, finisher).finish(entry.asset) == .finished else {
        throw PHPhotosError(.missingResource)
      }
    default: throw PHPhotosError(.invalidResource)
    }
  }

  // MARK: Looking

  /// Opens the library, which finishes what was begun, and says all that is in it, without names that differ from run to run.
  private func check() throws {
    try open()
    let store = try store
    for problem in try Verification(store, readsFiles: true).run().problems {
      stage.say("problem \(problem.sentence)")
    }
    let assets = PHAsset.fetchAssets(with: nil)
    var lines: [String] = []
    for asset in (0..<assets.count).map({ assets[$0] }) {
      let kinds = PHAssetResource.assetResources(for: asset).map { "\($0.type.rawValue)" }.sorted()
      let kind = kinds.joined(separator: "+")
      lines.append("asset \(asset.pixelWidth)x\(asset.pixelHeight) \(asset.hasAdjustments) \(kind)")
    }
    let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
    for album in (0..<albums.count).map({ albums[$0] }) {
      let count = PHAsset.fetchAssets(in: album, options: nil).count
      lines.append("album \(album.localizedTitle ?? "") \(count)")
    }
    // What is done in the background after a start, when processors rest.
    if let finisher = DeferredFinishing.finisher { try ProxyJournal(store, finisher).discardUnneeded() }
    for name in names(place.pictures) where !name.contains("/.") && !name.hasPrefix(".") {
      if "\(place.pictures)/\(name)".hasPrefix(place.deferredPhotos) { continue }
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: "\(place.pictures)/\(name)")) else {
        continue
      }
      // A proxy has the name of its frames in it, which is another in each run.
      let isProxy = DeferredPhotoStore.identifier(inProxy: data) != nil
      lines.append(isProxy ? "proxy" : "file \(data.count) \(Self.digest(data))")
    }
    let waiting = try ProxyJournal.entries(store).count
    lines.append("waiting \(waiting)")
    let frames = DeferredPhotoStore(folder: place.deferredPhotos).entries().count
    // Frames are stored before the photo that waits for them; those of no photo are the only ones that may be too many.
    if frames < waiting { stage.say("problem frames are lost") }
    for line in lines.sorted() { stage.say("state \(line)") }
    for name in names(place.pictures) where name.contains(".staging/") && !name.hasSuffix("/lock") {
      var isFolder = ObjCBool(false)
      _ = FileManager.default.fileExists(atPath: "\(place.pictures)/\(name)", isDirectory: &isFolder)
      if !isFolder.boolValue { stage.say("problem \(name) is left") }
    }
    if FileManager.default.fileExists(atPath: "\(stage.folder)/incoming/new.jpg") {
      stage.say("incoming")
    }
    stage.say("done check")
  }

  private func names(_ folder: String) -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  }

  private static func digest(_ data: Data) -> String {
    let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
