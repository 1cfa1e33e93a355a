/// A number that names an arrangement of channels.
public typealias AudioChannelLayoutTag = UInt32
/// The label of an audio channel, such as left.
public typealias AudioChannelLabel = UInt32

/// The arrangement is given by descriptions of the channels.
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = 0 << 16
/// The arrangement is given by a bitmap.
public let kAudioChannelLayoutTag_UseChannelBitmap: AudioChannelLayoutTag = 1 << 16
/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left and right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
/// Left and right for headphones.
public let kAudioChannelLayoutTag_StereoHeadphones: AudioChannelLayoutTag = 102 << 16 | 2

/// How many channels a tag names: its low 16 bits.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ layoutTag: AudioChannelLayoutTag) -> UInt32 {
  layoutTag & 0xFFFF
}

/// A set of audio channels, one bit for each.
///
/// Apple: `AudioChannelBitmap`.
public struct AudioChannelBitmap: OptionSet, Sendable, Hashable, BitwiseCopyable {
  /// The bits, as Apple numbers them.
  public let rawValue: UInt32

  /// Takes the bits as they are.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Left.
  public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
  /// Right.
  public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
  /// Centre.
  public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
}

/// Bits about a channel's coordinates.
///
/// Apple: `AudioChannelFlags`.
public struct AudioChannelFlags: OptionSet, Sendable, Hashable, BitwiseCopyable {
  /// The bits, as Apple numbers them.
  public let rawValue: UInt32

  /// Takes the bits as they are.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Coordinates are right, front, up.
  public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1 << 0)
  /// Coordinates are angle, elevation, distance.
  public static let sphericalCoordinates = AudioChannelFlags(rawValue: 1 << 1)
  /// Coordinates are in metres.
  public static let meters = AudioChannelFlags(rawValue: 1 << 2)
}

/// The description of an audio channel: its label and, if given, its position.
///
/// Apple: `AudioChannelDescription`, same layout.
public struct AudioChannelDescription: Sendable, BitwiseCopyable {
  /// The label of the channel.
  public var mChannelLabel: AudioChannelLabel
  /// The flags that define the coordinates.
  public var mChannelFlags: AudioChannelFlags
  /// The channel's position in space.
  public var mCoordinates: (Float32, Float32, Float32)

  /// All fields 0.
  public init() {
    self.init(mChannelLabel: 0, mChannelFlags: [], mCoordinates: (0, 0, 0))
  }

  /// Takes the fields as they are.
  public init(
    mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags,
    mCoordinates: (Float32, Float32, Float32)
  ) {
    self.mChannelLabel = mChannelLabel
    self.mChannelFlags = mChannelFlags
    self.mCoordinates = mCoordinates
  }
}

/// The layout of audio channels: which there are, and where; behind it lie as many descriptions as counted.
///
/// Apple: `AudioChannelLayout`,
/// same layout.
public struct AudioChannelLayout: Sendable, BitwiseCopyable {
  /// The arrangement's name, or how else it is given.
  public var mChannelLayoutTag: AudioChannelLayoutTag
  /// The channels, where the tag says so.
  public var mChannelBitmap: AudioChannelBitmap
  /// How many descriptions follow.
  public var mNumberChannelDescriptions: UInt32
  /// The first description.
  public var mChannelDescriptions: AudioChannelDescription

  /// All fields 0.
  public init() {
    self.init(
      mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
      mChannelDescriptions: AudioChannelDescription())
  }

  /// Takes the fields as they are.
  public init(
    mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap,
    mNumberChannelDescriptions: UInt32, mChannelDescriptions: AudioChannelDescription
  ) {
    self.mChannelLayoutTag = mChannelLayoutTag
    self.mChannelBitmap = mChannelBitmap
    self.mNumberChannelDescriptions = mNumberChannelDescriptions
    self.mChannelDescriptions = mChannelDescriptions
  }
}
