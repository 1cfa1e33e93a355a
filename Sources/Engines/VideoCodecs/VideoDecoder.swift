internal import CFFmpeg
internal import MediaFiles
package import CoreMedia
package import CoreVideo
internal import Foundation
package import FoundationExtras
internal import PixelTransforms

/// Decodes coded video into pixel buffers, in the order in which pictures are shown.
///
/// Not thread-safe.
package final class VideoDecoder {
  /// A decoded picture.
  package struct Picture {
    /// The pixels, with colours and shape as attachments.
    package let pixels: CVPixelBuffer
    /// When it is shown, exactly as the sample said.
    package let time: CMTime
    /// The duration; invalid when the sample has none.
    package let duration: CMTime

    /// A picture that is shown at a time.
    package init(pixels: CVPixelBuffer, time: CMTime, duration: CMTime) {
      self.pixels = pixels
      self.time = time
      self.duration = duration
    }
  }

  private let codec: OpaquePointer
  /// Of a decoder that the hardware may be: where it decodes, and FFmpeg's name of the codec.
  private let hardware: (place: cam_decoding, codec: String)?
  private let format: CMFormatDescription
  private let maker: DecodedPictures
  /// Of samples whose pictures are shown, by their number: two parts of a movie may be shown at the same time of the media.
  private var times: [Int64: (time: CMTime, duration: CMTime)] = [:]
  private var count: Int64 = 0
  /// More samples than a decoder holds, with all its threads: pictures of earlier ones do not come any more.
  private static let mostHeld: Int64 = 256
  /// Pictures that are not given yet: those before what could not be decoded come with the next.
  private var ready: [Picture] = []
  private let givesEarly: Bool
  /// Whether the decoder itself leaves out what it cannot make after a start at a key frame.
  private let skipsLeading: Bool
  /// When the picture is shown with which decoding began: a key frame, or where the decoder has found its way.
  ///
  /// Pictures that are decoded after it and shown before it may lack what they were made of.
  private var start: CMTime?

  /// Opens the decoder of a format.
  ///
  /// - Parameters:
  ///   - format: What the samples are, with their parameter sets.
  ///   - pixelFormat: What comes out; `nil` is what takes the least work.
  ///   - threads: How many threads may decode; 0 for as many as there are cores.
  ///   - givesEarly: Whether pictures may be asked for before they are in the order of showing; one thread decodes then.
  ///   - isLive: Whether pictures come as early as they can: threads share a picture instead of taking one each, and a stream
  ///     whose headers do not say how far it reorders is taken for one that does not.
  ///   - prefersHardware: Whether VAAPI, then V4L2 are tried before the processor; not with `givesEarly`.
  /// - Throws: ``CodecError``: `noDecoder`.
  package init(
    _ format: CMFormatDescription, pixelFormat: OSType? = nil, threads: Int = 0, givesEarly: Bool = false,
    isLive: Bool = false, prefersHardware: Bool = false
  ) throws(CodecError) {
    self.format = format
    self.givesEarly = givesEarly
    maker = DecodedPictures(format, pixelFormat: pixelFormat, isLive: isLive)
    let subtype = CMFormatDescriptionGetMediaSubType(format)
    guard let name = CodecNames.video(subtype) else {
      throw CodecError(
        .noDecoder, "There is no decoder of '\(FourCharacterCode(rawValue: subtype))'.")
    }
    skipsLeading = name == "hevc"
    let extra = CodecNames.extradata(of: format)
    let size = CMVideoFormatDescriptionGetDimensions(format)
    let places = prefersHardware && !givesEarly ? HardwareDecoding.places(for: name) : []
    let open = { (place: cam_decoding) in
      extra.withUnsafeBytes { bytes in
        name.withCString { name in
          var asked = cam_decoder_settings()
          asked.codec = name
          asked.decoding = place
          asked.extradata = bytes.bindMemory(to: UInt8.self).baseAddress
          asked.extradata_size = bytes.count
          asked.tag = subtype.byteSwapped
          asked.width = size.width
          asked.height = size.height
          asked.timescale = 90_000
          asked.threads = Int32(clamping: threads)
          asked.lends_pictures = givesEarly
          asked.is_live = isLive
          return LibraryStatus.withReason { cam_decoder_open_video(&asked, $0, $1) }
        }
      }
    }
    for place in places {
      guard let codec = open(place).value else {
        HardwareDecoding.giveUp(place, for: name)
        continue
      }
      (self.codec, hardware) = (codec, (place, name))
      return
    }
    let opened = open(cam_decoding_processor)
    guard let codec = opened.value else {
      throw CodecError(.noDecoder, "The decoder of \(name) cannot be opened: \(opened.reason).")
    }
    (self.codec, hardware) = (codec, nil)
  }

  deinit {
    cam_codec_close(codec)
  }

  /// Whether the hardware may decode: what fails there may not fail on the processor.
  package var isHardware: Bool { hardware != nil }

  /// Notes that the hardware does not serve: decoders that are opened from now on do not try it for this codec.
  package func giveUpHardware() {
    if let hardware { HardwareDecoding.giveUp(hardware.place, for: hardware.codec) }
  }

  /// Decodes one sample.
  ///
  /// One that says that the decoder is reset before it (`kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding`) first lets out
  /// all pictures of those before it.
  ///
  /// - Parameters:
  ///   - sample: The coded picture.
  ///   - isEarly: Whether its own picture is to come now, in the order of decoding; of a decoder that gives early.
  /// - Returns: The pictures that are ready, which may be of earlier samples; an early one is the last. None comes twice.
  /// - Throws: ``CodecError``: `damaged`, `unsuitable` for a sample without data or time. Pictures of those before it come with the
  ///   next call.
  package func decode(_ sample: CMSampleBuffer, isEarly: Bool = false) throws(CodecError) -> [Picture] {
    guard let data = sample.dataBuffer, sample.presentationTimeStamp.isNumeric else {
      throw CodecError(.unsuitable, "A sample without data or time cannot be decoded.")
    }
    if Self.startsAnew(sample), count > 0 {
      defer { reset() }
      try drain()
    }
    return try decode(
      data, time: sample.presentationTimeStamp, duration: sample.duration, isKeyFrame: sample.isKeyFrame(),
      isShown: Self.isShown(sample), isEarly: isEarly)
  }

  /// Decodes one picture that is no sample, as ``decode(_:isEarly:)`` does.
  ///
  /// - Parameters:
  ///   - time: When it is shown; numeric.
  ///   - isShown: Whether it is wanted, and not only what others build on.
  package func decode(
    _ data: CMBlockBuffer, time: CMTime, duration: CMTime = .invalid, isKeyFrame: Bool, isShown: Bool = true,
    isEarly: Bool = false
  ) throws(CodecError) -> [Picture] {
    count += 1
    let number = count
    times[number - Self.mostHeld] = nil
    // What a decoder needs and no client sees has no time here, and its picture is left out.
    if isShown { times[number] = (time, duration) }
    let send: (UnsafeRawBufferPointer) -> Int32 = { [codec] bytes in
      cam_decoder_send(
        codec, bytes.baseAddress, bytes.count, number, cam_no_time, 0, isKeyFrame, 0, 0)
    }
    let status: Int32
    do {
      status =
        data.isContiguous
        ? try data.withContiguousStorage(send) : try data.dataBytes().withUnsafeBytes(send)
    } catch {
      throw CodecError(.unsuitable, "The sample's data cannot be had: \(error)")
    }
    guard status == 0 else { throw failure(status) }
    if start == nil, isKeyFrame { start = time }
    try receive()
    if isEarly, givesEarly, let own = try receiveEarly(number) { ready.append(own) }
    return takeReady()
  }

  private func takeReady() -> [Picture] {
    defer { ready = [] }
    return ready
  }

  private static func startsAnew(_ sample: CMSampleBuffer) -> Bool {
    LooseNumber.truth(
      CMGetAttachment(
        sample, key: kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding, attachmentModeOut: nil)) == true
  }

  private static func isShown(_ sample: CMSampleBuffer) -> Bool {
    let said = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)?.first
    return LooseNumber.truth(
      (said as? NSDictionary)?.object(forKey: kCMSampleAttachmentKey_DoNotDisplay)) != true
  }

  /// Says that no sample comes any more.
  ///
  /// - Returns: All pictures that were still inside.
  /// - Throws: ``CodecError``: `damaged`.
  package func finish() throws(CodecError) -> [Picture] {
    try drain()
    return takeReady()
  }

  private func drain() throws(CodecError) {
    let status = cam_decoder_send(codec, nil, 0, 0, 0, 0, false, 0, 0)
    guard status >= 0 else { throw failure(status) }
    try receive()
  }

  /// Forgets what was sent, so that decoding may begin with another key frame.
  package func flush() {
    ready = []
    reset()
  }

  private func reset() {
    cam_decoder_flush(codec)
    times = [:]
    start = nil
  }

  /// The picture that the last sample was decoded into, where it has not come by itself; what comes of it later is left out.
  private func receiveEarly(_ number: Int64) throws(CodecError) -> Picture? {
    guard let said = times[number], let start, skipsLeading || said.time >= start else { return nil }
    var frame: OpaquePointer?
    let status = cam_decoder_take_lent(codec, &frame)
    guard status >= 0 else { throw failure(status) }
    guard let frame else { return nil }
    times[number] = nil
    let pixels = try maker.buffer(frame, cam_frame_look(frame))
    return Picture(pixels: pixels, time: said.time, duration: said.duration)
  }

  private func receive() throws(CodecError) {
    while true {
      var frame: OpaquePointer?
      let status = cam_decoder_receive_picture(codec, &frame)
      guard status >= 0 else { throw failure(status) }
      guard let frame else { return }
      let facts = cam_frame_look(frame)
      guard let said = times.removeValue(forKey: facts.presentation) else {
        cam_frame_free(frame)
        continue
      }
      if start == nil { start = said.time }
      let pixels = try maker.buffer(frame, facts)
      ready.append(Picture(pixels: pixels, time: said.time, duration: said.duration))
    }
  }

  private func failure(_ status: Int32) -> CodecError {
    CodecError(.damaged, "A picture could not be decoded: \(LibraryStatus.text(status)).")
  }
}
