// The keys of settings dictionaries for audio; their values are what Apple's are, so that dictionaries may be stored.

/// How the audio is coded, in a settings dictionary: a `kAudioFormat…`.
///
/// Apple: `AVFormatIDKey`.
public let AVFormatIDKey = "AVFormatIDKey"

/// Samples of one channel in a second, in a settings dictionary: a floating-point number.
///
/// Apple: `AVSampleRateKey`.
public let AVSampleRateKey = "AVSampleRateKey"

/// How many channels there are, in a settings dictionary: an integer.
///
/// Apple: `AVNumberOfChannelsKey`.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"

/// Bits of one uncompressed sample, in a settings dictionary: 8, 16, 24 or 32.
///
/// Apple: `AVLinearPCMBitDepthKey`.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"

/// Whether the byte of most weight comes first in uncompressed samples, in a settings dictionary: a Boolean.
///
/// Apple: `AVLinearPCMIsBigEndianKey`.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"

/// Whether uncompressed samples are floating-point numbers, in a settings dictionary: a Boolean.
///
/// Apple: `AVLinearPCMIsFloatKey`.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"

/// Whether each channel's uncompressed samples lie by themselves, in a settings dictionary: a Boolean.
///
/// Apple: `AVLinearPCMIsNonInterleaved`.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// Bits a second of compressed audio, in a settings dictionary: an integer.
///
/// Apple: `AVEncoderBitRateKey`.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
