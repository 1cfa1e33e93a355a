import Foundation
import Linux
import Photos
import SeededNumbers
import Testing

extension PhotosTests {
  @Suite("Libraries of strangers", .serialized)
  struct ForeignLibraryTests {
    /// A library of two photos and an album in a folder of its own, closed.
    static func make() throws -> String {
      try withLibrary { test in
        try test.add(2)
        try test.library.performChangesAndWait {
          PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "All").addAssets(
            test.assets)
        }
        SharedLibrary.use(nil)
        try Connection(test.store.place.database, .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let folder = "\(test.folder)-kept"
        try FileManager.default.copyItem(atPath: test.folder, toPath: folder)
        return folder
      }
    }

    /// Runs a library through everything; says what it touched outside and how it was refused.
    static func run(
      _ spoiling: Spoiling, of folder: String, _ random: inout SeededGenerator
    ) throws {
      let library = try ForeignLibrary(copying: folder) { try spoiling.apply($0, &random) }
      defer { library.close() }
      let refusals = library.useAll()
      #expect(library.touched().isEmpty, "\(spoiling): \(library.touched())")
      for refusal in refusals {
        #expect(refusal.hasSuffix(".") && !refusal.contains("\n"), "\(spoiling): \(refusal)")
      }
    }

    @Test(arguments: Spoiling.allCases)
    func `nothing outside of a library is touched, whatever its catalogue and links say`(spoiling: Spoiling)
      throws
    {
      let folder = try Self.make()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var random = SeededGenerator(usual: 5)
      for _ in 0..<3 { try Self.run(spoiling, of: folder, &random) }
    }

    @Test(arguments: ["asset", "resource", "pending", "folder", "album"])
    func `without a table the library says what to do, and recovering it does`(table: String) throws {
      let folder = try Self.make()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let library = try ForeignLibrary(copying: folder) { place in
        try Connection(place.database, .readWrite).execute("PRAGMA foreign_keys=OFF; DROP TABLE \(table)")
      }
      defer { library.close() }
      let error = #expect(throws: PHPhotosError.self) { try LibraryStore(library.place) }
      #expect(error?.isDamage == true)
      #expect(error?.localizedDescription.contains("'obscura library recover'") == true)
      let found = try Recovery(library.place).run(forgetsMissing: false)
      SharedLibrary.use(found.store)
      #expect(PHAsset.fetchAssets(with: nil).count == 2)
      #expect(try Verification(found.store, readsFiles: true).run().problems.isEmpty)
    }

    @Test func `a file outside of the library is named as such, and forgotten by recovering`() throws {
      let folder = try Self.make()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var random = SeededGenerator(usual: 5)
      let library = try ForeignLibrary(copying: folder) { try Spoiling.resource.apply($0, &random) }
      defer { library.close() }
      let store = try LibraryStore(library.place)
      #expect(try Verification(store, readsFiles: false).run().problems.contains { $0.kind == .foreignPath })
      let recovered = try Recovery(library.place).run(forgetsMissing: false)
      #expect(
        try !Verification(recovered.store, readsFiles: false).run().problems.contains {
          $0.kind == .foreignPath
        })
      #expect(recovered.report.foreign == 1)
    }

    @Test func `what lies behind a folder that became a link is not forgotten by recovering`() throws {
      try withLibrary { test in
        try test.add(2)
        SharedLibrary.use(nil)
        let (folder, aside) = ("\(test.pictures)/2001-01", "\(test.folder)/.aside")
        let files = FileManager.default
        try files.moveItem(atPath: folder, toPath: aside)
        try files.createSymbolicLink(atPath: folder, withDestinationPath: aside)
        let recovered = try Recovery(test.store.place).run(forgetsMissing: false)
        #expect(recovered.report.foreign == 0 && recovered.report.forgotten == 0)
        try files.removeItem(atPath: folder)
        try files.moveItem(atPath: aside, toPath: folder)
        let report = try Reconciliation(recovered.store, isFull: true, restSeconds: 0).run()
        #expect(report.appeared.isEmpty)
        SharedLibrary.use(recovered.store)
        #expect(test.assets.count == 2)
      }
    }

    @Test func `a file that is not UTF-8 is named by its whole path once it has been renamed`() throws {
      try withLibrary { test in
        let folder = "\(test.pictures)/Holiday"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let name = Array("\(folder)/caf".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9)]
        let bytes = name + Array(".jpg".utf8CString)
        try TestLibrary.jpeg(90, 30).write(to: URL(fileURLWithPath: "\(folder)/a.jpg"))
        try #require(rename("\(folder)/a.jpg", bytes) == 0)
        let recovered = try Recovery(test.store.place).run(forgetsMissing: false)
        #expect(recovered.report.renamed == ["Holiday/caf_.jpg"])
      }
    }
  }

  @Suite("Libraries of strangers under stress", .serialized)
  struct ForeignLibraryStressTests {
    /// 2 000 with `OBSCURA_STRESS=1`; see `FuzzCount`.
    @Test func `generated catalogues touch nothing outside, and are mended or refused with one sentence`()
      throws
    {
      let folder = try ForeignLibraryTests.make()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var random = SeededGenerator(usual: 23)
      for _ in 0..<FuzzCount(usual: 20, all: 2000).value {
        let kind = Spoiling.allCases.randomElement(using: &random) ?? .flipped
        try ForeignLibraryTests.run(Bool.random(using: &random) ? kind : .flipped, of: folder, &random)
      }
    }
  }
}
