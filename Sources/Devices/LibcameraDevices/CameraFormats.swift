internal import CaptureDevice

/// One way to stream, and the streams of the library's that it takes.
struct CameraFormat: Sendable, Hashable {
  var format: StreamFormat
  /// The code of its frames.
  var code: PictureCode
  /// The sensor's numbers that its stills can come with.
  var raw: CameraStream?
  /// What the camera takes while it streams so.
  var ranges: ControlRanges

  /// The streams for pictures of `size`, beside which stills and numbers come where the format has them.
  func streams(_ size: FrameSize, views: Int, stills: Int, raws: Int) -> [CameraStream] {
    var streams = [CameraStream(.view, code, size, buffers: views)]
    if size != format.size { streams.append(CameraStream(.still, code, format.size, buffers: stills)) }
    if let raw { streams.append(CameraStream(.raw, raw.code, raw.size, buffers: raws)) }
    return streams
  }
}

/// Asks a camera in which ways it streams; the camera is taken for that.
struct FormatProbe {
  private let camera: any LibraryCamera

  /// As many sizes are asked for at most; more make a list long and the look at a camera slow.
  private static let mostSizes = 12
  /// Smaller pictures are for nothing.
  private static let leastWidth = 160

  init(_ camera: any LibraryCamera) {
    self.camera = camera
  }

  /// The formats of the camera, the largest last, and the codes of those that nothing here reads.
  ///
  /// - Throws: Why it cannot be taken, which another program's use is, too.
  func formats() throws(LibraryRefusal) -> (formats: [CameraFormat], unreadable: [String]) {
    let offered = camera.formats(for: .view)
    let unreadable = Set(
      offered.filter { $0.code.encoding(isFullRange: false) == nil }.map(\.code.letters)
    ).sorted()
    var formats: [CameraFormat] = []
    for stream in chosen(offered) {
      guard let granted = camera.check([stream])?.first, granted.size == stream.size,
        granted.code == stream.code, let encoding = encoding(of: granted)
      else { continue }
      let ranges = try ranges(of: [granted])
      formats.append(
        CameraFormat(format: streamFormat(granted.size, encoding, ranges), code: granted.code, ranges: ranges)
      )
    }
    if let photos = try photoFormat(beside: formats) {
      formats.removeAll { $0.format.size == photos.format.size && $0.code == photos.code }
      formats.append(photos)
    }
    return (sorted(formats), unreadable)
  }

  private func encoding(of stream: CameraStream) -> FrameEncoding? {
    let encoding = stream.code.encoding(isFullRange: stream.isFullRange)
    // Half a pair of colours is no picture.
    if case .mosaic? = encoding, stream.size.width % 2 != 0 || stream.size.height % 2 != 0 { return nil }
    return encoding
  }

  /// Of each size the code that costs least to read, and Motion JPEG, which may be the only fast one.
  private func chosen(_ offered: [CameraStream]) -> [CameraStream] {
    var best: [FrameSize: [CameraStream]] = [:]
    for stream in offered
    where stream.code.encoding(isFullRange: false) != nil && stream.size.width >= Self.leastWidth {
      best[stream.size, default: []].append(stream)
    }
    var sizes = best.keys.sorted { ($0.width * $0.height, $0.width) < ($1.width * $1.height, $1.width) }
    if sizes.count > Self.mostSizes {
      let usual: Set = [320, 640, 1280, 1640, 1920, 2560, 3840]
      let largest = sizes.last
      sizes = Array(sizes.filter { usual.contains($0.width) || $0 == largest }.suffix(Self.mostSizes))
    }
    return sizes.flatMap { size -> [CameraStream] in
      let streams = best[size] ?? []
      let isJPEG = { (stream: CameraStream) in stream.code.letters == "MJPG" }
      let plain = streams.filter { !isJPEG($0) }.max { $0.code.preference < $1.code.preference }
      return [streams.first(where: isJPEG), plain].compactMap(\.self)
    }
  }

  /// The format of full size, where small pictures and the sensor's numbers run beside its stills as far as the camera has them.
  private func photoFormat(beside formats: [CameraFormat]) throws(LibraryRefusal) -> CameraFormat? {
    let stills = camera.formats(for: .still).filter { stream in
      if case .pixels? = stream.code.encoding(isFullRange: false) { true } else { false }
    }
    let largest = stills.max {
      let areas = ($0.size.width * $0.size.height, $1.size.width * $1.size.height)
      return (areas.0, $0.code.preference) < (areas.1, $1.code.preference)
    }
    guard let largest else { return nil }
    let size = largest.size
    let small =
      formats.last { known in
        known.code == largest.code && known.format.size.width < size.width
          && known.format.size.width * size.height == known.format.size.height * size.width
      }?.format.size ?? size.halved
    let view = CameraStream(.view, largest.code, small)
    let still = CameraStream(.still, largest.code, size)
    // The most that runs beside each other.
    for streams in rawStreams().map({ [view, still, $0] }) + [[view, still]] {
      // Previews are of sizes that are in no list.
      let other = CameraStream(.view, largest.code, size.third)
      guard let granted = camera.check(streams), zip(granted, streams).allSatisfy({ $0.hasGrown(from: $1) }),
        camera.check([other] + streams.dropFirst())?.first?.size == other.size,
        let encoding = encoding(of: granted[1])
      else { continue }
      let ranges = try ranges(of: granted)
      var format = streamFormat(size, encoding, ranges)
      format.scalesStream = true
      format.isPhotoQuality = true
      var photos = CameraFormat(format: format, code: granted[1].code, ranges: ranges)
      if granted.count > 2, let layout = granted[2].code.mosaic {
        photos.raw = granted[2]
        photos.format.stillMosaic = StillMosaicFormat(layout: layout, size: granted[2].size)
      }
      return photos
    }
    return nil
  }

  /// The ways to ask for the sensor's numbers, in the largest size that is read here: as they are offered, and not packed.
  private func rawStreams() -> [CameraStream] {
    let readable = camera.formats(for: .raw).filter {
      $0.code.mosaic != nil && $0.size.width % 2 == 0 && $0.size.height % 2 == 0
    }
    let largest = readable.max { $0.size.width * $0.size.height < $1.size.width * $1.size.height }
    guard let largest else { return [] }
    // A Raspberry Pi 5 offers them packed and compresses those that are asked for so.
    var plain = largest
    plain.code.modifier = 0
    return plain == largest ? [largest] : [largest, plain]
  }

  private func ranges(of streams: [CameraStream]) throws(LibraryRefusal) -> ControlRanges {
    let session = try camera.open(streams) { _ in }
    defer { session.close() }
    return ControlRanges(session.ranges)
  }

  private func streamFormat(_ size: FrameSize, _ encoding: FrameEncoding, _ ranges: ControlRanges)
    -> StreamFormat
  {
    let durations = ranges.frameDurations ?? Self.usualDuration...Self.usualDuration
    var format = StreamFormat(
      size: size, encoding: encoding, frameDurations: [durations],
      exposureNanoseconds: ranges.exposureNanoseconds, iso: ranges.iso)
    if case .pixels = encoding {
      format.maxZoom = ranges.maxZoom
      if let whole = ranges.wholeCrop {
        let shown = whole.part(shapedAs: size, zoom: 1)
        format.zoomUpscaleThreshold = min(max(shown.width / Double(size.width), 1), format.maxZoom)
      }
    }
    return format
  }

  /// The duration that stands for that of a camera which does not say: what most have.
  private static let usualDuration = FrameDuration(1, 30)

  private func sorted(_ formats: [CameraFormat]) -> [CameraFormat] {
    formats.sorted { left, right in
      let areas = (
        left.format.size.width * left.format.size.height, right.format.size.width * right.format.size.height
      )
      return (areas.0, left.code.preference) < (areas.1, right.code.preference)
    }
  }
}

extension CameraStream {
  /// Whether it is what was asked for; of the sensor's numbers, whether they can be read.
  fileprivate func hasGrown(from asked: CameraStream) -> Bool {
    if use == .raw { return code.mosaic != nil && size.width % 2 == 0 && size.height % 2 == 0 }
    return size == asked.size && code == asked.code
  }
}

extension FrameSize {
  /// A third as large in each direction, in even numbers.
  fileprivate var third: FrameSize { FrameSize(width: width / 6 * 2, height: height / 6 * 2) }

  /// Half as large in each direction, in even numbers.
  fileprivate var halved: FrameSize { FrameSize(width: width / 4 * 2, height: height / 4 * 2) }
}
