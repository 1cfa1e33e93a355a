// What encoders and sample-rate converters are asked for in settings dictionaries; the values are what Apple's are.

/// The arrangement of the channels, in a settings dictionary: the bytes of an `AudioChannelLayout` as `Data`.
///
/// Apple: `AVChannelLayoutKey`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"

/// How well the encoder codes where no bit rate is asked for, in a settings dictionary: an ``AVAudioQuality`` as a number.
///
/// Apple: `AVEncoderAudioQualityKey`.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"

/// The same for variable bit rates, in a settings dictionary; it counts before ``AVEncoderAudioQualityKey`` where the strategy is
/// ``AVAudioBitRateStrategy_Variable``.
///
/// Apple: `AVEncoderAudioQualityForVBRKey`.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderQualityForVBRKey"

/// Bits a second of one channel of compressed audio, in a settings dictionary: an integer; ``AVEncoderBitRateKey`` counts before it.
///
/// Apple: `AVEncoderBitRatePerChannelKey`.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"

/// How the bit rate may vary, in a settings dictionary: an `AVAudioBitRateStrategy_…`; the encoders here keep it on the average.
///
/// Apple: `AVEncoderBitRateStrategyKey`.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"

/// Bits of a sample before it is coded, in a settings dictionary: an integer, which changes nothing here.
///
/// Apple: `AVEncoderBitDepthHintKey`.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// How the sample rate is converted, in a settings dictionary: an `AVSampleRateConverterAlgorithm_…`, which changes nothing here.
///
/// Apple: `AVSampleRateConverterAlgorithmKey`.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"

/// How well the sample rate is converted, in a settings dictionary: an ``AVAudioQuality`` as a number, which changes nothing here.
///
/// Apple: `AVSampleRateConverterAudioQualityKey`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"

/// The same bit rate at every moment.
///
/// Apple: `AVAudioBitRateStrategy_Constant`.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"

/// The bit rate is kept on the average.
///
/// Apple: `AVAudioBitRateStrategy_LongTermAverage`.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"

/// The bit rate follows the audio within limits.
///
/// Apple: `AVAudioBitRateStrategy_VariableConstrained`.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"

/// The bit rate follows the audio.
///
/// Apple: `AVAudioBitRateStrategy_Variable`.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The usual conversion of sample rates.
///
/// Apple: `AVSampleRateConverterAlgorithm_Normal`.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"

/// The conversion of sample rates for mastering.
///
/// Apple: `AVSampleRateConverterAlgorithm_Mastering`.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"

/// The conversion of sample rates with the least delay.
///
/// Apple: `AVSampleRateConverterAlgorithm_MinimumPhase`.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"
