package import CoreMedia
internal import Foundation
internal import FoundationExtras

/// Takes sample buffers apart into the samples that are written.
extension MovieTrack {
  /// Takes the format of the first sample, and compares those of later ones with it.
  mutating func takeFormat(of sample: CMSampleBuffer, in container: MovieContainer) throws(MovieFileError) {
    guard let format = sample.formatDescription,
      CMFormatDescriptionGetMediaType(format) == settings.mediaType
    else { throw MovieFileError(.unsuitable, "The sample is of another kind of media than its track.") }
    if let known = self.format {
      guard known.describesSameMedia(as: format) else {
        throw MovieFileError(.unsuitable, "The format of the media changed within a track.")
      }
    } else {
      try container.check(format)
      self.format = format
    }
    if timescale == 0 {
      let rate = format.audioStreamBasicDescription.flatMap { Int32(exactly: $0.mSampleRate) }
      timescale = rate ?? MovieTrackSettings.timescale(for: sample.presentationTimeStamp)
    }
  }

  /// Takes a sample behind those that wait.
  mutating func take(_ sample: PendingSample) throws(MovieFileError) {
    guard !isFinished else {
      throw MovieFileError(.unsuitable, "The track was finished.")
    }
    let last = pending.last?.decoding ?? lastWritten?.decoding
    if let last, sample.decoding < last {
      throw MovieFileError(
        .unsuitable, "A sample is to be decoded before the one that was appended before it.")
    }
    settleSpan(before: sample)
    pending.append(sample)
  }

  func pendingSamples(_ sample: CMSampleBuffer) throws(MovieFileError) -> [PendingSample] {
    guard sample.numSamples > 0 else { return [] }
    guard let data = sample.dataBuffer, sample.presentationTimeStamp.isNumeric, data.dataLength > 0 else {
      throw MovieFileError(.unsuitable, "A sample without data or time cannot be written.")
    }
    let basic = sample.formatDescription?.audioStreamBasicDescription
    let isPCM = basic?.mFormatID == kAudioFormatLinearPCM
    if isPCM || sample.numSamples == 1 {
      let presentation = ticks(sample.presentationTimeStamp)
      let decode = sample.decodeTimeStamp
      let one = sample.numSamples == 1 ? sample.duration : CMTime(value: 1, timescale: timescale)
      return [
        PendingSample(
          data: data, count: sample.numSamples, size: data.dataLength / sample.numSamples,
          decoding: decode.isNumeric ? ticks(decode) : presentation, presentation: presentation,
          duration: one.isNumeric ? ticks(one) : 0, isKey: sample.isKeyFrame())
      ]
    }
    do {
      var samples: [PendingSample] = []
      for single in try sample.singleSampleBuffers() {
        samples += try pendingSamples(single)
      }
      return samples
    } catch let error as MovieFileError {
      throw error
    } catch {
      throw MovieFileError(.unsuitable, "The samples of a buffer cannot be separated: \(error)")
    }
  }

  /// The first samples that wait, in parts without gaps where samples are counted and not listed.
  ///
  /// - Parameter origin: Which time of the track's media is its zero.
  func parts(_ count: Int, number: Int, origin: Int64) -> [MovieFragment.Part] {
    var parts: [MovieFragment.Part] = []
    var samples: [(sample: PendingSample, span: Int64)] = []
    func close() {
      guard let first = samples.first?.sample else { return }
      parts.append(
        MovieFragment.Part(
          number: number, samples: samples, begin: lead == nil ? nil : max(0, first.decoding - origin)))
      samples = []
    }
    for place in 0..<count {
      let sample = pending[place]
      if let last = samples.last?.sample, (last.count > 1) != (sample.count > 1) { close() }
      let span = span(of: place)
      samples.append((sample, span))
      if sample.count > 1, span != sample.duration * Int64(sample.count) { close() }
    }
    close()
    return parts
  }
}

extension MovieContainer {
  /// - Throws: ``MovieFileError``: `unsuitable` when files of this kind cannot hold the format.
  func check(_ format: CMFormatDescription) throws(MovieFileError) {
    if let refusal = SampleEntry(format: format, container: self).refusal {
      throw MovieFileError(.unsuitable, "The file cannot hold the media: \(refusal).")
    }
  }
}

extension CMFormatDescription {
  /// Whether samples of both may lie in one track.
  package func describesSameMedia(as other: CMFormatDescription) -> Bool {
    let atoms = kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
    return self === other
      || CMFormatDescriptionGetMediaSubType(self) == CMFormatDescriptionGetMediaSubType(other)
        && CMFormatDescriptionGetExtension(self, extensionKey: atoms) as? [String: Data]
          == CMFormatDescriptionGetExtension(other, extensionKey: atoms) as? [String: Data]
        && audioStreamBasicDescription == other.audioStreamBasicDescription
        && CMVideoFormatDescriptionGetDimensions(self) == CMVideoFormatDescriptionGetDimensions(other)
  }
}
