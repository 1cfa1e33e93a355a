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
  /// Samples that were read and not returned yet.
  private var ready: [CMSampleBuffer] = []
  /// The index of the part that is read; of tracks with an edit list.
  private var part = 0

  /// Opens a track of a file.
  ///
  /// - Throws: ``MovieFileError``: `unsuitable` for a track whose format has no name here.
  package init(path: String, track: MovieFile.Track) throws(MovieFileError) {
    guard let format = track.format else {
      throw MovieFileError(.unsuitable, "The format of track \(track.number) of \(path) is not supported.")
    }
    self.track = track
    self.format = format
    movie = try OpenMovie(path: path, ignoresEdits: track.edits != nil)
    guard track.index < Int(cam_movie_stream_count(movie.pointer)) else {
      throw MovieFileError(.damaged, "The file \(path) has changed.")
    }
    cam_movie_select(movie.pointer, Int32(track.index))
    if let first = track.edits?.parts.first { try search(first.media) }
  }

  /// When the last picture is off show, in the file's time; `nil` where the file does not say more than each sample does.
  package var end: CMTime? {
    track.edits?.parts.last.flatMap { part in
      part.shown.upperBound < 1 << 60 ? CMTime(value: part.shown.upperBound, timescale: track.timescale) : nil
    }
  }

  /// Goes to the last key frame that is not shown later than `time`; in a container without an index it may be an earlier one.
  ///
  /// - Throws: ``MovieFileError``: `damaged`.
  package func seek(to time: CMTime) throws(MovieFileError) {
    let place = time.convertScale(track.timescale, method: .roundTowardNegativeInfinity).value
    guard let parts = track.edits?.parts else { return try search(place) }
    part = max(0, (parts.firstIndex { $0.shown.lowerBound > place } ?? parts.count) - 1)
    let found = parts[part]
    let last = found.shown.upperBound - found.slack - 1
    try search(max(min(place, last), found.shown.lowerBound) - found.shift)
  }

  /// Goes to the last key frame that is not shown later than a time of what the container counts.
  private func search(_ time: Int64) throws(MovieFileError) {
    var place = time
    var step = max(1, Int64(track.timescale / 4))
    while true {
      var status = cam_movie_seek(movie.pointer, Int32(track.index), place)
      // Before the first key frame there is only the beginning.
      if status < 0 { status = cam_movie_seek(movie.pointer, Int32(track.index), Int64.min / 4) }
      guard status >= 0 else {
        throw MovieFileError(
          .damaged,
          "Track \(track.number) cannot be searched, because the file's index of it is missing or damaged; copying the movie "
            + "with ffmpeg -c copy makes a new one.")
      }
      ready = []
      guard track.mediaType == kCMMediaType_Video, let sample = try read() else { return }
      ready = [sample]
      let shift = track.edits?.parts[part].shift ?? 0
      let decoded = sample.decodeTimeStamp.value &- shift
      let isKey = sample.isKeyFrame()
      guard !isKey || sample.presentationTimeStamp.value &- shift > time, sample.decodeTimeStamp.isNumeric,
        decoded > beginning, place > beginning
      else { return }
      if isKey, decoded <= place {
        // Some containers are searched by when samples are decoded: reordered ones may be shown later than that.
        place = decoded - 1
      } else {
        // In a container without an index, as a transport stream, a search may end at any frame, or at the key frame behind the time.
        place -= step
        step *= 2
      }
    }
  }

  /// When the first sample is decoded.
  private var beginning: Int64 {
    cam_movie_entry_count(movie.pointer, Int32(track.index)) > 0
      ? cam_movie_entry(movie.pointer, Int32(track.index), 0).decoding : track.timeRange.start.value
  }

  /// The next sample, or packet, or chunk of uncompressed audio; `nil` behind the last one.
  ///
  /// What a decoder needs and no player shows says so: pictures by `DoNotDisplay`, audio by the duration to trim. Pictures behind the
  /// end that no earlier one needs are left out; where another part of the media follows, its first sample says that the decoder is
  /// reset before it.
  ///
  /// - Throws: ``MovieFileError``: `damaged`.
  package func next() throws(MovieFileError) -> CMSampleBuffer? {
    // Behind the end, until one comes that is shown.
    var held: [CMSampleBuffer] = []
    while true {
      if let sample = ready.isEmpty ? try read() : ready.removeFirst() {
        guard isBehindEnd(sample) else {
          ready = held + [sample] + ready
          return ready.removeFirst()
        }
        held.append(sample)
      } else {
        guard try beginNextPart() else { return nil }
        held = []
      }
    }
  }

  private func isBehindEnd(_ sample: CMSampleBuffer) -> Bool {
    guard let parts = track.edits?.parts, sample.sampleAttachments[0][.doNotDisplay] as? Bool == true else {
      return false
    }
    return sample.presentationTimeStamp.value >= parts[part].shown.upperBound - parts[part].slack
  }

  private func beginNextPart() throws(MovieFileError) -> Bool {
    guard let parts = track.edits?.parts, part + 1 < parts.count else { return false }
    part += 1
    try search(parts[part].media)
    if let first = ready.first {
      CMSetAttachment(
        first, key: kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding, value: true,
        attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
    return true
  }

  /// The next sample of the file, or of the part; `nil` behind the last one.
  private func read() throws(MovieFileError) -> CMSampleBuffer? {
    var packet: OpaquePointer?
    let status = cam_movie_read(movie.pointer, &packet)
    guard status >= 0 else {
      throw MovieFileError(
        .damaged, "Track \(track.number) is damaged: \(OpenMovie.text(status)).")
    }
    guard let packet else { return nil }
    let facts = cam_packet_look(packet)
    let data = PacketMemory.block(packet, UnsafeRawBufferPointer(start: facts.data, count: facts.size))
    let part = track.edits?.parts[part]
    func time(_ value: Int64) -> CMTime {
      value == cam_no_time ? .invalid : CMTime(value: value &+ (part?.shift ?? 0), timescale: track.timescale)
    }
    let moment = facts.presentation == cam_no_time ? facts.decoding : facts.presentation
    // Samples come in the order of decoding: all that follow are shown behind the part's end.
    if let part, facts.decoding != cam_no_time, facts.decoding &+ part.shift >= part.shown.upperBound {
      return nil
    }
    let shown = time(moment)
    if let basic = format.audioStreamBasicDescription, basic.mFormatID == kAudioFormatLinearPCM {
      let size = max(1, Int(basic.mBytesPerFrame))
      guard facts.size >= size else { return try read() }
      return CMSampleBuffer(
        data: data, formatDescription: format, sampleCount: facts.size / size, sampleSize: size,
        timing: CMSampleTimingInfo(
          duration: CMTime(value: 1, timescale: Int32(basic.mSampleRate)), presentationTimeStamp: shown,
          decodeTimeStamp: .invalid))
    }
    let isHidden = part.map { !$0.shows(moment) } ?? facts.is_discarded
    var length = facts.duration
    // What is decoded last may last, by the table, as long as all that is shown before and behind it together.
    if let part, !isHidden, length > part.shown.upperBound + part.slack - shown.value {
      length = part.shown.upperBound - shown.value
    }
    let sample = CMSampleBuffer.coded(
      data, formatDescription: format,
      timing: CMSampleTimingInfo(
        duration: length > 0 ? CMTime(value: length, timescale: track.timescale) : .invalid,
        presentationTimeStamp: shown,
        decodeTimeStamp: time(facts.decoding)), isKeyFrame: facts.is_key)
    if isHidden { sample.sampleAttachments[0][.doNotDisplay] = true }
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
