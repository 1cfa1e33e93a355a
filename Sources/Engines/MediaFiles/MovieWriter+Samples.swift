package import CoreMedia
internal import Foundation
internal import FoundationExtras

/// Takes sample buffers apart into the samples that the writer writes.
extension MovieWriter {
  func takeFormat(of sample: CMSampleBuffer, _ number: Int) throws(MovieFileError) {
    guard let format = sample.formatDescription,
      CMFormatDescriptionGetMediaType(format) == tracks[number].settings.mediaType
    else { throw MovieFileError(.unsuitable, "The sample is of another kind of media than its track.") }
    if let known = tracks[number].format {
      guard known.describesSameMedia(as: format) else {
        throw MovieFileError(.unsuitable, "The format of the media changed within a track.")
      }
    } else {
      try check(format)
      tracks[number].format = format
    }
    if tracks[number].timescale == 0 {
      let rate = format.audioStreamBasicDescription.flatMap { Int32(exactly: $0.mSampleRate) }
      tracks[number].timescale = rate ?? MovieTrackSettings.timescale(for: sample.presentationTimeStamp)
    }
  }

  func pendingSamples(
    _ sample: CMSampleBuffer, _ number: Int
  ) throws(MovieFileError) -> [PendingSample] {
    let track = tracks[number]
    guard sample.numSamples > 0 else { return [] }
    guard let data = sample.dataBuffer, sample.presentationTimeStamp.isNumeric, data.dataLength > 0 else {
      throw MovieFileError(.unsuitable, "A sample without data or time cannot be written.")
    }
    let basic = sample.formatDescription?.audioStreamBasicDescription
    let isPCM = basic?.mFormatID == kAudioFormatLinearPCM
    if isPCM || sample.numSamples == 1 {
      let presentation = track.ticks(sample.presentationTimeStamp)
      let decode = sample.decodeTimeStamp
      let one = sample.numSamples == 1 ? sample.duration : CMTime(value: 1, timescale: track.timescale)
      return [
        PendingSample(
          data: data, count: sample.numSamples, size: data.dataLength / sample.numSamples,
          decoding: decode.isNumeric ? track.ticks(decode) : presentation, presentation: presentation,
          duration: one.isNumeric ? track.ticks(one) : 0, isKey: sample.isKeyFrame())
      ]
    }
    do {
      var samples: [PendingSample] = []
      for single in try sample.singleSampleBuffers() {
        samples += try pendingSamples(single, number)
      }
      return samples
    } catch let error as MovieFileError {
      throw error
    } catch {
      throw MovieFileError(.unsuitable, "The samples of a buffer cannot be separated: \(error)")
    }
  }

  /// The samples of a track that may be written, in parts without gaps where samples are counted and not listed.
  func parts(of index: Int, all: Bool) -> [MovieFragment.Part] {
    let track = tracks[index]
    let origin = track.ticks(sessionStart) - (track.lead ?? 0)
    var parts: [MovieFragment.Part] = []
    var samples: [(sample: PendingSample, span: Int64)] = []
    func close() {
      guard let first = samples.first?.sample else { return }
      parts.append(
        MovieFragment.Part(
          number: index + 1, samples: samples,
          begin: track.lead == nil ? nil : max(0, first.decoding - origin)))
      samples = []
    }
    for place in 0..<track.closedCount(all: all) {
      let sample = track.pending[place]
      if let last = samples.last?.sample, (last.count > 1) != (sample.count > 1) { close() }
      let span = track.span(of: place)
      samples.append((sample, span))
      if sample.count > 1, span != sample.duration * Int64(sample.count) { close() }
    }
    close()
    return parts
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
