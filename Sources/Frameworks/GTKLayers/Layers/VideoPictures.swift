#if GTKLayers
  internal import AVFCore
  internal import CoreVideo
  internal import Dispatch
  internal import Foundation
  internal import Linux
  internal import PixelTransforms

  /// Makes pictures of a layer's newest frames in the size in which they are shown, on a queue of its own.
  ///
  /// Frames that come while a picture is made are left out but the newest one, so that a screen that is slow is late, but never by
  /// more than a frame.
  final class VideoPictures: Sendable {
    /// Where the frames are shown.
    struct Place: Sendable, Equatable {
      /// The layer's size, in points.
      var size: CGSize
      /// The screen's pixels for each point.
      var scale: Double
      var gravity: AVLayerVideoGravity
    }

    /// A picture, and the part of the layer that it covers.
    struct Picture: Sendable {
      var texture: Texture
      /// In points, from the layer's upper left corner.
      var part: CGRect
      var frame: VideoFrame
      var number: Int
    }

    private struct State {
      var place: Place?
      var newest: Picture?
      var counts = LayerPictureCounts()
      var isDue = false
    }

    let frames: any VideoFrames
    private let queue = DispatchQueue(label: "obscura.layer", qos: .userInteractive)
    private let transformer = PixelTransformer(bufferLimit: 8)
    private let state = Locked(State())
    private let redraw: RedrawRequest

    /// Pictures of `frames`, each reported to `redraw`.
    init(_ frames: any VideoFrames, _ redraw: RedrawRequest) {
      self.frames = frames
      self.redraw = redraw
      frames.setFrameHandler { [weak self] in self?.request(isFrame: true) }
    }

    deinit {
      frames.setFrameHandler(nil)
    }

    /// The newest picture, and how many were made and came late; ``LayerPictureCounts/shown`` is not counted here.
    var newest: Picture? { state.withLock { $0.newest } }
    var counts: LayerPictureCounts { state.withLock { $0.counts } }

    /// Shows the frames there from now on.
    func setPlace(_ place: Place) {
      let isNew = state.withLock { state in
        defer { state.place = place }
        return state.place != place
      }
      if isNew { request(isFrame: false) }
    }

    /// Makes the picture of the newest frame before it returns.
    func makeNow() { queue.sync { make() } }

    private func request(isFrame: Bool) {
      let starts = state.withLock { state in
        if isFrame, state.isDue { state.counts.late += 1 }
        defer { state.isDue = true }
        return !state.isDue
      }
      if starts { queue.async { [weak self] in self?.make() } }
    }

    private func make() {
      let place = state.withLock { state in
        state.isDue = false
        return state.place
      }
      guard let place, place.size.width > 0, place.size.height > 0 else { return }
      let frame = frames.newestFrame()
      let made = frame.flatMap { picture(of: $0, in: place) }
      // A picture that cannot be made leaves the one before.
      if frame != nil, made == nil { return }
      let old = state.withLock { state -> Picture? in
        let old = state.newest
        if made != nil { state.counts.made += 1 }
        state.newest = made
        state.newest?.number = state.counts.made
        return old
      }
      withExtendedLifetime(old) {}
      if made != nil || old != nil { redraw.request() }
    }

    private func picture(of frame: VideoFrame, in place: Place) -> Picture? {
      let bounds = CGRect(origin: .zero, size: place.size)
      let cover = place.gravity.place(frame.size, in: bounds)
      let part = cover.intersection(bounds)
      // A layer that is magnified far beyond the screen is stretched by GTK.
      let most = max(frame.size.width * frame.size.height, 2560 * 1600)
      let pixels = part.width * part.height * place.scale * place.scale
      let scale = place.scale * min(1, (most / max(pixels, 1)).squareRoot())
      let size = PixelSize(
        width: Int((part.width * scale).rounded()), height: Int((part.height * scale).rounded()))
      guard size.width > 1, size.height > 1 else { return nil }
      let isWhole = cover == part
      let target = PixelPlace(
        x: isWhole ? 0 : (cover.minX - part.minX) * scale, y: isWhole ? 0 : (cover.minY - part.minY) * scale,
        width: isWhole ? Double(size.width) : cover.width * scale,
        height: isWhole ? Double(size.height) : cover.height * scale)
      guard
        let buffer = try? transformer.makeBuffer(size: size, pixelFormat: kCVPixelFormatType_32BGRA),
        (try? transformer.draw(
          frame.pixels, rotation: QuarterTurn(degrees: frame.rotationAngle) ?? .none,
          isMirrored: frame.isMirrored, over: target, of: buffer)) != nil,
        let picture = LockedPicture(buffer)
      else { return nil }
      return Picture(texture: Texture(picture.pixels), part: part, frame: frame, number: 0)
    }
  }
#endif
