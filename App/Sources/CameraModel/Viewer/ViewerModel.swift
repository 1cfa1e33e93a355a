import AVFoundation
import Foundation
import Photos

/// The state of the viewer.
package struct ViewerState: Sendable, Equatable {
  /// The photo or video; `nil` while the viewer is closed.
  package var place: MediaPlace?
  package var isMovie = false
  package var isFavorite = false
  /// The photo has a movie of its moments, which is played while it is held.
  package var isLive = false
  /// The photo is shown as it is so far: it is being finished.
  package var isUnfinished = false
  /// Its place in the list, counted from the newest.
  package var index = 0
  package var count = 0
  package var date: Date?
  /// The details of its file; `nil` until they were asked for and read.
  package var details: PhotoDetails?

  /// A viewer that is closed.
  package init() {}
}

/// The viewer: one photo or video at a time, of the library's album or of a folder.
@MainActor
package final class ViewerModel {
  package let state = Observed(ViewerState())
  /// Called with each picture of a photo: a small one that is there at once, then better ones.
  package var onPicture: (Thumbnail?) -> Void = { _ in }
  /// Called with the video to play, and with `nil` when it is left.
  package var onFilm: (PlaybackModel?) -> Void = { _ in }

  /// Called with the movie of a Live Photo that plays, and with `nil` when the photo is shown again.
  package var onMoments: (PlaybackModel?) -> Void = { _ in }

  private let library: LibraryModel
  private var moments: PlaybackModel?
  /// The copy of the movie that plays, of an asset.
  private var momentsCopy: URL?
  private var holds = 0
  private var files: [URL] = []
  private var film: PlaybackModel?
  private var run = 0
  private var showsDetails = false
  private var request: PHImageRequestID?

  init(_ library: LibraryModel) {
    self.library = library
    library.state.observe { [weak self] in self?.take($0) }
  }

  /// Opens the viewer; `folder` holds what lies beside a plain file.
  func open(_ place: MediaPlace, folder: PhotoFolder) {
    files = place.url == nil ? [] : folder.all()
    show(place)
  }

  /// Closes the viewer and lets the video go.
  package func close() {
    leave()
    state.value = ViewerState()
  }

  /// Turns to an older (positive) or newer photo.
  package func turn(by count: Int) {
    guard let now = state.value.place else { return }
    switch now {
    case .file(let url):
      let index = (files.firstIndex(of: url) ?? -1) + count
      if files.indices.contains(index) { show(.file(files[index])) }
    case .asset:
      if let item = library.item(at: state.value.index + count) { show(.asset(item.id)) }
    }
  }

  /// Marks the photo as a favourite, or takes the mark away; plain files have no mark.
  package func toggleFavorite() {
    guard case .asset(let name)? = state.value.place else { return }
    library.setFavorite(!state.value.isFavorite, [name])
  }

  /// Deletes what is shown, and shows the next.
  package func delete() {
    guard case .asset(let name)? = state.value.place else { return }
    let index = state.value.index
    let next = library.item(at: index + 1) ?? library.item(at: index - 1)
    library.delete([name])
    if let next { show(.asset(next.id)) } else { close() }
  }

  /// The file of what is shown, for other programs.
  package func url() async -> URL? {
    switch state.value.place {
    case .file(let url)?: url
    case .asset(let name)?: await library.urls([name]).first
    case nil: nil
    }
  }

  /// Whether details are read from now on.
  package func setShowsDetails(_ on: Bool) {
    showsDetails = on
    if on { readDetails() } else { state.value.details = nil }
  }

  /// Gets the photo with all its pixels, for a closer look.
  package func loadWhole() {
    if let place = state.value.place, !state.value.isMovie { load(place, side: nil) }
  }

  // MARK: Showing

  /// Pixels of the longer side that fill most screens.
  private static let screenSide = 1920

  private func show(_ place: MediaPlace) {
    leave()
    var new = ViewerState()
    new.place = place
    switch place {
    case .file(let url):
      new.isMovie = PictureReader.isMovie(url)
      new.isLive = !new.isMovie && PhotoFolder.film(of: url) != nil
      new.index = files.firstIndex(of: url) ?? 0
      new.count = files.count
      new.date = PhotoFolder.date(ofName: url.lastPathComponent)
    case .asset(let name): fill(&new, name)
    }
    state.value = new
    if new.isMovie { play(place) } else { load(place, side: Self.screenSide) }
    if showsDetails { readDetails() }
  }

  private func fill(_ new: inout ViewerState, _ name: String) {
    new.count = library.state.value.count
    new.index = library.place(of: name) ?? 0
    let item = library.item(at: new.index).flatMap { $0.id == name ? $0 : nil }
    guard let item = item ?? LibraryAccess.asset(name).map(LibraryItem.init) else { return }
    new.isMovie = item.isMovie
    new.isFavorite = item.isFavorite
    new.isLive = LibraryAccess.asset(name)?.mediaSubtypes.contains(.photoLive) == true
    new.date = item.date
  }

  /// The album has changed, or another one is shown.
  private func take(_ library: LibraryState) {
    guard case .asset(let name)? = state.value.place, library.phase == .ready else { return }
    if LibraryAccess.asset(name) == nil {
      // Another program has deleted it.
      if let item = self.library.item(at: min(state.value.index, library.count - 1)) {
        show(.asset(item.id))
      } else {
        close()
      }
      return
    }
    var new = state.value
    fill(&new, name)
    state.value = new
  }

  private func leave() {
    run += 1
    releaseMoments()
    if let request { PHImageManager.default().cancelImageRequest(request) }
    request = nil
    if film != nil { onFilm(nil) }
    film?.close()
    film = nil
  }

  // MARK: Live Photos

  /// The photo is held: its movie plays from the beginning, with sound, until it is released or over.
  package func holdMoments() {
    guard state.value.isLive, moments == nil, let place = state.value.place else { return }
    holds += 1
    let now = holds
    Task { [weak self] in
      let film: (url: URL, isCopy: Bool)?
      switch place {
      case .file(let photo): film = PhotoFolder.film(of: photo).map { ($0, false) }
      case .asset(let name): film = await LibraryAccess.moments(name).map { ($0, true) }
      }
      guard let film else { return }
      guard let self, now == holds, state.value.place == place else {
        if film.isCopy { try? FileManager.default.removeItem(at: film.url) }
        return
      }
      let playback = PlaybackModel(film.url)
      moments = playback
      if film.isCopy { momentsCopy = film.url }
      onMoments(playback)
      playback.togglePlay()
      playback.state.observe { [weak self] in
        // Over.
        if !$0.isPlaying, $0.seconds > 0 { self?.releaseMoments() }
      }
    }
  }

  /// The photo is released: it is shown again.
  package func releaseMoments() {
    holds += 1
    guard let playing = moments else { return }
    moments = nil
    onMoments(nil)
    playing.close()
    if let momentsCopy { try? FileManager.default.removeItem(at: momentsCopy) }
    momentsCopy = nil
  }

  private func play(_ place: MediaPlace) {
    if let url = place.url { return begin(PlaybackModel(url)) }
    let now = run
    Task { [weak self] in
      guard let url = await self?.url(), let self, now == run else { return }
      begin(PlaybackModel(url))
    }
  }

  private func begin(_ film: PlaybackModel) {
    self.film = film
    onFilm(film)
  }

  private func load(_ place: MediaPlace, side: Int?) {
    let now = run
    switch place {
    case .file(let url):
      Task { [weak self] in
        let read = await Task.detached { PictureReader.thumbnail(of: url, longerSide: side ?? 1 << 16) }.value
        if let self, now == run { onPicture(read) }
      }
    case .asset(let name):
      guard let asset = LibraryAccess.asset(name) else { return onPicture(nil) }
      state.value.isUnfinished = LibraryAccess.isUnfinished(asset)
      let options = PHImageRequestOptions()
      options.allowSecondaryDegradedImage = true
      let size = side.map { CGSize(width: $0, height: $0) } ?? PHImageManagerMaximumSize
      request = PHImageManager.default().requestImage(
        for: asset, targetSize: size, contentMode: .aspectFit, options: options
      ) { [weak self] image, facts in
        let isFinal = facts?[PHImageResultIsDegradedKey] as? Bool == false
        let pixels = image?.cgImage
        MainActor.assumeIsolated { self?.take(pixels, isFinal: isFinal, run: now) }
      }
    }
  }

  private func take(_ pixels: CGImage?, isFinal: Bool, run now: Int) {
    guard now == run else { return }
    Task { [weak self] in
      let picture = await Task.detached { pixels.flatMap(PictureReader.thumbnail(of:)) }.value
      guard let self, now == run else { return }
      if isFinal { state.value.isUnfinished = false }
      if picture != nil || isFinal { onPicture(picture) }
    }
  }

  private func readDetails() {
    let now = run
    let taken = state.value.date
    Task { [weak self] in
      guard let url = await self?.url() else { return }
      let details = await Task.detached { PhotoDetails(url, taken: taken) }.value
      if let self, now == run, showsDetails { state.value.details = details }
    }
  }
}
