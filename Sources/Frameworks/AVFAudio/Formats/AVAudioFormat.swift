public import CoreMedia
public import Foundation
internal import FoundationExtras

/// The layout of samples in the most usual formats of audio.
///
/// Apple: `AVAudioCommonFormat`.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Any other format.
  case otherFormat = 0
  /// Floating-point numbers of 32 bits.
  case pcmFormatFloat32 = 1
  /// Floating-point numbers of 64 bits.
  case pcmFormatFloat64 = 2
  /// Signed integers of 16 bits.
  case pcmFormatInt16 = 3
  /// Signed integers of 32 bits.
  case pcmFormatInt32 = 4
}

/// Samples of one channel in a stretch of audio.
public typealias AVAudioFrameCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// Packets of audio.
public typealias AVAudioPacketCount = UInt32

/// A format of audio: coding, sample rate and channels.
///
/// Immutable, thread-safe. Apple: `AVAudioFormat`.
public final class AVAudioFormat: NSObject, @unchecked Sendable {  // Safe: constant after `init`.
  /// The description; the pointer lives as long as the format.
  ///
  /// Apple: `AVAudioFormat.streamDescription`.
  public let streamDescription: UnsafePointer<AudioStreamBasicDescription>
  /// The same for Core Media.
  ///
  /// Apple: `AVAudioFormat.formatDescription`.
  public let formatDescription: CMAudioFormatDescription
  private let memory: UnsafeMutablePointer<AudioStreamBasicDescription>

  /// The arrangement of the channels; `nil` where it was not said, as for one or two channels.
  ///
  /// Apple: `AVAudioFormat.channelLayout`.
  public let channelLayout: AVAudioChannelLayout?

  init(
    _ basic: AudioStreamBasicDescription, _ format: CMAudioFormatDescription,
    _ layout: AVAudioChannelLayout? = nil
  ) {
    channelLayout = layout
    memory = .allocate(capacity: 1)
    memory.initialize(to: basic)
    streamDescription = UnsafePointer(memory)
    formatDescription = format
  }

  deinit {
    memory.deallocate()
  }

  /// The format of a description; `nil` for more than two channels, whose arrangement it does not say.
  ///
  /// Apple: `AVAudioFormat.init(streamDescription:)`.
  public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
    let basic = asbd.pointee
    guard basic.mSampleRate > 0, (1...2).contains(basic.mChannelsPerFrame),
      let format = try? CMFormatDescription(audioStreamBasicDescription: basic)
    else { return nil }
    self.init(basic, format)
  }

  /// The format of a description of Core Media's.
  ///
  /// Apple: `AVAudioFormat.init(cmAudioFormatDescription:)`.
  public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
    let layout = formatDescription.audioChannelLayout?.withUnsafePointer { AVAudioChannelLayout(layout: $0) }
    self.init(
      formatDescription.audioStreamBasicDescription ?? AudioStreamBasicDescription(), formatDescription,
      layout)
  }

  /// Floating-point numbers of 32 bits, each channel by itself; `nil` for more than two channels.
  ///
  /// Apple: `AVAudioFormat.init(standardFormatWithSampleRate:channels:)`.
  public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
  }

  /// A common format; `nil` for more than two channels, and for ``AVAudioCommonFormat/otherFormat``.
  ///
  /// Apple: `AVAudioFormat.init(commonFormat:sampleRate:channels:interleaved:)`.
  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
    interleaved: Bool
  ) {
    guard var basic = Self.description(format, sampleRate, channels, interleaved) else { return nil }
    self.init(streamDescription: &basic)
  }

  /// Linear PCM in a common format; `nil` for ``AVAudioCommonFormat/otherFormat``.
  static func description(
    _ format: AVAudioCommonFormat, _ sampleRate: Double, _ channels: AVAudioChannelCount, _ interleaved: Bool
  ) -> AudioStreamBasicDescription? {
    guard let kind = kinds[format] else { return nil }
    var basic = AudioStreamBasicDescription()
    basic.mFormatID = kAudioFormatLinearPCM
    basic.mSampleRate = sampleRate
    basic.mFormatFlags =
      kind.flags | kAudioFormatFlagIsPacked | (interleaved ? 0 : kAudioFormatFlagIsNonInterleaved)
    basic.mChannelsPerFrame = channels
    basic.mBitsPerChannel = kind.bits
    basic.mBytesPerFrame = kind.bits / 8 * (interleaved ? channels : 1)
    basic.mBytesPerPacket = basic.mBytesPerFrame
    basic.mFramesPerPacket = 1
    return basic
  }

  private static let kinds: [AVAudioCommonFormat: (bits: UInt32, flags: AudioFormatFlags)] = [
    .pcmFormatFloat32: (32, kAudioFormatFlagIsFloat), .pcmFormatFloat64: (64, kAudioFormatFlagIsFloat),
    .pcmFormatInt16: (16, kAudioFormatFlagIsSignedInteger),
    .pcmFormatInt32: (32, kAudioFormatFlagIsSignedInteger),
  ]

  /// The format of a settings dictionary.
  ///
  /// - Returns: `nil` when it lacks format, rate or channels, has more than two channels without `AVChannelLayoutKey`, or a layout of
  ///   another number of channels.
  ///
  /// Apple: `AVAudioFormat.init(settings:)`.
  public convenience init?(settings: [String: Any]) {
    guard let formatID = LooseNumber.code(settings[AVFormatIDKey]),
      let rate = LooseNumber.double(settings[AVSampleRateKey]),
      let channels = LooseNumber.integer(settings[AVNumberOfChannelsKey]), (1...64).contains(channels)
    else { return nil }
    var layout: AVAudioChannelLayout?
    if let said = settings[AVChannelLayoutKey] {
      layout = (said as? Data).flatMap { AVAudioChannelLayout(data: $0) }
      guard layout != nil else { return nil }
    }
    var basic = AudioStreamBasicDescription()
    basic.mFormatID = formatID
    basic.mSampleRate = rate
    basic.mChannelsPerFrame = UInt32(channels)
    if formatID == kAudioFormatLinearPCM {
      let isFloat = LooseNumber.truth(settings[AVLinearPCMIsFloatKey]) ?? false
      let isApart = LooseNumber.truth(settings[AVLinearPCMIsNonInterleaved]) ?? false
      let isBig = LooseNumber.truth(settings[AVLinearPCMIsBigEndianKey]) ?? false
      guard let bits = LooseNumber.integer(settings[AVLinearPCMBitDepthKey]),
        [8, 16, 24, 32, 64].contains(bits)
      else { return nil }
      basic.mFormatFlags =
        (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked
        | (isApart ? kAudioFormatFlagIsNonInterleaved : 0) | (isBig ? kAudioFormatFlagIsBigEndian : 0)
      basic.mBitsPerChannel = UInt32(bits)
      basic.mBytesPerFrame = UInt32(bits / 8 * (isApart ? 1 : channels))
      basic.mBytesPerPacket = basic.mBytesPerFrame
      basic.mFramesPerPacket = 1
    }
    self.init(streamDescription: &basic, channelLayout: layout)
  }

  /// Which common format it is; big-endian samples are another one.
  ///
  /// Apple: `AVAudioFormat.commonFormat`.
  public var commonFormat: AVAudioCommonFormat {
    let basic = streamDescription.pointee
    guard basic.mFormatID == kAudioFormatLinearPCM, basic.mFormatFlags & kAudioFormatFlagIsBigEndian == 0
    else { return .otherFormat }
    let kind = basic.mFormatFlags & (kAudioFormatFlagIsFloat | kAudioFormatFlagIsSignedInteger)
    return Self.kinds.first { $0.value.bits == basic.mBitsPerChannel && $0.value.flags == kind }?.key
      ?? .otherFormat
  }

  /// Samples of one channel in a second.
  ///
  /// Apple: `AVAudioFormat.sampleRate`.
  public var sampleRate: Double { streamDescription.pointee.mSampleRate }

  /// How many channels.
  ///
  /// Apple: `AVAudioFormat.channelCount`.
  public var channelCount: AVAudioChannelCount { streamDescription.pointee.mChannelsPerFrame }

  /// Whether it is the standard format: floating-point numbers of 32 bits, each channel by itself.
  ///
  /// Apple: `AVAudioFormat.isStandard`.
  public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

  /// Whether the samples of a moment lie together.
  ///
  /// Apple: `AVAudioFormat.isInterleaved`.
  public var isInterleaved: Bool {
    streamDescription.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
  }

  /// The magic cookie: the codec's configuration for the decoder.
  ///
  /// Apple: `AVAudioFormat.magicCookie`.
  public var magicCookie: Data? { formatDescription.magicCookie }

  /// The same as a settings dictionary.
  ///
  /// Apple: `AVAudioFormat.settings`.
  public var settings: [String: Any] {
    let basic = streamDescription.pointee
    var settings: [String: Any] = [
      AVFormatIDKey: basic.mFormatID, AVSampleRateKey: basic.mSampleRate,
      AVNumberOfChannelsKey: Int(basic.mChannelsPerFrame),
    ]
    settings[AVChannelLayoutKey] = channelLayout?.data
    guard basic.mFormatID == kAudioFormatLinearPCM else { return settings }
    settings[AVLinearPCMBitDepthKey] = Int(basic.mBitsPerChannel)
    settings[AVLinearPCMIsFloatKey] = basic.mFormatFlags & kAudioFormatFlagIsFloat != 0
    settings[AVLinearPCMIsBigEndianKey] = basic.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
    settings[AVLinearPCMIsNonInterleaved] = !isInterleaved
    return settings
  }

  /// Whether both formats are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioFormat).map { $0.formatDescription == formatDescription } ?? false
  }

  /// Hashes what equal formats share.
  public override var hash: Int { Int(sampleRate) ^ Int(channelCount) }
}
