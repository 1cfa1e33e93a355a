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
    /// How long; invalid when the sample did not say.
    package let duration: CMTime

    /// A picture that is shown at a time.
    package init(pixels: CVPixelBuffer, time: CMTime, duration: CMTime) {
      self.pixels = pixels
      self.time = time
      self.duration = duration
    }
  }

  private let codec: OpaquePointer
  private let format: CMFormatDescription
  private let maker: DecodedPictures
  private var times: [Int64: (time: CMTime, duration: CMTime)] = [:]
  private var timescale: Int32?

  /// Opens the decoder of a format.
  ///
  /// - Parameters:
  ///   - format: What the samples are, with their parameter sets.
  ///   - pixelFormat: What comes out; `nil` is what takes the least work.
  ///   - threads: How many threads may decode; 0 for as many as there are cores.
  /// - Throws: ``CodecError``: `noDecoder`.
  package init(_ format: CMFormatDescription, pixelFormat: OSType? = nil, threads: Int = 0) throws(CodecError)
  {
    self.format = format
    maker = DecodedPictures(format, pixelFormat: pixelFormat)
    let subtype = CMFormatDescriptionGetMediaSubType(format)
    guard let name = CodecNames.video(subtype) else {
      throw CodecError(
        .noDecoder, "There is no decoder of '\(FourCharacterCode(rawValue: subtype))'.")
    }
    let extra = CodecNames.extradata(of: format)
    let size = CMVideoFormatDescriptionGetDimensions(format)
    let opened = extra.withUnsafeBytes { bytes in
      name.withCString { name in
        var asked = cam_decoder_settings()
        asked.codec = name
        asked.extradata = bytes.bindMemory(to: UInt8.self).baseAddress
        asked.extradata_size = bytes.count
        asked.tag = subtype.byteSwapped
        asked.width = size.width
        asked.height = size.height
        asked.timescale = 90_000
        asked.threads = Int32(clamping: threads)
        return LibraryStatus.withReason { cam_decoder_open_video(&asked, $0, $1) }
      }
    }
    guard let codec = opened.value else {
      throw CodecError(.noDecoder, "The decoder of \(name) cannot be opened: \(opened.reason).")
    }
    self.codec = codec
  }

  deinit {
    cam_codec_close(codec)
  }

  /// Decodes one sample.
  ///
  /// - Returns: The pictures that are ready, which may be of earlier samples.
  /// - Throws: ``CodecError``: `damaged`, `unsuitable` for a sample without data or time.
  package func decode(_ sample: CMSampleBuffer) throws(CodecError) -> [Picture] {
    guard let data = sample.dataBuffer, sample.presentationTimeStamp.isNumeric else {
      throw CodecError(.unsuitable, "A sample without data or time cannot be decoded.")
    }
    let scale = timescale ?? sample.presentationTimeStamp.timescale
    timescale = scale
    func ticks(_ time: CMTime) -> Int64 {
      time.isNumeric ? time.convertScale(scale, method: .roundHalfAwayFromZero).value : cam_no_time
    }
    let moment = ticks(sample.presentationTimeStamp)
    // What a decoder needs and no client sees has no time here, and its picture is left out.
    if Self.isShown(sample) { times[moment] = (sample.presentationTimeStamp, sample.duration) }
    let send: (UnsafeRawBufferPointer) -> Int32 = { [codec] bytes in
      cam_decoder_send(
        codec, bytes.baseAddress, bytes.count, moment, ticks(sample.decodeTimeStamp), 0, sample.isKeyFrame(),
        0, 0)
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
    return try receive()
  }

  private static func isShown(_ sample: CMSampleBuffer) -> Bool {
    let said = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)?.first
    return LooseNumber.truth(
      (said as? NSDictionary)?.object(forKey: kCMSampleAttachmentKey_DoNotDisplay)) != true
  }

  /// Says that no sample comes any more.
  ///
  /// - Returns: All pictures that were still inside.
  package func finish() throws(CodecError) -> [Picture] {
    let status = cam_decoder_send(codec, nil, 0, 0, 0, 0, false, 0, 0)
    guard status >= 0 else { throw failure(status) }
    return try receive()
  }

  /// Forgets what was sent, so that decoding may begin with another key frame.
  package func flush() {
    cam_decoder_flush(codec)
    times = [:]
  }

  private func receive() throws(CodecError) -> [Picture] {
    var pictures: [Picture] = []
    while true {
      var frame: OpaquePointer?
      let status = cam_decoder_receive_picture(codec, &frame)
      guard status >= 0 else { throw failure(status) }
      guard let frame else { return pictures }
      let facts = cam_frame_look(frame)
      let said = times.removeValue(forKey: facts.presentation)
      let pixels = try maker.buffer(frame, facts)
      guard let said else { continue }
      pictures.append(Picture(pixels: pixels, time: said.time, duration: said.duration))
    }
  }

  private func failure(_ status: Int32) -> CodecError {
    CodecError(.damaged, "A picture could not be decoded: \(LibraryStatus.text(status)).")
  }
}
