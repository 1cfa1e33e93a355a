import CGTK
import CameraModel
import GTKKit
import GTKLayers

/// The folder's photos over the depth picture, turned by nods.
@MainActor
final class PageView {
  let picture = PictureView()
  /// Shows the photos, or ends that.
  let toggle = Button(icon: "view-paged-symbolic", tr("Turn photos by nodding"))
  private var shown: Int?

  init(_ model: CameraModel) {
    picture.expanding().untouchable()
    toggle.setAction("app.pages")
    model.state.observe { [self] state in
      let isUsed = state.mode == .depth && state.availability.isRunning
      toggle.isVisible = !state.depth.showsCloud
      toggle.setStyle("chosen", state.depth.page != nil)
      let page = isUsed ? state.depth.page : nil
      guard page != shown else { return }
      shown = page
      picture.show(nil as Texture?)
      guard let page, model.pages.places.indices.contains(page) else { return }
      let place = model.pages.places[page]
      Task {
        let read = await Task.detached { PictureReader.picture(of: place, longerSide: 1280) }.value
        if shown == page, let read { picture.show(Texture(read.pixels)) }
      }
    }
  }
}
