import CSQLite
import Dispatch
import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Linux
import Photos
import Testing

extension PhotosTests {
  @Suite("The library on disk", .serialized)
  struct StoreTests {
    @Test func `a program is told the folder that its library uses`() throws {
      try withLibrary { test in
        #expect(test.library.picturesFolder.path == test.pictures)
        SharedLibrary.use(LibraryFolders(folder: "/nowhere/library"))
        #expect(test.library.picturesFolder.path == "/nowhere/library")
      }
    }

    @Test func `files that vanish, move, come back and appear are noticed`() throws {
      try withLibrary { test in
        let n = try test.add(3)
        let before = test.files()
        let folder = "\(test.pictures)/2001-01"
        func look() throws -> Reconciliation.Report {
          try Reconciliation(test.store, isFull: false, restSeconds: 0).run()
        }
        _ = try look()
        #expect(try look() == Reconciliation.Report())
        let files = FileManager.default
        try files.moveItem(atPath: "\(test.pictures)/\(before[0])", toPath: "\(test.folder)/.aside")
        try files.moveItem(atPath: "\(test.pictures)/\(before[1])", toPath: "\(folder)/renamed.jpg")
        try TestLibrary.jpeg(90, 30, date: "2020:01:02 03:04:05").write(
          to: URL(fileURLWithPath: "\(folder)/new.jpg"))
        try Data("no picture".utf8).write(to: URL(fileURLWithPath: "\(folder)/no.jpg"))
        let found = try look()
        #expect(found.vanished == [before[0]] && found.moved == ["2001-01/renamed.jpg"])
        #expect(found.appeared == ["2001-01/new.jpg"])
        #expect(test.assets.count == 3 && test.assets.lastObject?.pixelWidth == 90)
        #expect(PHAsset.fetchAssets(withLocalIdentifiers: [n[0]], options: nil).count == 0)
        #expect(try test.problems().contains { $0.kind == .missingFile && $0.path == before[0] })
        try files.moveItem(atPath: "\(test.folder)/.aside", toPath: "\(test.pictures)/\(before[0])")
        #expect(try look().returned == [before[0]])
        #expect(PHAsset.fetchAssets(withLocalIdentifiers: n, options: nil).count == 3)
      }
    }

    @Test func `a file whose path is wrong in the catalogue is found by its size and time`()
      throws
    {
      try withLibrary { test in
        let n = try test.add(2)
        let path = try #require(test.files().first)
        try test.store.write { transaction throws(PHPhotosError) in
          try transaction.connection.execute("UPDATE resource SET path = '3' || substr(path, 2) WHERE id = 1")
          transaction.noteOwnChange()
        }
        let found = try Reconciliation(test.store, isFull: true, restSeconds: 0).run()
        #expect(found.moved == [path] && found.appeared.isEmpty && found.vanished.isEmpty)
        #expect(test.names().sorted() == n.sorted())
        #expect(try test.problems() == [])
      }
    }

    @Test func `a file that another program may still be writing is left for later`() throws {
      try withLibrary { test in
        let path = "\(test.pictures)/growing.jpg"
        try TestLibrary.jpeg().write(to: URL(fileURLWithPath: path))
        #expect(try Reconciliation(test.store, isFull: false, restSeconds: 60).run().appeared.isEmpty)
        try FileManager.default.setAttributes([.modificationDate: Date() - 100], ofItemAtPath: path)
        #expect(
          try Reconciliation(test.store, isFull: false, restSeconds: 60).run().appeared == ["growing.jpg"])
      }
    }

    @Test(arguments: 1..<Schema.version)
    func `a catalogue of an earlier version is brought up to date with all it holds`(version: Int) throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("old-\(UUID().uuidString)")
        .path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let place = LibraryFolders(folder: folder)
      try TestLibrary.makeOldCatalogue(place, version)
      let store = try LibraryStore(place)
      let (found, titles) = try store.read { connection throws(PHPhotosError) in
        (
          try connection.integer("PRAGMA user_version"),
          try connection.rows("SELECT title FROM album") { $0.text(0) }
        )
      }
      #expect(found == Schema.version && titles == ["Old"])
      try store.read { connection throws(PHPhotosError) in
        _ = try connection.integer("SELECT count(failure) FROM journal")
        _ = try connection.integer("SELECT count(*) FROM folder, discard, former")
        #expect(try connection.integer("SELECT width FROM asset NOT INDEXED") == 64)
        #expect(try connection.integer("SELECT width FROM asset INDEXED BY asset_whole") == 64)
      }
      #expect(
        try !Verification(store, readsFiles: false).run().problems.contains { $0.kind == .damagedCatalogue })
    }

    @Test func `a catalogue of a newer program is refused with a sentence`() throws {
      try withLibrary { test in
        try test.store.write { transaction throws(PHPhotosError) in
          transaction.isSilent = true
          transaction.noteOwnChange()
          try transaction.connection.execute("PRAGMA user_version = 99")
        }
        let error = #expect(throws: PHPhotosError.self) { try LibraryStore(test.store.place) }
        #expect(error?.localizedDescription.contains("newer program") == true)
      }
    }

    @Test func `a damaged catalogue is recovered with its albums, favourites and files`() throws {
      try withLibrary { test in
        try test.add(40)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest(for: test.assets[7]).isFavorite = true
          PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Kept").addAssets(
            test.assets)
        }
        try test.store.write { transaction throws(PHPhotosError) in transaction.noteOwnChange() }
        SharedLibrary.use(nil)
        let path = test.store.place.database
        let whole = try Connection(path, .readWrite)
        try whole.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        // The pages of an index are lost, and the rows they lead to stay.
        let root = try #require(
          try whole.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'asset_created'"))
        let size = try #require(try whole.integer("PRAGMA page_size"))
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64((root - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: size))
        try file.close()
        let found = try Recovery(test.store.place).run(forgetsMissing: false)
        SharedLibrary.use(found.store)
        #expect(found.report.setAside != nil && found.report.files.appeared.isEmpty)
        #expect(test.assets.count == 40 && test.assets[7].isFavorite)
        let album = try #require(
          PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).firstObject)
        #expect(album.localizedTitle == "Kept" && album.estimatedAssetCount == 40)
        #expect(try Verification(found.store, readsFiles: true).run().problems.isEmpty)
      }
    }

    @Test func `a catalogue that is no database is made anew from the files`() throws {
      try withLibrary { test in
        try test.add(5)
        SharedLibrary.use(nil)
        for suffix in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: test.store.place.database + suffix)
        }
        try Data("rubbish, not a database at all".utf8).write(
          to: URL(fileURLWithPath: test.store.place.database))
        let error = #expect(throws: PHPhotosError.self) { try LibraryStore(test.store.place) }
        #expect(error?.isDamage == true)
        let found = try Recovery(test.store.place).run(forgetsMissing: false)
        SharedLibrary.use(found.store)
        #expect(test.assets.count == 5)
        #expect(try Verification(found.store, readsFiles: true).run().problems.isEmpty)
      }
    }

    @Test func `thumbnails are those of the freedesktop specification`() throws {
      try withLibrary { test in
        // The example of the specification.
        #expect(MD5.text(of: "file:///home/jens/photos/me.png".utf8) == "c6ee772d9e49320e97ec29a7eb5b1697")
        #expect(MD5.text(of: "".utf8) == "d41d8cd98f00b204e9800998ecf8427e")
        // By md5sum; across the ends of blocks.
        #expect(MD5.text(of: Array(repeating: 0x61, count: 55)) == "ef1772b6dff9a122358552954ad0df65")
        #expect(MD5.text(of: Array(repeating: 0x61, count: 56)) == "3b0c8ac703f828b04c6c197006d17218")
        #expect(MD5.text(of: Array(repeating: 0x61, count: 200)) == "887f30b43b2867f4a9accceee7d16e6c")
        // The checksum of the checksums of 0 to 199 letters.
        let sums = (0..<200).map { MD5.text(of: repeatElement(0x41, count: $0)) }.joined()
        #expect(MD5.text(of: sums.utf8) == "7b5f0f337a5857ba009b739fa6d20e45")
        #expect(Thumbnails.uri("/a b/ü#.jpg") == "file:///a%20b/%C3%BC%23.jpg")
        let path = "\(test.folder)/.picture.jpg"
        try TestLibrary.jpeg(640, 480, orientation: 6).write(to: URL(fileURLWithPath: path))
        let thumbnails = Thumbnails("\(test.folder)/.thumbnails")
        let image = try #require(thumbnails.thumbnail(of: path, .normal))
        #expect(image.width == 96 && image.height == 128)
        let file = thumbnails.path(of: path, .normal)
        #expect(file.hasPrefix("\(test.folder)/.thumbnails/normal/"))
        let text = PNGText.read(try Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(text["Thumb::URI"] == Thumbnails.uri(path) && text["Thumb::MTime"] != nil)
        #expect(thumbnails.kept(of: path, .normal)?.width == 96)
        try FileManager.default.setAttributes([.modificationDate: Date() - 5000], ofItemAtPath: path)
        #expect(thumbnails.kept(of: path, .normal) == nil)
      }
    }

    @Test func `the thumbnails of many assets lie where each one's thumbnail is kept`() throws {
      try withLibrary { test in
        try test.add(3)
        let assets = test.assets.objects(at: IndexSet(integersIn: 0..<3)).reversed() as [PHAsset]
        let thumbnails = Thumbnails(test.store.place.thumbnails)
        let paths = try Thumbnails.paths(of: assets, .large, test.store)
        #expect(paths.count == 3 && Set(paths).count == 3)
        for (asset, path) in zip(assets, paths) {
          let resource = try #require(PHAssetResource.assetResources(for: asset).first)
          let file = try #require(resource.path)
          #expect(path == thumbnails.path(of: file, .large))
          #expect(thumbnails.thumbnail(of: file, .large) != nil)
          #expect(FileManager.default.fileExists(atPath: try #require(path)))
        }
        try test.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([assets[1]]) }
        #expect(try Thumbnails.paths(of: assets, .large, test.store)[1] == nil)
      }
    }

    @Test func `programs that finish a killed one's work at once give each file its one name`() throws {
      try withLibrary { test in
        try test.add(30)
        let place = test.store.place
        let staging = "\(place.pictures)/.staging/1-dead"
        for _ in 0..<10 {
          // As if a program had been killed between its commit and the naming of its files.
          try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
          let paths = try test.store.read { connection throws(PHPhotosError) in
            try connection.rows("SELECT path FROM resource ORDER BY id") { $0.text(0) ?? "" }
          }
          try test.store.write { transaction throws(PHPhotosError) in
            try transaction.connection.execute(
              "INSERT INTO pending(staged, path) SELECT '.staging/1-dead/' || id, path FROM resource")
            for (index, path) in paths.enumerated() {
              #expect(rename("\(place.pictures)/\(path)", "\(staging)/\(index + 1)") == 0)
            }
            transaction.isSilent = true
            transaction.noteOwnChange()
          }
          DispatchQueue.concurrentPerform(iterations: 4) { _ in
            #expect(throws: Never.self) { try LibraryStore(place) }
          }
          #expect(try test.problems() == [] && test.files() == paths.sorted())
        }
      }
    }

    @Test func `a full disk and a folder that cannot be written are errors that lose nothing`() throws {
      try withLibrary { test in
        try test.add(1)
        let full = PHPhotosError(SystemError("write a", errno: 28))
        #expect(full.code == .notEnoughSpace)
        #expect(PHPhotosError(sqlite: SQLITE_FULL, nil).code == .notEnoughSpace)
        #expect(PHPhotosError(sqlite: SQLITE_READONLY, nil).code == .accessRestricted)
      }
    }
  }
}
