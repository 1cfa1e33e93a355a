internal import CFFmpeg
package import CoreMedia

/// Converts linear PCM: rate, channels, and how samples lie in memory.
///
/// What is put in and does not fit what comes out waits inside. Not thread-safe.
package final class AudioResampler {
  /// The settings of a conversion.
  package struct Settings: Sendable, Hashable {
    /// Taps of the filter between two rates: more are better and slower.
    package var filterSize = 32
    /// Whether noise replaces steps where bits are lost.
    package var dithers = false
    /// For each channel that comes out the one it is of, below zero for silence; `nil` mixes all channels into those that come
    /// out.
    package var channelMap: [Int]?

    /// The default.
    package init() {}
  }

  private let resampler: OpaquePointer
  /// Moments of the source that the filter looks at before and behind a moment; 0 without a change of the rate.
  package let reach: Int

  /// Opens a conversion.
  ///
  /// - Throws: ``CodecError``: `unsuitable` for what is no linear PCM with native samples of 16, 32 or 64 bits.
  package init(
    from source: AudioStreamBasicDescription, to target: AudioStreamBasicDescription, _ settings: Settings
  ) throws(CodecError) {
    guard let sourceSamples = Self.samples(source), let targetSamples = Self.samples(target) else {
      throw CodecError(
        .unsuitable, "Only linear PCM with native samples of 16, 32 or 64 bits can be converted.")
    }
    let columns = Int(source.mChannelsPerFrame)
    let shares = settings.channelMap.map { map in
      map.flatMap { from in (0..<columns).map { $0 == from ? 1.0 : 0.0 } }
    }
    let isResampled = source.mSampleRate != target.mSampleRate
    reach =
      isResampled
      ? Int((Double(settings.filterSize) / 2 * max(1, source.mSampleRate / target.mSampleRate)).rounded(.up))
      : 0
    var asked = cam_resampler_settings()
    asked.source_rate = Int32(source.mSampleRate)
    asked.source_channels = Int32(source.mChannelsPerFrame)
    asked.source_samples = sourceSamples
    asked.source_is_planar = source.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    asked.rate = Int32(target.mSampleRate)
    asked.channels = Int32(target.mChannelsPerFrame)
    asked.samples = targetSamples
    asked.is_planar = target.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    asked.filter_size = Int32(settings.filterSize)
    asked.dithers = settings.dithers
    let opened = (shares ?? []).withUnsafeBufferPointer { matrix in
      if shares != nil { asked.matrix = matrix.baseAddress }
      return LibraryStatus.withReason { cam_resampler_open(&asked, $0, $1) }
    }
    guard let resampler = opened.value else {
      throw CodecError(.unsuitable, "The audio cannot be converted: \(opened.reason).")
    }
    self.resampler = resampler
  }

  deinit {
    cam_resampler_close(resampler)
  }

  private static func samples(_ basic: AudioStreamBasicDescription) -> cam_samples? {
    guard basic.mFormatID == kAudioFormatLinearPCM, basic.mFormatFlags & kAudioFormatFlagIsBigEndian == 0,
      (1...64).contains(basic.mChannelsPerFrame), (1...1_000_000).contains(basic.mSampleRate)
    else { return nil }
    let isFloat = basic.mFormatFlags & kAudioFormatFlagIsFloat != 0
    switch (isFloat, basic.mBitsPerChannel) {
    case (true, 32): return cam_samples_float
    case (true, 64): return cam_samples_double
    case (false, 16): return cam_samples_s16
    case (false, 32): return cam_samples_s32
    default: return nil
    }
  }

  /// Puts moments of silence before what comes next.
  package func insertSilence(_ frames: Int) { _ = cam_resampler_insert_silence(resampler, Int32(frames)) }

  /// Leaves out the next moments that would come out.
  package func drop(_ frames: Int) { _ = cam_resampler_drop(resampler, Int32(frames)) }

  /// Forgets what waits inside.
  package func reset() { _ = cam_resampler_reset(resampler) }

  /// Converts.
  ///
  /// - Parameters:
  ///   - out: Where each plane is written, one for all channels when they are interleaved.
  ///   - room: How many moments fit.
  ///   - source: Each plane of what is put in; `nil` when nothing comes any more.
  ///   - frames: How many moments are put in.
  /// - Returns: How many moments came out.
  package func convert(
    into out: [UnsafeMutableRawPointer?], room: Int, from source: [UnsafeRawPointer?]?, frames: Int
  ) throws(CodecError) -> Int {
    let count = out.withUnsafeBufferPointer { out in
      if let source {
        return source.withUnsafeBufferPointer { source in
          cam_resampler_convert(resampler, out.baseAddress, Int32(room), source.baseAddress, Int32(frames))
        }
      }
      return cam_resampler_convert(resampler, out.baseAddress, Int32(room), nil, 0)
    }
    guard count >= 0 else {
      throw CodecError(.failed, "The audio could not be converted: \(LibraryStatus.text(count)).")
    }
    return Int(count)
  }
}
