import AVFoundation
import Dispatch

/// Makes pictures of what a player shows, on a queue of its own, in the size of the place where they are shown.
package final class FilmFeed: @unchecked Sendable {
  // Safe because what changes is guarded, or used on `queue` alone.

  private struct Shared {
    var handler: (@Sendable (PictureBytes) -> Void)?
    var place = CGSize(width: 960, height: 540)
    var isMaking = false
  }

  private let layer: AVPlayerLayer
  private let frames: PlayerFrames
  private let queue = DispatchQueue(label: "camera.film", qos: .userInteractive)
  private let shared = Guarded(Shared())

  init(_ player: AVPlayer) {
    layer = AVPlayerLayer(player: player)
    frames = layer.frames
    frames.setFrameHandler { [weak self] in self?.note() }
  }

  deinit {
    frames.setFrameHandler(nil)
  }

  /// Calls `handler` with each picture, on the feed's queue.
  package func setHandler(_ handler: (@Sendable (PictureBytes) -> Void)?) {
    shared.change { $0.handler = handler }
    note()
  }

  /// The size of the place where pictures are shown, in the screen's pixels.
  package func setPlace(_ size: CGSize) {
    shared.change { $0.place = size }
    note()
  }

  private func note() {
    let begins = shared.change { shared in
      defer { shared.isMaking = true }
      return !shared.isMaking
    }
    if begins { queue.async { self.make() } }
  }

  private func make() {
    let (place, handler) = shared.change { shared in
      shared.isMaking = false
      return (shared.place, shared.handler)
    }
    guard let handler, let frame = frames.takeNewest(), frame.presentationSize.width > 0,
      frame.presentationSize.height > 0
    else { return }
    let whole = frame.presentationSize
    let scale = min(place.width / whole.width, place.height / whole.height)
    let (width, height) = (Int(whole.width * scale), Int(whole.height * scale))
    guard width > 1, height > 1 else { return }
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
    layer.bounds = CGRect(x: 0, y: 0, width: width, height: height)
    layer.videoGravity = .resize
    guard let buffer, (try? layer.drawPicture(into: buffer)) == true, let picture = PictureBytes(buffer)
    else {
      return
    }
    handler(picture)
  }
}
