import Foundation
import Photos
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  /// Lets a test's library report until it is so.
  private func wait(_ shop: Workshop, _ isSo: (LibraryState) -> Bool) async -> Bool {
    await shop.run { _ in isSo(shop.model.library.state.value) }
  }

  private static let noon = Date(timeIntervalSince1970: 1_790_000_000)

  @Test func `a photo goes into the library and is its newest`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    try await shop.start()
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    guard case .asset(let name)? = shop.state.lastPhoto?.place else {
      Issue.record("the photo is no asset: \(shop.notices)")
      return
    }
    let asset = try #require(LibraryAccess.asset(name))
    // The date is that of the clock which the model was given, and not the machine's.
    let date = try #require(asset.creationDate)
    #expect(asset.pixelWidth == 1280 && abs(date.timeIntervalSince(shop.time.date)) < 1)
    #expect(shop.model.photoFolder.all().isEmpty && shop.notices.isEmpty)
    #expect(await wait(shop) { $0.count == 1 })
    let url = try #require(await shop.model.library.urls([name]).first)
    #expect(url.path.hasPrefix(TestLibrary.folder) && url.pathExtension == "jpg")
  }

  @Test func `a movie moves into the library when it is whole`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    try await shop.start()
    shop.model.setMode(.video)
    await shop.advance(0.1)
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .recording })
    await shop.advance(0.6)
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .idle && $0.lastPhoto != nil })
    #expect(shop.model.photoFolder.all().isEmpty && shop.notices.isEmpty)
    let film = try #require(PHAsset.fetchAssets(with: .video, options: nil).firstObject)
    #expect(film.duration > 0.4)
    #expect(await wait(shop) { $0.count == 1 && $0.albums.map(\.kind) == [.all, .videos] })
  }

  @Test func `what the library refuses is kept as a file, and goes in when it can`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    // A file lies where the library puts photos that it takes in.
    let staging = TestLibrary.folder + "/.staging"
    try FileManager.default.moveItem(atPath: staging, toPath: staging + "-aside")
    try Data([1]).write(to: URL(fileURLWithPath: staging))
    try await shop.start()
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    try FileManager.default.removeItem(atPath: staging)
    try FileManager.default.moveItem(atPath: staging + "-aside", toPath: staging)
    guard case .keptAsFile? = shop.notices.first, let url = shop.state.lastPhoto?.url else {
      Issue.record("nothing was said: \(shop.notices)")
      return
    }
    #expect(shop.model.photoFolder.photos() == [url])
    #expect(PHAsset.fetchAssets(with: nil).count == 0)
    shop.model.keeper.adoptLeftovers()
    #expect(shop.model.photoFolder.photos().isEmpty)
    #expect(PHAsset.fetchAssets(with: nil).count == 1)
  }

  @Test func `days are those of the dates, and a change of the library comes by itself`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    let days = [0.0, 60, -86_400, -86_460, -864_000]
    let names = try TestLibrary.add(days.map { Self.noon.addingTimeInterval($0) })
    shop.model.library.open()
    #expect(await wait(shop) { $0.count == 5 })
    #expect(shop.model.library.state.value.days.days.map(\.places.count) == [2, 2, 1])
    #expect(shop.model.library.item(at: 0)?.id == names[1])
    #expect(shop.model.library.place(of: names[4]) == 4)
    try TestLibrary.add([Self.noon.addingTimeInterval(-86_430)])
    #expect(await wait(shop) { $0.count == 6 })
    #expect(shop.model.library.state.value.days.days.map(\.places.count) == [2, 3, 1])
    #expect(shop.model.library.item(at: 3)?.date == Self.noon.addingTimeInterval(-86_430))
  }

  @Test
  func
    `what is deleted is gone from the screen at once, from the disk later, and can be had back until then`()
    async throws
  {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    let names = try TestLibrary.add((0..<4).map { Self.noon.addingTimeInterval(-Double($0) * 60) })
    let library = shop.model.library
    library.open()
    #expect(await wait(shop) { $0.count == 4 })
    library.delete([names[1], names[2]])
    #expect(await wait(shop) { $0.count == 2 })
    #expect(library.item(at: 1)?.id == names[3] && library.place(of: names[1]) == nil)
    #expect(PHAsset.fetchAssets(with: nil).count == 4 && shop.notices == [.deleted(count: 2)])
    library.undoDelete()
    #expect(await wait(shop) { $0.count == 4 })
    shop.time.advance(by: LibraryModel.undoSeconds + 1)
    #expect(PHAsset.fetchAssets(with: nil).count == 4)
    library.delete([names[0]])
    shop.time.advance(by: LibraryModel.undoSeconds + 1)
    #expect(await shop.run { _ in PHAsset.fetchAssets(with: nil).count == 3 })
    #expect(await wait(shop) { $0.count == 3 })
    library.delete([names[1]])
    library.finishDeletions()
    #expect(PHAsset.fetchAssets(with: nil).count == 2 && !library.canUndo)
  }

  @Test func `favourites and albums hold what is put into them`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    let names = try TestLibrary.add((0..<3).map { Self.noon.addingTimeInterval(-Double($0) * 60) })
    let library = shop.model.library
    library.open()
    #expect(await wait(shop) { $0.count == 3 })
    library.setFavorite(true, [names[1]])
    #expect(await wait(shop) { $0.albums.contains { $0.kind == .favorites } })
    #expect(await wait(shop) { _ in library.item(at: 1)?.isFavorite == true })
    library.show(.favorites)
    #expect(await wait(shop) { $0.album == .favorites && $0.phase == .ready && $0.count == 1 })
    library.makeAlbum(" Sea ", of: [names[0], names[2]])
    #expect(await wait(shop) { $0.albums.contains { $0.title == "Sea" } })
    let sea = try #require(library.state.value.albums.first { $0.title == "Sea" })
    library.show(sea.kind)
    #expect(await wait(shop) { $0.album == sea.kind && $0.count == 2 && $0.phase == .ready })
    library.add([names[1]], to: sea)
    #expect(await wait(shop) { $0.count == 3 })
    library.removeFromAlbum([names[0]])
    #expect(await wait(shop) { $0.count == 2 })
    library.removeAlbum()
    #expect(await wait(shop) { $0.album == .all && $0.count == 3 })
    // The word of it may come after the change.
    #expect(await wait(shop) { _ in shop.notices.count == 3 })
    #expect(
      shop.notices == [
        .addedToAlbum(title: "Sea", count: 2), .addedToAlbum(title: "Sea", count: 1),
        .albumRemoved(title: "Sea"),
      ])
  }

  @Test func `a new album is shown though it is empty, takes another title, and only the user's own do`()
    async throws
  {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    let names = try TestLibrary.add([Self.noon])
    let library = shop.model.library
    library.open()
    #expect(await wait(shop) { $0.count == 1 })
    library.renameAlbum("Mine")
    library.removeAlbum()
    library.makeAlbum("  ")
    library.makeAlbum("Sea")
    #expect(await wait(shop) { _ in library.ownAlbumTitle == "Sea" })
    #expect(await wait(shop) { $0.phase == .ready && $0.count == 0 })
    library.renameAlbum(" Lake ")
    #expect(await wait(shop) { _ in library.ownAlbumTitle == "Lake" })
    let lake = try #require(library.state.value.albums.first { $0.title == "Lake" })
    library.add(names, to: lake)
    #expect(await wait(shop) { $0.album == lake.kind && $0.count == 1 })
    #expect(library.state.value.albums.filter { $0.title != "" }.count == 1)
    library.show(.all)
    #expect(library.ownAlbumTitle == nil)
  }

  @Test func `small pictures come, the last one asked for first, and not those no longer wanted`()
    async throws
  {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    try TestLibrary.add((0..<8).map { Self.noon.addingTimeInterval(-Double($0) * 60) })
    let library = shop.model.library
    library.open()
    #expect(await wait(shop) { $0.count == 8 })
    let feed = ThumbnailFeed(most: 1)
    var came: [Int] = []
    var requests: [ThumbnailFeed.Request] = []
    for place in 0..<8 {
      let item = try #require(library.item(at: place))
      requests.append(
        feed.request(item, side: 32) { thumbnail in
          #expect(thumbnail?.picture.width == 32 && thumbnail?.isUnfinished == false)
          came.append(place)
        })
    }
    for place in 4..<7 { feed.cancel(requests[place]) }
    #expect(await shop.run { _ in came.count == 5 })
    #expect(came == [0, 7, 3, 2, 1])
    let made = feed.made
    var again = 0
    feed.request(try #require(library.item(at: 7)), side: 32) { _ in again += 1 }
    #expect(again == 1 && feed.made == made, "a kept picture is there at once")
  }

  @Test func `a photo that is finished later is marked until it is`() async throws {
    var settings = Settings()
    settings.quality = .quality
    let shop = try Workshop(settings: settings, usesLibrary: true)
    defer { shop.end() }
    try await shop.start()
    try #require(shop.state.abilities.supportsDeferredProcessing)
    let output = shop.model.engine.photoOutput
    #expect(await shop.run { _ in output.isAutoDeferredPhotoDeliveryEnabled })
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    let library = shop.model.library
    #expect(await wait(shop) { $0.count == 1 })
    let item = try #require(library.item(at: 0))
    let asset = try #require(LibraryAccess.asset(item.id))
    #expect(LibraryAccess.isUnfinished(asset))
    var marks: [Bool] = []
    library.thumbnails.request(item, side: 64) { marks.append($0?.isUnfinished ?? false) }
    #expect(await shop.run { _ in marks.count == 1 })
    #expect(LibraryAccess.isUnfinished(asset), "a small picture does not finish the photo")
    let revision = library.state.value.revision
    #expect(await library.urls([item.id]).count == 1)
    #expect(await wait(shop) { $0.revision > revision })
    library.thumbnails.request(item, side: 64) { marks.append($0?.isUnfinished ?? true) }
    #expect(await shop.run { _ in marks.count == 2 })
    #expect(marks == [true, false])
  }

  @Test func `what was left for later is finished when the camera is closed`() async throws {
    let shop = try Workshop(usesLibrary: true)
    defer { shop.end() }
    try await shop.start()
    let output = shop.model.engine.photoOutput
    #expect(await shop.run { _ in output.isAutoDeferredPhotoDeliveryEnabled })
    for _ in 0..<2 {
      shop.model.pressShutter()
      #expect(await shop.run { $0.photosUnderWay == 0 })
    }
    let identifiers = LibraryAccess.newestPhotos(5)
    let assets = identifiers.compactMap(LibraryAccess.asset)
    #expect(assets.count == 2 && assets.allSatisfy(LibraryAccess.isUnfinished))
    shop.model.stop()
    shop.model.finishPhotos()
    let finished = identifiers.compactMap(LibraryAccess.asset)
    #expect(finished.count == 2 && !finished.contains(where: LibraryAccess.isUnfinished))
    #expect(finished.allSatisfy { $0.pixelWidth == 4032 || $0.pixelWidth == 3024 })
  }
}

@Suite struct GridTests {
  private func days(_ counts: [Int]) -> LibraryDays {
    var times: [Double?] = []
    for (day, count) in counts.enumerated() {
      for index in 0..<count { times.append(790_000_000 - Double(day) * 86_400 - Double(index)) }
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    return LibraryDays(times, calendar: calendar)
  }

  @Test func `rows are a heading for each day and its photos in columns`() {
    let rows = GridRows(days([5, 1, 3]), columns: 3)
    #expect(rows.count == 3 + 2 + 1 + 1)
    #expect(
      (0..<rows.count).map { rows.row(at: $0) } == [
        .heading(day: 0), .places(0..<3), .places(3..<5), .heading(day: 1), .places(5..<6), .heading(day: 2),
        .places(6..<9),
      ])
    #expect(rows.row(at: 7) == nil && rows.row(at: -1) == nil)
    #expect([0, 4, 5, 8].map { rows.row(of: $0) } == [1, 2, 4, 6])
    #expect(
      rows.row(of: 9) == nil && GridRows(columns: 4).count == 0 && GridRows(columns: 4).row(of: 0) == nil)
  }

  @Test func `a hundred thousand photos of a thousand days are found row by row`() {
    let rows = GridRows(days(Array(repeating: 100, count: 1000)), columns: 7)
    #expect(rows.count == 1000 * 16)
    for place in stride(from: 0, to: 100_000, by: 997) {
      let row = rows.row(of: place)
      guard let row, case .places(let places)? = rows.row(at: row) else {
        Issue.record("no row for \(place)")
        continue
      }
      #expect(places.contains(place))
    }
  }

  @Test func `rows are found at their heights, headings being of another height`() {
    let rows = GridRows(days([5, 1, 3]), columns: 3)
    let tops = (0...rows.count).map { rows.top(of: $0, heading: 40, line: 100) }
    #expect(tops == [0, 40, 140, 240, 280, 380, 420, 520])
    for row in 0..<rows.count {
      #expect(rows.row(atHeight: tops[row], heading: 40, line: 100) == row)
      #expect(rows.row(atHeight: tops[row + 1] - 1, heading: 40, line: 100) == row)
    }
    #expect(rows.row(atHeight: -5, heading: 40, line: 100) == 0)
    #expect(rows.row(atHeight: 9999, heading: 40, line: 100) == rows.count - 1)
    #expect(GridRows(columns: 3).row(atHeight: 10, heading: 40, line: 100) == 0)
  }

  @Test func `photos without a time stand at the end`() {
    let days = LibraryDays([800_000_000, nil, nil] as [Double?])
    #expect(days.days.map(\.places) == [0..<1, 1..<3])
    let none = LibraryDays([Double?]())
    #expect(none.days.isEmpty)
  }

  @Test func `a file's name says when it was made`() throws {
    let date = Date(timeIntervalSince1970: 1_790_000_000)
    #expect(PhotoFolder.date(ofName: PhotoFolder.name(for: date) + "-2.jpg") == date)
    #expect(
      PhotoFolder.date(ofName: "VID_20260101_030405.mov") != nil && PhotoFolder.date(ofName: "sea.jpg") == nil
    )
  }
}
