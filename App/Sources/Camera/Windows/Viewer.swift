import CGTK
import CameraModel
import Foundation
import GTKKit

/// One photo or film of the folder at a time.
@MainActor
final class Viewer {
  let widget: Box
  var onBack: () -> Void = {}
  private let model: CameraModel
  private let picture = PictureView().expanding()
  private let title = Label().styled("heading")
  private let live = LivePaintable()
  private let bar = FilmBar()
  private var film: FilmModel?
  private var urls: [URL] = []
  private var index = 0

  init(_ model: CameraModel) {
    self.model = model
    let back = Button(icon: "go-previous-symbolic", tr("Back to the camera"))
    let header = HeaderBar(title: title).styled("flat")
    header.addStart(back)
    let older = Button(icon: "go-next-symbolic", tr("Older photo")).styled("osd", "circular")
    let newer = Button(icon: "go-previous-symbolic", tr("Newer photo")).styled("osd", "circular")
    older.aligned(GTK_ALIGN_END, GTK_ALIGN_CENTER).margins(end: 18)
    newer.aligned(GTK_ALIGN_START, GTK_ALIGN_CENTER).margins(start: 18)
    let stage = Overlay(picture, older, newer, bar.widget).styled("viewer").expanding()
    widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, header, stage)
    back.onPress { [self] in onBack() }
    older.onPress { [self] in turn(by: 1) }
    newer.onPress { [self] in turn(by: -1) }
  }

  /// Shows the newest photo; `false` when there is none.
  func open() -> Bool {
    urls = model.photoFolder.all()
    index = 0
    show()
    return !urls.isEmpty
  }

  /// Lets the film go.
  func close() {
    film?.close()
    film = nil
    bar.show(nil)
  }

  func togglePlay() { bar.togglePlay() }

  func turn(by count: Int) {
    guard urls.indices.contains(index + count) else { return }
    index += count
    show()
  }

  private func show() {
    guard urls.indices.contains(index) else { return }
    let url = urls[index]
    title.text = url.lastPathComponent
    picture.described(as: url.lastPathComponent)
    close()
    if PictureReader.isMovie(url) { return show(FilmModel(url)) }
    picture.show(nil)
    Task { [weak self] in
      let read = await Task.detached { PictureReader.thumbnail(of: url, longerSide: 1920) }.value
      guard let self, urls.indices.contains(index), urls[index] == url, let read else { return }
      picture.show(Texture(read.pixels))
    }
  }

  private func show(_ film: FilmModel) {
    self.film = film
    let (live, size) = (live, picture.size)
    live.show(nil)
    picture.show(live)
    // A page that comes in has no size yet.
    film.feed.setPlace(
      .init(width: max(size.width, 800) * picture.scale, height: max(size.height, 600) * picture.scale))
    film.feed.setHandler { live.show(Texture($0.pixels)) }
    bar.show(film)
  }
}
