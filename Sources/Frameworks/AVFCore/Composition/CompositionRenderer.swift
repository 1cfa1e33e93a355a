internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import Linux
internal import PixelTransforms
internal import StillCodecs

/// Renders the frames of a video composition, one after the other.
///
/// Not thread-safe.
final class CompositionRenderer {
  private let composition: AVVideoComposition.State
  private let tracks: [AVAssetTrack]
  private let range: CMTimeRange
  private let pixelFormat: OSType
  private let size: PixelSize
  private let transformer = PixelTransformer(bufferLimit: 64)
  private var sources: [CMPersistentTrackID: ShownPictures] = [:]
  private var timing: ShownPictures?
  private let client: AVVideoComposition
  // Made when the first frame is, for a client's code may run then.
  private lazy var custom =
    composition.filter == nil ? CustomCompositor(client, size: size, transformer: transformer) : nil
  private var next: CMTime
  private let end: CMTime

  /// - Throws: ``AVError``: `invalidVideoComposition` with what is wrong.
  init(
    _ composition: AVVideoComposition, tracks: [AVAssetTrack], range: CMTimeRange, end: CMTime,
    pixelFormat: OSType
  ) throws(AVError) {
    let last = range.end.isNumeric ? min(range.end, end) : end
    let covered = CMTimeRange(start: range.start, end: max(range.start, last))
    if let fault = composition.fault(covering: covered, tracks: Set(tracks.map(\.trackID))) {
      throw AVError(
        .invalidVideoComposition, because: "The video composition cannot be rendered: \(fault).")
    }
    client = composition
    self.composition = composition.state.withLock { $0 }
    self.tracks = tracks
    self.range = covered
    self.end = last
    self.pixelFormat = pixelFormat
    let state = self.composition
    size = PixelSize(
      width: max(1, Int((state.size.width * CGFloat(state.scale)).rounded())),
      height: max(1, Int((state.size.height * CGFloat(state.scale)).rounded())))
    next = range.start
    if let track = tracks.first(where: { $0.trackID == state.timingTrackID }) {
      timing = try ShownPictures(track, range: covered)
    }
  }

  /// The next frame; `nil` behind the last one.
  func frame() throws -> CMSampleBuffer? {
    let step = composition.frameDuration
    if let timing {
      guard let time = try timing.nextTime() else { return nil }
      _ = try timing.picture(at: time)
      let duration = try timing.nextTime().map { $0 - time } ?? end - time
      return try sample(at: time, duration: duration)
    }
    guard next < end else { return nil }
    let time = next
    next = next + step
    return try sample(at: time, duration: step)
  }

  /// The picture of a time, which does not come before those that were asked for.
  func picture(at time: CMTime) throws -> CVPixelBuffer {
    let instruction = composition.instructions.first { $0.timeRange.containsTime(time) }
    if let instruction, instruction.passthroughTrackID == kCMPersistentTrackID_Invalid, let custom {
      let numbers = custom.wantsFrames ? instruction.sourceTrackIDs : []
      let frames = try numbers.reduce(into: [:]) { $0[$1] = try source($1)?.picture(at: time) }
      return try custom.frame(at: time, by: instruction, of: frames, as: pixelFormat)
    }
    var layers: [PictureLayer] = []
    var background: UInt32 = 0xFF00_0000
    if let instruction = instruction as? AVVideoCompositionInstruction {
      background = Self.bytes(of: instruction.backgroundColor)
      for layer in instruction.layerInstructions.reversed() {
        if let tool = composition.tool, layer.trackID == tool.trackID {
          let below = try composed(layers, background)
          tool.draw(layer, at: time, scale: CGFloat(composition.scale), over: below)
          layers = [PictureLayer(below, matrix: (1, 0, 0, 1, 0, 0))]
        } else if let made = try self.layer(layer, at: time) {
          layers.append(made)
        }
      }
    } else if let instruction, instruction.passthroughTrackID != kCMPersistentTrackID_Invalid {
      let whole = AVMutableVideoCompositionLayerInstruction()
      whole.trackID = instruction.passthroughTrackID
      if let made = try layer(whole, at: time) { layers.append(made) }
    }
    let canvas = try finished(composed(layers, background), at: time)
    return try converted(composition.filter.map { try filtered(canvas, by: $0, at: time) } ?? canvas)
  }

  private func composed(_ layers: [PictureLayer], _ background: UInt32) throws -> CVPixelBuffer {
    let canvas = try transformer.makeBuffer(size: size, pixelFormat: kCVPixelFormatType_32BGRA)
    try transformer.compose(layers, background: background, into: canvas)
    tag(canvas)
    return canvas
  }

  /// A frame within the layers that are drawn around it.
  private func finished(_ frame: CVPixelBuffer, at time: CMTime) throws -> CVPixelBuffer {
    guard let tool = composition.tool, tool.trackID == nil else { return frame }
    let canvas = try transformer.makeBuffer(size: size, pixelFormat: kCVPixelFormatType_32BGRA)
    tool.draw(around: try CGImage.make(of: frame), at: time, scale: CGFloat(composition.scale), into: canvas)
    tag(canvas)
    return canvas
  }

  private func filtered(_ picture: CVPixelBuffer, by filter: FrameFilter, at time: CMTime) throws
    -> CVPixelBuffer
  {
    let canvas = try transformer.makeBuffer(size: size, pixelFormat: kCVPixelFormatType_32BGRA)
    tag(canvas)
    try filter.draw(picture, at: time, into: canvas)
    return canvas
  }

  private func converted(_ canvas: CVPixelBuffer) throws -> CVPixelBuffer {
    guard pixelFormat != kCVPixelFormatType_32BGRA else { return canvas }
    return try transformer.apply(
      FrameTransform(
        pixelFormat: pixelFormat, matrix: composition.matrix.flatMap(YCbCrMatrix.init(attachment:))),
      to: canvas)
  }

  private func layer(_ instruction: AVVideoCompositionLayerInstruction, at time: CMTime) throws
    -> PictureLayer?
  {
    guard let track = tracks.first(where: { $0.trackID == instruction.trackID }),
      let picture = try source(track.trackID)?.picture(at: time)
    else { return nil }
    let placement = instruction.placement(at: time)
    guard placement.opacity > 0 else { return nil }
    let shown = track.naturalSize
    let width = Double(CVPixelBufferGetWidth(picture)), height = Double(CVPixelBufferGetHeight(picture))
    // The picture's pixels are not always square.
    let pixels = CGAffineTransform(
      scaleX: shown.width > 0 ? shown.width / CGFloat(width) : 1,
      y: shown.height > 0 ? shown.height / CGFloat(height) : 1)
    let scale = CGAffineTransform(scaleX: CGFloat(composition.scale), y: CGFloat(composition.scale))
    let whole = pixels.concatenating(placement.transform).concatenating(scale)
    let crop = placement.crop.map { crop in
      let part = crop.applying(pixels.inverted())
      return PixelPlace(
        x: Double(part.minX), y: Double(part.minY), width: Double(part.width), height: Double(part.height))
    }
    return PictureLayer(
      picture,
      matrix: (
        Double(whole.a), Double(whole.b), Double(whole.c), Double(whole.d), Double(whole.tx), Double(whole.ty)
      ), opacity: Double(placement.opacity), crop: crop)
  }

  /// The pictures of a track; `nil` where there is no such track.
  private func source(_ number: CMPersistentTrackID) throws -> ShownPictures? {
    if let known = sources[number] { return known }
    guard let track = tracks.first(where: { $0.trackID == number }) else { return nil }
    let source = try ShownPictures(track, range: range)
    sources[number] = source
    return source
  }

  private static func bytes(of color: CGColor?) -> UInt32 {
    guard let color, let components = color.components, !components.isEmpty else { return 0xFF00_0000 }
    let isGray = components.count < 4
    func byte(_ index: Int) -> UInt32 {
      let value = components[isGray ? 0 : index] * color.alpha
      return UInt32((min(max(value, 0), 1) * 255).rounded())
    }
    return 0xFF00_0000 | byte(0) << 16 | byte(1) << 8 | byte(2)
  }

  private func tag(_ picture: CVPixelBuffer) {
    func set(_ key: String, _ value: String?) {
      guard let value else { return }
      CVBufferSetAttachment(picture, key, value, .shouldPropagate)
    }
    set(kCVImageBufferColorPrimariesKey, composition.primaries)
    set(kCVImageBufferTransferFunctionKey, composition.transfer)
  }

  private func sample(at time: CMTime, duration: CMTime) throws -> CMSampleBuffer? {
    let picture = try picture(at: time)
    var format: CMFormatDescription?
    _ = CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: nil, imageBuffer: picture, formatDescriptionOut: &format)
    return format.map { format in
      CMSampleBuffer(
        picture: picture, formatDescription: format,
        timing: CMSampleTimingInfo(
          duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid))
    }
  }
}
