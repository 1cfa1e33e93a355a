import Foundation
import FoundationExtras
import Linux
import Photos
import Testing

extension PhotosTests {
  /// Tests of changes of the files by other programs, which the library notices by itself.
  @Suite("Upkeep of the library", .serialized)
  struct UpkeepTests {
    final class Watcher: PHPhotoLibraryChangeObserver, @unchecked Sendable {  // Safe: a monitor guards it.
      private let changes = Monitor<[PHChange]>([])

      func photoLibraryDidChange(_ changeInstance: PHChange) {
        changes.withLock { $0.append(changeInstance) }
      }

      /// The first change that says something of `result`, once it has come.
      func details(for result: PHFetchResult<PHAsset>) -> PHFetchResultChangeDetails<PHAsset>? {
        changes.wait(
          until: .now.advanced(bySeconds: 30),
          for: { $0.contains { $0.changeDetails(for: result) != nil } },
          then: { $0.compactMap { $0.changeDetails(for: result) } })?.first
      }
    }

    /// A picture file of some minutes ago.
    private func put(_ path: String, date: String) throws {
      try TestLibrary.jpeg(90, 30, date: date).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.modificationDate: Date() - 500], ofItemAtPath: path)
    }

    @Test func `files that appear, move and vanish while the library is open notify with exact places`()
      throws
    {
      try withLibrary { test in
        DeferredFinishing.isAutomatic = true
        defer { DeferredFinishing.isAutomatic = false }
        let watcher = Watcher()
        test.library.register(watcher)
        try test.add(3)
        let first = test.assets
        #expect(first.count == 3)
        let folder = "\(test.pictures)/Holiday"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try put("\(folder)/beach.jpg", date: "2001:01:01 00:01:30")
        let added = try #require(watcher.details(for: first))
        #expect(added.insertedIndexes == [2] && added.removedIndexes?.isEmpty == true)
        let second = added.fetchResultAfterChanges
        try FileManager.default.moveItem(atPath: "\(folder)/beach.jpg", toPath: "\(test.folder)/.aside")
        let removed = try #require(watcher.details(for: second))
        #expect(removed.removedIndexes == [2] && removed.insertedIndexes?.isEmpty == true)
        let third = removed.fetchResultAfterChanges
        try FileManager.default.moveItem(atPath: "\(test.folder)/.aside", toPath: "\(folder)/beach.jpg")
        let returned = try #require(watcher.details(for: third))
        #expect(returned.insertedIndexes == [2] && returned.insertedObjects.first == second[2])
        test.library.unregisterChangeObserver(watcher)
      }
    }

    @Test func `what happened while the library was closed is noticed when it is opened`() throws {
      try withLibrary { test in
        try test.add(2)
        let known = test.assets
        let file = try #require(test.files().first)
        SharedLibrary.use(nil)
        try FileManager.default.removeItem(atPath: "\(test.pictures)/\(file)")
        try put("\(test.pictures)/found.jpg", date: "2020:02:02 02:02:02")
        DeferredFinishing.isAutomatic = true
        defer { DeferredFinishing.isAutomatic = false }
        SharedLibrary.use(test.store.place)
        let watcher = Watcher()
        test.library.register(watcher)
        let details = try #require(watcher.details(for: known))
        #expect(details.removedIndexes == [0] && details.insertedIndexes == [1])
        test.library.unregisterChangeObserver(watcher)
      }
    }

    @Test func `a file that the library itself keeps or removes is taken for no other program's`() throws {
      try withLibrary { test in
        let names = try test.add(4)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest.deleteAssets([test.assets[0]])
        }
        let report = try Reconciliation(test.store, isFull: true, restSeconds: 0).run()
        #expect(report.appeared.isEmpty && report.vanished.isEmpty && report.moved.isEmpty)
        #expect(report.returned.isEmpty && report.changed.isEmpty)
        #expect(test.assets.count == names.count - 1)
      }
    }

    @Test func `thumbnails go with their assets, and with files that vanish`() throws {
      try withLibrary { test in
        try test.add(2)
        let thumbnails = Thumbnails(test.store.place.thumbnails)
        let paths = test.files().map { "\(test.pictures)/\($0)" }
        for path in paths { #expect(thumbnails.thumbnail(of: path, .normal) != nil) }
        let kept = paths.map { thumbnails.path(of: $0, .normal) }
        #expect(kept.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        try test.library.performChangesAndWait {
          PHAssetChangeRequest.deleteAssets([test.assets[0]])
        }
        #expect(kept.map { FileManager.default.fileExists(atPath: $0) } == [false, true])
        try FileManager.default.removeItem(atPath: paths[1])
        _ = try Reconciliation(test.store, isFull: true, restSeconds: 0).run()
        #expect(!FileManager.default.fileExists(atPath: kept[1]))
      }
    }

    @Test func `changes of long ago are forgotten, and tokens from before then have expired`() throws {
      try withLibrary { test in
        let old = test.library.currentChangeToken
        try test.add(1)
        try test.add(1, from: 5)
        let recent = test.library.currentChangeToken
        try test.add(1, from: 7)
        // Young changes stay, and so do the newest.
        try test.store.pruneHistory()
        try test.store.pruneHistory(before: Date(timeIntervalSinceNow: 100), keeping: 100)
        #expect(Array(try test.library.fetchPersistentChanges(since: old)).count == 3)
        try test.store.pruneHistory(before: Date(timeIntervalSinceNow: 100), keeping: 1)
        let error = #expect(throws: PHPhotosError.self) {
          try test.library.fetchPersistentChanges(since: old)
        }
        #expect(error?.code == .persistentChangeTokenExpired)
        let left = Array(try test.library.fetchPersistentChanges(since: recent))
        #expect(try left.map { try $0.changeDetails(for: .asset).insertedLocalIdentifiers.count } == [1])
        #expect(try test.problems().isEmpty && test.assets.count == 3)
      }
    }
  }
}
