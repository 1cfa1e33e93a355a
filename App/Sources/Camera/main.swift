import AVFoundation
import CGTK
import CameraModel
import GTKKit

setenv("OBSCURA_DEVICES", "simulated", 0)
let application = Application(identifier: "io.github.obscura.Camera", isUnique: false)
var parts: [Any] = []
exit(
  application.run {
    let model = CameraModel()
    let paintable = LivePaintable()
    model.preview.setHandler { picture in
      let bytes = picture.picture
      say(picture.frameSize, bytes.width, bytes.height, picture.latency)
      paintable.show(
        Texture(
          Pixels(
            width: bytes.width, height: bytes.height, bytesPerRow: bytes.bytesPerRow, base: bytes.base,
            owner: bytes)))
    }
    let window = Object(adw_application_window_new(application.pointer()))
    let picture = Object(gtk_picture_new_for_paintable(paintable.pointer))
    gtk_window_set_default_size(window.pointer(), 1000, 750)
    adw_application_window_set_content(window.pointer(), picture.pointer())
    gtk_window_present(window.pointer())
    model.state.observe { say($0.availability, $0.camera?.name ?? "", $0.shutter) }
    model.start()
    every(milliseconds: 1000) {
      say(model.preview.counts, paintable.counts)
      return true
    }
    parts = [model, paintable, window, picture]
  })
func say(_ items: Any...) { FileHandle.standardError.write(Data((items.map { "\($0)" }.joined(separator: " ") + "\n").utf8)) }
