internal import CFFmpeg
package import CoreMedia
internal import Foundation

/// Reads the samples of one track, without decoding, in the order of decoding.
///
/// A reader has the file open for itself. Not thread-safe; blocks for the disk.
package final class TrackReader {
  /// The track.
  package let track: MovieFile.Track
  private let movie: OpenMovie
  private let format: CMFormatDescription
  /// What a search has read already.
  private var pending: CMSampleBuffer?

  /// Opens a track of a file.
  ///
  /// - Throws: ``MovieFileError``: `unsuitable` for a track whose format has no name here.
  package init(path: String, track: MovieFile.Track) throws(MovieFileError) {
    guard let format = track.format else {
      throw MovieFileError(.unsuitable, "The format of track \(track.number) of \(path) is not supported.")
    }
    self.track = track
    self.format = format
    movie = try OpenMovie(path: path)
    guard track.index < Int(cam_movie_stream_count(movie.pointer)) else {
      throw MovieFileError(.damaged, "The file \(path) has changed.")
    }
    cam_movie_select(movie.pointer, Int32(track.index))
  }

  /// Goes to the last key frame that is not shown later than `time`.
  ///
  /// - Throws: ``MovieFileError``: `damaged`.
  package func seek(to time: CMTime) throws(MovieFileError) {
    var place = time.convertScale(track.timescale, method: .roundTowardNegativeInfinity).value
    // Some containers are searched by when samples are decoded: reordered ones may be shown later than that.
    for _ in 0..<8 {
      var status = cam_movie_seek(movie.pointer, Int32(track.index), place)
      // Before the first key frame there is only the beginning.
      if status < 0 { status = cam_movie_seek(movie.pointer, Int32(track.index), Int64.min / 4) }
      guard status >= 0 else {
        throw MovieFileError(.damaged, "Track \(track.number) cannot be searched: \(OpenMovie.text(status)).")
      }
      pending = nil
      guard track.mediaType == kCMMediaType_Video, let sample = try next() else { return }
      pending = sample
      let decoded = sample.decodeTimeStamp
      guard sample.presentationTimeStamp > time, decoded.isNumeric, decoded > track.timeRange.start else {
        return
      }
      let earlier = decoded.convertScale(track.timescale, method: .roundTowardNegativeInfinity).value - 1
      guard earlier < place else { return }
      place = earlier
    }
  }

  /// The next sample, or packet, or chunk of uncompressed audio; `nil` behind the last one.
  ///
  /// What a decoder needs and no player shows says so: pictures by `DoNotDisplay`, audio by the duration to trim.
  ///
  /// - Throws: ``MovieFileError``: `damaged`.
  package func next() throws(MovieFileError) -> CMSampleBuffer? {
    if let sample = pending {
      pending = nil
      return sample
    }
    var packet: OpaquePointer?
    let status = cam_movie_read(movie.pointer, &packet)
    guard status >= 0 else {
      throw MovieFileError(
        .damaged, "Track \(track.number) is damaged: \(OpenMovie.text(status)).")
    }
    guard let packet else { return nil }
    let facts = cam_packet_look(packet)
    let data = PacketMemory.block(packet, UnsafeRawBufferPointer(start: facts.data, count: facts.size))
    func time(_ value: Int64) -> CMTime {
      value == cam_no_time ? .invalid : CMTime(value: value, timescale: track.timescale)
    }
    let shown = time(facts.presentation == cam_no_time ? facts.decoding : facts.presentation)
    if let basic = format.audioStreamBasicDescription, basic.mFormatID == kAudioFormatLinearPCM {
      let size = max(1, Int(basic.mBytesPerFrame))
      guard facts.size >= size else { return try next() }
      return CMSampleBuffer(
        data: data, formatDescription: format, sampleCount: facts.size / size, sampleSize: size,
        timing: CMSampleTimingInfo(
          duration: CMTime(value: 1, timescale: Int32(basic.mSampleRate)), presentationTimeStamp: shown,
          decodeTimeStamp: .invalid))
    }
    let sample = CMSampleBuffer.coded(
      data, formatDescription: format,
      timing: CMSampleTimingInfo(
        duration: facts.duration > 0 ? time(facts.duration) : .invalid, presentationTimeStamp: shown,
        decodeTimeStamp: time(facts.decoding)), isKeyFrame: facts.is_key)
    if facts.is_discarded { sample.sampleAttachments[0][.doNotDisplay] = true }
    if let basic = format.audioStreamBasicDescription {
      let rate = Int32(basic.mSampleRate)
      func trim(_ key: String, _ count: UInt32) {
        guard count > 0 else { return }
        CMSetAttachment(
          sample, key: key,
          value: CMTimeCopyAsDictionary(CMTime(value: Int64(count), timescale: rate), allocator: nil),
          attachmentMode: kCMAttachmentMode_ShouldPropagate)
      }
      trim(
        kCMSampleBufferAttachmentKey_TrimDurationAtStart,
        facts.is_discarded ? UInt32(clamping: facts.duration) : facts.skip_start)
      trim(kCMSampleBufferAttachmentKey_TrimDurationAtEnd, facts.skip_end)
    }
    return sample
  }
}
