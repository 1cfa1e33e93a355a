import Foundation
import FoundationExtras
import Linux
import Photos
import SeededNumbers
import Testing

extension PhotosTests {
  @Suite("Observers of the library", .serialized)
  struct ObserverTests {
    final class Grid: PHPhotoLibraryChangeObserver, @unchecked Sendable {  // Safe: a monitor guards it.
      let changes = Monitor<[PHChange]>([])

      func photoLibraryDidChange(_ changeInstance: PHChange) {
        changes.withLock { $0.append(changeInstance) }
      }

      /// The change number `count`, once it has come.
      func wait(for count: Int) -> PHChange? {
        changes.wait(
          until: .now.advanced(bySeconds: 30), for: { $0.count >= count }, then: { $0[count - 1] })
      }
    }

    @Test func `an observer gets the exact places of what is new, gone and changed`() throws {
      try withLibrary { test in
        try test.add(10)
        // What was reported before is not this observer's.
        test.library.observers.queue.sync {}
        let before = test.assets
        let grid = Grid()
        test.library.register(grid)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest.deleteAssets([before[2], before[7]])
          PHAssetChangeRequest(for: before[5]).isFavorite = true
        }
        // Two changes that are made before the first is looked for are one to the observers.
        _ = try #require(grid.wait(for: 1))
        try test.add(1, from: 3)
        let change = try #require(grid.wait(for: 2))
        let details = try #require(change.changeDetails(for: before))
        #expect(details.hasIncrementalChanges && !details.hasMoves)
        #expect(details.removedIndexes == [2, 7] && details.removedObjects.map(\.row.key) == [3, 8])
        // Behind the fourth one, which is as old.
        #expect(details.insertedIndexes == [3] && details.insertedObjects.count == 1)
        #expect(details.changedIndexes == [5] && details.changedObjects.first?.isFavorite == true)
        #expect(details.fetchResultBeforeChanges === before && details.fetchResultAfterChanges.count == 9)
        #expect(change.changeDetails(for: details.fetchResultAfterChanges) == nil)
        let object = try #require(change.changeDetails(for: before[5]))
        #expect(
          object.objectAfterChanges?.isFavorite == true && !object.assetContentChanged
            && !object.objectWasDeleted)
        #expect(change.changeDetails(for: before[2])?.objectWasDeleted == true)
        #expect(change.changeDetails(for: before[0]) == nil)
        test.library.unregisterChangeObserver(grid)
        try test.add(1, from: 50)
        test.library.observers.queue.sync {}
        #expect(grid.changes.withLock { $0.count } == 2)
      }
    }

    @Test func `observers are not notified of transactions on internal tables`() throws {
      try withLibrary { test in
        try test.add(1)
        test.library.observers.queue.sync {}
        let grid = Grid()
        test.library.register(grid)
        try test.store.write { transaction throws(PHPhotosError) in
          transaction.isSilent = true
          transaction.noteOwnChange()
        }
        // As after a late inotify event for an earlier change.
        test.library.observers.lookSoon()
        test.library.observers.queue.sync {}
        #expect(grid.changes.withLock { $0.isEmpty })
        try test.add(1, from: 5)
        #expect(grid.wait(for: 1) != nil)
      }
    }

    @Test func `moves are the fewest that lead from one order to the other`() throws {
      try withLibrary { test in
        try test.add(6)
        try test.library.performChangesAndWait {
          PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A").addAssets(
            test.assets)
        }
        let album = try #require(
          PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).firstObject)
        let before = PHAsset.fetchAssets(in: album, options: nil)
        let grid = Grid()
        test.library.register(grid)
        try test.library.performChangesAndWait {
          PHAssetCollectionChangeRequest(for: album)?.moveAssets(at: [4], to: 1)
        }
        let change = try #require(grid.wait(for: 1))
        let details = try #require(change.changeDetails(for: before))
        var moves: [[Int]] = []
        details.enumerateMoves { moves.append([$0, $1]) }
        #expect(details.hasMoves && moves == [[4, 1]])
        let again = PHFetchResultChangeDetails(
          from: before, to: details.fetchResultAfterChanges, changedObjects: [before[0]])
        #expect(again.changedIndexes == [0] && again.removedIndexes?.isEmpty == true)
      }
    }

    @Test func `removals, insertions and moves of any two lists lead from one to the other`() {
      var numbers = SeededGenerator(usual: 300)
      for _ in 0..<300 {
        let before = (0..<Int.random(in: 0...30, using: &numbers)).shuffled(using: &numbers)
        let after = Array((5..<Int.random(in: 5...35, using: &numbers)).shuffled(using: &numbers))
        let difference = KeyDifference(before, after, changed: [])
        var list: [Int?] = [Int?](repeating: nil, count: after.count)
        for index in difference.inserted { list[index] = after[index] }
        for move in difference.moves { list[move.to] = before[move.from] }
        let moved = Set(difference.moves.map(\.from))
        var staying = before.indices.filter { !difference.removed.contains($0) && !moved.contains($0) }[...]
        for index in list.indices where list[index] == nil {
          list[index] = staying.popFirst().map { before[$0] }
        }
        #expect(list == after.map { $0 } && staying.isEmpty, "seed \(numbers.seed)")
      }
    }

    @Test func `another process's changes are noticed`() throws {
      try withLibrary { test in
        let grid = Grid()
        test.library.register(grid)
        let before = test.assets
        // A second store is to the first what another process is: they share the files alone.
        let other = try LibraryStore(test.store.place)
        let file = try TestLibrary.jpeg()
        try ChangeBlock.perform(
          { PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil) }, other)
        let change = try #require(grid.wait(for: 1))
        let details = try #require(change.changeDetails(for: before))
        #expect(details.insertedIndexes == [0])
      }
    }

    @Test func `changes since a token come by their kinds`() throws {
      try withLibrary { test in
        let token = test.library.currentChangeToken
        let names = try test.add(3)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest.deleteAssets([test.assets[0]])
          PHAssetChangeRequest(for: test.assets[1]).isFavorite = true
          PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        }
        let changes = Array(try test.library.fetchPersistentChanges(since: token))
        #expect(changes.count == 2 && changes.last?.changeToken == test.library.currentChangeToken)
        let first = try #require(changes.first).changeDetails(for: .asset)
        // One of the three is gone for good.
        #expect(first.insertedLocalIdentifiers == Set(names.dropFirst()) && first.objectType == .asset)
        let second = try #require(changes.last).changeDetails(for: .asset)
        #expect(
          second.deletedLocalIdentifiers == [names[0]] && second.updatedLocalIdentifiers == [names[1]])
        #expect(
          try #require(changes.last).changeDetails(for: .assetCollection).insertedLocalIdentifiers.count
            == 1)
        let archive = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(
          ofClass: PHPersistentChangeToken.self, from: archive)
        #expect(read == token)
        #expect(throws: PHPhotosError.self) {
          try test.library.fetchPersistentChanges(since: PHPersistentChangeToken(1_000_000))
        }
      }
    }
  }
}
