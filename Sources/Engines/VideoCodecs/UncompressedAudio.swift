internal import CFFmpeg
internal import CoreMedia
internal import Foundation

/// Linear PCM in any of the forms that clients have, as interleaved samples of this machine.
struct UncompressedAudio {
  /// The layout of the samples that ``interleaved(_:)`` makes.
  let samples: cam_samples
  private let channels: Int
  private let bits: Int
  private let sampleSize: Int
  private let isFloat: Bool
  private let isBigEndian: Bool
  private let isInterleaved: Bool

  /// `nil` for what is no linear PCM, for samples that are not 8, 16, 24, 32 or 64 bits, and for rates and channels beyond 32 bits.
  init?(_ basic: AudioStreamBasicDescription) {
    guard basic.mFormatID == kAudioFormatLinearPCM, basic.mChannelsPerFrame > 0, basic.mSampleRate > 0,
      basic.mChannelsPerFrame <= Int32.max, basic.mSampleRate <= Double(Int32.max)
    else { return nil }
    channels = Int(basic.mChannelsPerFrame)
    bits = Int(basic.mBitsPerChannel)
    isFloat = basic.mFormatFlags & kAudioFormatFlagIsFloat != 0
    isBigEndian = basic.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
    isInterleaved = basic.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
    sampleSize = bits / 8
    switch (isFloat, bits) {
    case (true, 32): samples = cam_samples_float
    case (true, 64): samples = cam_samples_double
    case (false, 16): samples = cam_samples_s16
    case (false, 8), (false, 24), (false, 32): samples = cam_samples_s32
    default: return nil
    }
  }

  /// The number of moments in so many bytes.
  func frames(in bytes: Int) -> Int { bytes / (sampleSize * channels) }

  /// The samples of all channels together, in the machine's byte order; 8 and 24 bits become 32.
  func interleaved(_ data: Data) -> Data {
    let isPlain = isInterleaved && !isBigEndian && bits != 24 && bits != 8
    guard !isPlain else { return data }
    let count = frames(in: data.count)
    let outSize = bits == 24 || bits == 8 ? 4 : sampleSize
    var out = Data(count: count * channels * outSize)
    out.withUnsafeMutableBytes { (out: UnsafeMutableRawBufferPointer) in
      data.withUnsafeBytes { (input: UnsafeRawBufferPointer) in
        for frame in 0..<count {
          for channel in 0..<channels {
            let place = isInterleaved ? frame * channels + channel : channel * count + frame
            let target = (frame * channels + channel) * outSize
            for byte in 0..<outSize {
              // Integers of fewer bytes lie at the high end.
              let weight = byte - (outSize - sampleSize)
              guard weight >= 0 else { continue }
              out[target + byte] =
                input[place * sampleSize + (isBigEndian ? sampleSize - 1 - weight : weight)]
            }
          }
        }
      }
    }
    return out
  }
}
