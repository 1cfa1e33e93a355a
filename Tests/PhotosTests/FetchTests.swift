import Foundation
import FoundationExtras
import Photos
import Testing

extension PhotosTests {
  @Suite("Fetching", .serialized)
  struct FetchTests {
    private func fetch(_ predicate: NSPredicate? = nil, sort: [NSSortDescriptor]? = nil, limit: Int = 0)
      -> [String]
    {
      let options = PHFetchOptions()
      options.predicate = predicate
      options.sortDescriptors = sort
      options.fetchLimit = limit
      let found = PHAsset.fetchAssets(with: options)
      return found.objects(at: IndexSet(integersIn: 0..<found.count)).map(\.localIdentifier)
    }

    @Test func `predicates of Apple's programs choose assets`() throws {
      try withLibrary { test in
        let n = try test.add(6)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest(for: test.assets.object(at: 4)).isFavorite = true
        }
        let start = Date(timeIntervalSinceReferenceDate: 60)
        let end = Date(timeIntervalSinceReferenceDate: 240)
        #expect(fetch(NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)) == n)
        #expect(fetch(NSPredicate(format: "mediaType = %d || mediaType = %d", 2, 3)).isEmpty)
        #expect(fetch(NSPredicate(format: "mediaType IN %@", [1, 2])) == n)
        #expect(
          fetch(
            NSPredicate(format: "creationDate > %@ && creationDate < %@", start as NSDate, end as NSDate))
            == [n[2], n[3]])
        #expect(fetch(NSPredicate(format: "creationDate == %@", start as NSDate)) == [n[1]])
        #expect(fetch(NSPredicate(format: "isFavorite == YES")) == [n[4]])
        #expect(fetch(NSPredicate(format: "NOT (favorite = true) AND pixelWidth >= 64")).count == 5)
        #expect(fetch(NSPredicate(format: "(mediaSubtypes & %d) != 0", 4)).isEmpty)
        #expect(fetch(NSPredicate(format: "localIdentifier IN %@", [n[5], n[1]])) == [n[1], n[5]])
        #expect(fetch(NSPredicate(format: "localIdentifier == %@", n[3])) == [n[3]])
        #expect(fetch(NSPredicate(format: "%K BETWEEN {60, 60}", "creationDate")) == [n[1]])
        #expect(fetch(NSPredicate(format: "localIdentifier CONTAINS[c] %@", n[2].lowercased())) == [n[2]])
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
          NSPredicate(format: "creationDate >= %@", start as NSDate),
          NSPredicate(format: "isFavorite == NO"),
        ])
        #expect(fetch(both) == [n[1], n[2], n[3], n[5]])
      }
    }

    @Test func `what cannot be fetched by is a mistake and finds nothing`() throws {
      try withLibrary { test in
        try test.add(1)
        for predicate in [
          NSPredicate(format: "colour == 3"), NSPredicate(block: { _, _ in true }),
        ] {
          var found = 1
          let mistakes = ProgrammingMistake.collect { found = fetch(predicate).count }
          #expect(mistakes.count == 1 && found == 0)
        }
        let mistakes = ProgrammingMistake.collect { _ = NSPredicate(format: "a == ") }
        #expect(mistakes.first?.rule.contains("cannot be read") == true)
      }
    }

    @Test func `assets come in the order of descriptors of keys and of key paths, up to a limit`() throws {
      try withLibrary { test in
        let n = try test.add(5)
        #expect(fetch(sort: [NSSortDescriptor(key: "creationDate", ascending: false)]) == n.reversed())
        #expect(
          fetch(sort: [NSSortDescriptor(keyPath: \PHAsset.creationDate, ascending: false)], limit: 2)
            == [n[4], n[3]])
        #expect(
          fetch(sort: [
            .init(key: "pixelWidth", ascending: true), .init(key: "creationDate", ascending: false),
          ])
            == n.reversed())
        #expect(
          ProgrammingMistake.collect { _ = fetch(sort: [.init(key: "taste", ascending: true)]) }.count == 1)
      }
    }

    @Test func `a result is a list that stays as it was`() throws {
      try withLibrary { test in
        let n = try test.add(200)
        let result = test.assets
        try test.library.performChangesAndWait {
          PHAssetChangeRequest.deleteAssets([result.object(at: 150)])
        }
        #expect(result.count == 200 && test.assets.count == 199)
        #expect(result.firstObject?.localIdentifier == n[0] && result.lastObject?.localIdentifier == n[199])
        #expect(result[70].localIdentifier == n[70])
        #expect(result.index(of: result[70]) == 70 && result.contains(result[3]))
        #expect(result.index(of: result[70], in: NSRange(location: 0, length: 50)) == NSNotFound)
        var seen: [Int] = []
        result.enumerateObjects { asset, index, stop in
          seen.append(index)
          if index == 3 { stop.pointee = true }
        }
        #expect(seen == [0, 1, 2, 3])
        seen = []
        result.enumerateObjects(at: [1, 5], options: .reverse) { _, index, _ in seen.append(index) }
        #expect(seen == [5, 1])
        #expect(result.objects(at: [2, 4]).map(\.localIdentifier) == [n[2], n[4]])
      }
    }

    @Test func `an object that is first read after changes has the values of when it was fetched`() throws {
      try withLibrary { test in
        let n = try test.add(140)
        let (before, again) = (test.assets, test.assets)
        let date = try #require(again[100].creationDate)
        for (isFavorite, moved) in [(true, 1.0), (false, 2), (true, 3)] {
          try test.library.performChangesAndWait {
            for index in [0, 70, 100] {
              let request = PHAssetChangeRequest(for: again[index])
              request.isFavorite = isFavorite
              request.creationDate = date.addingTimeInterval(moved)
            }
          }
        }
        let between = PHAsset.fetchAssets(withLocalIdentifiers: [n[70], n[100]], options: nil)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest(for: again[100]).isHidden = true
          PHAssetChangeRequest.deleteAssets([again[70]] as NSArray)
        }
        for index in [0, 70, 100] {
          let asset = before[index]
          #expect(asset.localIdentifier == n[index] && !asset.isFavorite && !asset.isHidden)
          #expect(asset.creationDate == again[index].creationDate && asset.pixelWidth > 0)
        }
        #expect(between.count == 2)
        for index in 0..<2 {
          #expect(between[index].isFavorite && !between[index].isHidden)
          #expect(between[index].creationDate == date.addingTimeInterval(3))
        }
        #expect(test.assets.count == 138)
        let now = PHAsset.fetchAssets(withLocalIdentifiers: [n[0]], options: nil).firstObject
        #expect(now?.isFavorite == true && now?.creationDate == date.addingTimeInterval(3))
        // What the catalogue has forgotten is as it is now, or has its identifier at least.
        try test.store.pruneHistory(before: .distantFuture, keeping: 0)
        #expect(before[130].localIdentifier == n[130] && !before[130].isFavorite)
      }
    }

    @Test func `albums keep their titles in an old result`() throws {
      try withLibrary { test in
        for title in ["One", "Two"] {
          try test.library.performChangesAndWait {
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
          }
        }
        let before = PHAssetCollection.fetchAssetCollections(
          with: .album, subtype: .albumRegular, options: nil)
        let first = try #require(before.firstObject)
        try test.library.performChangesAndWait {
          PHAssetCollectionChangeRequest(for: first)?.title = "Three"
          PHAssetCollectionChangeRequest.deleteAssetCollections([before[1]] as NSArray)
        }
        #expect((0..<before.count).map { before[$0].localizedTitle } == ["One", "Two"])
      }
    }

    @Test func `assets fetched by name come in the order of the names`() throws {
      try withLibrary { test in
        let n = try test.add(4)
        let found = PHAsset.fetchAssets(withLocalIdentifiers: [n[2], "nothing", n[0], n[3]], options: nil)
        #expect((0..<found.count).map { found[$0].localIdentifier } == [n[2], n[0], n[3]])
        #expect(PHAsset.fetchAssets(withLocalIdentifiers: [], options: nil).count == 0)
      }
    }

    @Test func `of a burst only the photo that stands for it is found, unless all are wanted`() throws {
      try withLibrary { test in
        let file = try TestLibrary.jpeg(40, 30)
        try test.library.performChangesAndWait {
          for index in 0..<3 {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .photo, data: file, options: nil)
            request.creationDate = Date(timeIntervalSinceReferenceDate: Double(index))
            request.burstIdentifier = "B"
          }
        }
        let asset = try test.first()
        #expect(test.assets.count == 1 && asset.representsBurst && asset.burstIdentifier == "B")
        #expect(asset.burstSelectionTypes == .autoPick)
        let options = PHFetchOptions()
        options.includeAllBurstAssets = true
        #expect(PHAsset.fetchAssets(withBurstIdentifier: "B", options: options).count == 3)
        #expect(PHAsset.fetchAssets(withBurstIdentifier: "B", options: nil).count == 1)
      }
    }
  }
}
