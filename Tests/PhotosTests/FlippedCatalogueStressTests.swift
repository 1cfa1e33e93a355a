import Foundation
import Linux
import MovieTools
import Photos
import SeededNumbers
import Testing

extension PhotosTests {
  @Suite("Spoiled bits under stress", .serialized)
  struct FlippedCatalogueStressTests {
    /// A library with something in each table, closed, and its folder.
    private static func make() throws -> String {
      try withLibrary { test in
        let names = try test.add(12)
        let albums = ["Cats", "Dogs", "Birds"]
        try test.library.performChangesAndWait {
          for (index, title) in albums.enumerated() {
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title).addAssets(
              PHAsset.fetchAssets(withLocalIdentifiers: Array(names.dropFirst(index)), options: nil))
          }
        }
        let assets = test.assets
        try test.library.performChangesAndWait {
          for index in [2, 5, 7] {
            let request = PHAssetChangeRequest(for: assets[index])
            request.isFavorite = true
            request.location = CLLocation(latitude: 52.5 + Double(index), longitude: 13.4)
          }
          PHAssetChangeRequest(for: assets[9]).isHidden = true
          PHAssetChangeRequest.deleteAssets([assets[11]])
        }
        try test.store.write { transaction throws(PHPhotosError) in
          try transaction.connection.execute(
            """
            INSERT INTO adjustment SELECT id, 'test.editor', '1.0', x'00112233', 5 FROM asset LIMIT 2;
            INSERT INTO journal SELECT max(id), 'frames-1', 7, 1, 'The disk was full.' FROM asset;
            INSERT INTO discard VALUES('frames-9');
            """)
          transaction.noteOwnChange()
        }
        _ = try Reconciliation(test.store, isFull: true, restSeconds: 0).run()
        SharedLibrary.use(nil)
        try Connection(test.store.place.database, .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let folder = "\(test.folder)-flipped"
        // With the files' times.
        try Program.run("cp", ["-a", test.folder, folder])
        // Small pages without gaps, so that most bits are of something.
        try Connection(LibraryFolders(folder: folder).database, .readWrite).execute(
          "PRAGMA journal_mode=DELETE; PRAGMA page_size=512; VACUUM; PRAGMA journal_mode=WAL; PRAGMA wal_checkpoint(TRUNCATE)"
        )
        return folder
      }
    }

    /// All that the catalogue says; a line for each row.
    private static func rows(_ store: LibraryStore) throws -> [String] {
      try store.read { connection throws(PHPhotosError) in
        var lines: [String] = []
        let tables = try connection.rows(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        ) { $0.text(0) ?? "" }
        for table in tables {
          let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')") {
            $0.text(0) ?? ""
          }
          let text = columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
          lines += try connection.rows("SELECT '\(table) ' || \(text) FROM \(table) NOT INDEXED") {
            $0.text(0) ?? ""
          }
        }
        return lines
      }
    }

    /// The assets and albums that a client of the open library gets.
    private static func seen() -> [String] {
      var lines: [String] = []
      func add(_ what: String, _ assets: PHFetchResult<PHAsset>) {
        lines += (0..<assets.count).map { "\(what) \(assets[$0].localIdentifier)" }
      }
      add("asset", PHAsset.fetchAssets(with: nil))
      let options = PHFetchOptions()
      options.predicate = NSPredicate(format: "isFavorite == YES")
      add("favorite", PHAsset.fetchAssets(with: options))
      let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
      for index in 0..<albums.count {
        add(albums[index].localizedTitle ?? "", PHAsset.fetchAssets(in: albums[index], options: nil))
      }
      let all = PHAsset.fetchAssets(with: nil)
      for index in 0..<all.count {
        let asset = all[index]
        lines.append(
          "\(asset.localIdentifier) \(asset.pixelWidth) \(asset.pixelHeight) \(String(describing: asset.creationDate)) "
            + "\(String(describing: asset.location?.coordinate.latitude)) \(asset.isFavorite) \(asset.mediaType)"
        )
        lines += PHAssetResource.assetResources(for: asset).map {
          "\(asset.localIdentifier) \($0.path ?? "") \($0.originalFilename) \($0.uniformTypeIdentifier)"
        }
      }
      return lines
    }

    /// The outcome of reading a catalogue with a flipped bit.
    private enum Outcome: String {
      /// All its values are the same.
      case same
      /// Checking or opening it reports the damage; recovering it brings back all that a client saw.
      case recovered
      /// As above, but for a value or two.
      case recoveredInPart
      /// As above, but the way to the tables is damaged: it is made anew of the files.
      case madeAnew
      /// It is taken for one of a newer program.
      case refused
      case unnoticed
    }

    private let folder: String
    private let place: LibraryFolders
    private let bytes: Data
    private let expected: (rows: [String], seen: [String])

    init() throws {
      folder = try Self.make()
      place = LibraryFolders(folder: folder)
      bytes = try Data(contentsOf: URL(fileURLWithPath: place.database))
      let store = try LibraryStore(place)
      SharedLibrary.use(store)
      defer { SharedLibrary.use(nil) }
      expected = (try Self.rows(store), Self.seen())
      #expect(try Verification(store, readsFiles: false).run().problems.isEmpty)
    }

    private func outcome(bit: Int) throws -> Outcome {
      let files = FileManager.default
      for name in try files.contentsOfDirectory(atPath: place.catalogue) where name.contains(".sqlite") {
        try files.removeItem(atPath: "\(place.catalogue)/\(name)")
      }
      var spoiled = bytes
      spoiled[bit / 8] ^= 1 << UInt8(bit % 8)
      try spoiled.write(to: URL(fileURLWithPath: place.database))
      do {
        let store = try LibraryStore(place)
        SharedLibrary.use(store)
        let found = try? (Self.rows(store), Self.seen())
        if try Verification(store, readsFiles: false).run().problems.isEmpty {
          return found.map { $0 == expected } ?? false ? .same : .unnoticed
        }
      } catch {
        #expect(error.localizedDescription.hasSuffix("."), "bit \(bit): \(error.localizedDescription)")
        guard error.isDamage else { return .refused }
      }
      SharedLibrary.use(nil)
      let store = try Recovery(place).run(forgetsMissing: false).store
      SharedLibrary.use(store)
      let problems = try Verification(store, readsFiles: false).run().problems
      #expect(problems.isEmpty, "bit \(bit): \(problems.map(\.sentence))")
      let seen = Self.seen()
      if seen == expected.seen { return .recovered }
      #expect(PHAsset.fetchAssets(with: nil).count >= 9, "bit \(bit)")
      return expected.seen.filter { !seen.contains($0) }.count <= 12 ? .recoveredInPart : .madeAnew
    }

    /// 2 000 with `OBSCURA_STRESS=1`; see `FuzzCount`.
    @Test func `a spoiled bit of the catalogue changes nothing, or is told and recovered from`() throws {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var random = SeededGenerator(usual: 31)
      var counts: [Outcome: Int] = [:]
      for _ in 0..<FuzzCount(usual: 20, all: 2000).value {
        let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
        let outcome = try outcome(bit: bit)
        SharedLibrary.use(nil)
        #expect(outcome != .unnoticed, "bit \(bit % 8) of byte \(bit / 8)")
        counts[outcome, default: 0] += 1
      }
      if ProcessInfo.processInfo.environment["OBSCURA_STRESS"] != nil {
        print("spoiled bits: \(counts.map { "\($0.key.rawValue) \($0.value)" }) of \(bytes.count * 8)")
      }
    }

    @Test func `a value that is spoiled in its row or in the index is told, whichever table it is of`() throws
    {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      for text in [
        "Cats", "public.jpeg", "test.editor", "frames-1", "frames-9", "The disk was full.", "2001-01/",
      ] {
        var places: [Int] = []
        var start = bytes.startIndex
        while let found = bytes.range(of: Data(text.utf8), in: start..<bytes.endIndex) {
          places.append(found.lowerBound)
          start = found.upperBound
        }
        #expect(places.count >= 2, "\(text)")
        for at in [places.first, places.last].compactMap({ $0 }) {
          let outcome = try outcome(bit: at * 8)
          SharedLibrary.use(nil)
          #expect(
            [.recovered, .recoveredInPart, .same].contains(outcome), "\(text): \(outcome)")
        }
      }
    }
  }
}
