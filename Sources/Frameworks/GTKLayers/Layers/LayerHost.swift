#if GTKLayers
  internal import AVFCore
  internal import Foundation
  internal import QuartzCore

  /// Draws a tree of layers in a widget: follows its size, makes the pictures of what shows video, and has it drawn anew when
  /// something in it has changed.
  @MainActor
  final class LayerHost {
    private struct Video {
      var pictures: VideoPictures
      /// The picture on the screen.
      var shown: VideoPictures.Picture?
      /// The one before, which the window's last drawing still holds: cairo would copy it if it went first.
      var previous: VideoPictures.Picture?
    }

    let layer: CALayer
    var onPicture: (@MainActor (LayerPicture) -> Void)?
    private(set) var shownCount = 0
    private let reporter: ChangeReporter
    private let redraw: RedrawRequest
    private var videos: [ObjectIdentifier: Video] = [:]
    /// What videos that went have counted.
    private var formerCounts = LayerPictureCounts()
    private var contents = ContentTextures()

    /// - Parameter redraw: Draws the widget again.
    init(_ layer: CALayer, redraw draw: @escaping @MainActor () -> Void) {
      self.layer = layer
      let host = Reference()
      redraw = RedrawRequest {
        host.host?.takePictures()
        draw()
      }
      reporter = ChangeReporter(redraw)
      host.host = self
      layer.host = reporter
    }

    /// Has the tree drawn anew.
    func request() { redraw.request() }

    /// Ends it: no picture is made after this.
    func end() {
      redraw.end()
      if layer.host === reporter { layer.host = nil }
      videos = [:]
    }

    var counts: LayerPictureCounts {
      var sum = videos.values.reduce(into: formerCounts) { sum, video in
        let counts = video.pictures.counts
        sum.made += counts.made
        sum.late += counts.late
      }
      sum.shown = shownCount
      return sum
    }

    /// The widget's size, in points, which is that of the top layer, and the screen's pixels for each point.
    func resize(width: Double, height: Double, scale: Double) {
      reporter.isQuiet = true
      defer { reporter.isQuiet = false }
      let size = CGSize(width: width, height: height)
      if layer.bounds.size != size {
        layer.position = CGPoint(x: width * layer.anchorPoint.x, y: height * layer.anchorPoint.y)
        layer.bounds.size = size
      }
      if layer.contentsScale != scale { layer.contentsScale = scale }
      layer.layoutIfNeeded()
      displayLayers()
      arrangeVideos(scale)
    }

    /// Draws the tree, after ``resize(width:height:scale:)`` has laid it out.
    func draw(into snapshot: OpaquePointer, byCairo: Bool) {
      guard !layer.isHidden, layer.opacity > 0 else { return }
      LayerDrawing(snapshot: snapshot, byCairo: byCairo) { [self] in picture(of: $0) }.draw(top: layer)
      contents.forgetUnused()
    }

    /// Makes the pictures of all that shows video before it returns.
    func makePicturesNow() {
      for video in videos.values { video.pictures.makeNow() }
      takePictures()
    }

    private func picture(of layer: CALayer) -> (texture: Texture, place: CGRect)? {
      if let video = videos[ObjectIdentifier(layer)] {
        return video.shown.map { picture in
          (picture.texture, picture.part.offsetBy(dx: layer.bounds.minX, dy: layer.bounds.minY))
        }
      }
      if let (picture, place) = layer.pictureBeyondBounds {
        return contents.texture(of: picture, in: layer).map { ($0, place) }
      }
      return contents.texture(of: layer).map { texture in
        let size = CGSize(
          width: Double(texture.width) / layer.contentsScale,
          height: Double(texture.height) / layer.contentsScale
        )
        return (texture, layer.contentsGravity.place(size, in: layer.bounds))
      }
    }

    /// Has the layers that draw themselves do so where that is due.
    private func displayLayers() {
      var layers = [layer]
      while let next = layers.popLast() {
        layers += (next.sublayers ?? []) + (next.mask.map { [$0] } ?? [])
        next.displayIfNeeded()
      }
    }

    /// Makes pictures for the layers that show video now, and for no others.
    private func arrangeVideos(_ scale: Double) {
      var found: Set<ObjectIdentifier> = []
      var layers = [layer]
      while let next = layers.popLast() {
        layers += next.sublayers ?? []
        guard let (frames, gravity) = next.video else { continue }
        let key = ObjectIdentifier(next)
        found.insert(key)
        let pictures = videos[key]?.pictures ?? VideoPictures(frames, redraw)
        if videos[key] == nil { videos[key] = Video(pictures: pictures) }
        pictures.setPlace(.init(size: next.bounds.size, scale: scale, gravity: gravity))
      }
      for (key, video) in videos where !found.contains(key) {
        formerCounts.made += video.pictures.counts.made
        formerCounts.late += video.pictures.counts.late
        videos[key] = nil
      }
    }

    private func takePictures() {
      var taken: [LayerPicture] = []
      var layers = [layer]
      while let next = layers.popLast() {
        layers += next.sublayers ?? []
        guard var video = videos[ObjectIdentifier(next)] else { continue }
        let newest = video.pictures.newest
        guard newest?.number != video.shown?.number else { continue }
        video.previous = video.shown
        video.shown = newest
        videos[ObjectIdentifier(next)] = video
        guard let frame = newest?.frame else { continue }
        shownCount += 1
        taken.append(
          LayerPicture(
            layer: next, time: frame.time, size: frame.size, rotationAngle: frame.rotationAngle,
            isMirrored: frame.isMirrored))
      }
      for picture in taken { onPicture?(picture) }
    }

    @MainActor
    private final class Reference { weak var host: LayerHost? }
  }

  /// Asks for a redraw when the tree has changed, but not for what the host itself changes in it.
  private final class ChangeReporter: CALayerHost {
    /// Whether the host itself changes the tree.
    var isQuiet = false
    private let redraw: RedrawRequest

    init(_ redraw: RedrawRequest) {
      self.redraw = redraw
    }

    func layersChanged() {
      if !isQuiet { redraw.request() }
    }
  }
#endif
