public import Foundation
public import FoundationExtras

/// The contents of an audio format description, at addresses that stay as long as it lives.
final class AudioFormatDetails: @unchecked Sendable {  // Safe because nothing changes after `init`.
  private let basicPointer: UnsafeMutablePointer<AudioStreamBasicDescription>
  private let listPointer: UnsafeMutablePointer<AudioFormatListItem>
  let layout: UnsafeRawBufferPointer
  let cookie: UnsafeRawBufferPointer

  init(_ basic: AudioStreamBasicDescription, layout: UnsafeRawBufferPointer?, cookie: UnsafeRawBufferPointer?)
  {
    basicPointer = .allocate(capacity: 1)
    basicPointer.initialize(to: basic)
    self.layout = Self.copy(layout)
    self.cookie = Self.copy(cookie)
    listPointer = .allocate(capacity: 1)
    let tag = self.layout.isEmpty ? 0 : self.layout.loadUnaligned(as: AudioChannelLayoutTag.self)
    listPointer.initialize(to: AudioFormatListItem(mASBD: basic, mChannelLayoutTag: tag))
  }

  deinit {
    basicPointer.deallocate()
    listPointer.deallocate()
    layout.deallocate()
    cookie.deallocate()
  }

  var basic: AudioStreamBasicDescription { basicPointer.pointee }
  var basicAddress: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(basicPointer) }
  var listAddress: UnsafePointer<AudioFormatListItem> { UnsafePointer(listPointer) }

  private static func copy(_ bytes: UnsafeRawBufferPointer?) -> UnsafeRawBufferPointer {
    guard let bytes, !bytes.isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    memory.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(memory)
  }
}

extension AudioFormatDetails: Equatable {
  static func == (left: AudioFormatDetails, right: AudioFormatDetails) -> Bool {
    left.basic == right.basic && left.layout.elementsEqual(right.layout)
      && left.cookie.elementsEqual(right.cookie)
  }
}

/// A format in which a stream of audio can be decoded.
///
/// Apple: `AudioFormatListItem`, same layout.
public struct AudioFormatListItem: Sendable, BitwiseCopyable {
  /// The format.
  public var mASBD: AudioStreamBasicDescription
  /// The arrangement of its channels; 0 for none.
  public var mChannelLayoutTag: AudioChannelLayoutTag

  /// All fields 0.
  public init() {
    self.init(mASBD: AudioStreamBasicDescription(), mChannelLayoutTag: 0)
  }

  /// Takes the fields as they are.
  public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
    self.mASBD = mASBD
    self.mChannelLayoutTag = mChannelLayoutTag
  }
}

/// Describes audio; everything that is handed in is copied.
///
/// - Parameters:
///   - asbd: How samples are coded and packed.
///   - layoutSize: Bytes of the layout; 0 without one.
///   - layout: Where the channels are.
///   - magicCookieSize: Bytes of the cookie; 0 without one.
///   - magicCookie: What the decoder needs to know beside.
@discardableResult
public func CMAudioFormatDescriptionCreate(
  allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
  layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int, magicCookie: UnsafeRawPointer?,
  extensions: CFDictionary?, formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  guard layoutSize >= 0, magicCookieSize >= 0, (layout == nil) == (layoutSize == 0),
    (magicCookie == nil) == (magicCookieSize == 0)
  else { return kCMFormatDescriptionError_InvalidParameter }
  let audio = AudioFormatDetails(
    asbd.pointee, layout: UnsafeRawBufferPointer(start: layout, count: layoutSize),
    cookie: UnsafeRawBufferPointer(start: magicCookie, count: magicCookieSize))
  formatDescriptionOut.pointee = CMFormatDescription(
    kCMMediaType_Audio, asbd.pointee.mFormatID, extensions: extensions, specifics: .audio(audio))
  return noErr
}

/// Gives how samples are coded and packed; `nil` when it is not audio.
///
/// The pointer lives as long as the description.
public func CMAudioFormatDescriptionGetStreamBasicDescription(_ desc: CMAudioFormatDescription)
  -> UnsafePointer<
    AudioStreamBasicDescription
  >?
{
  desc.audio?.basicAddress
}

/// Gives what the decoder needs to know beside; `nil` when that is nothing.
///
/// The pointer lives as long as the description.
public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  sizeOut?.pointee = desc.audio?.cookie.count ?? 0
  return desc.audio?.cookie.baseAddress
}

/// Gives where the channels are; `nil` when unknown.
///
/// The pointer lives as long as the description.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  sizeOut?.pointee = desc.audio?.layout.count ?? 0
  return desc.audio?.layout.baseAddress?.assumingMemoryBound(to: AudioChannelLayout.self)
}

/// Gives the ways to decode the audio, the richest first; one here.
///
/// `nil` when it is not audio.
public func CMAudioFormatDescriptionGetFormatList(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioFormatListItem>? {
  sizeOut?.pointee = desc.audio == nil ? 0 : MemoryLayout<AudioFormatListItem>.size
  return desc.audio?.listAddress
}

/// The parts of two audio format descriptions that are compared.
public typealias CMAudioFormatDescriptionMask = UInt32
/// How samples are coded and packed.
public let kCMAudioFormatDescriptionMask_StreamBasicDescription: CMAudioFormatDescriptionMask = 1 << 0
/// The magic cookie: the codec's configuration for the decoder.
public let kCMAudioFormatDescriptionMask_MagicCookie: CMAudioFormatDescriptionMask = 1 << 1
/// The channel layout.
public let kCMAudioFormatDescriptionMask_ChannelLayout: CMAudioFormatDescriptionMask = 1 << 2
/// The extensions.
public let kCMAudioFormatDescriptionMask_Extensions: CMAudioFormatDescriptionMask = 1 << 3
/// All of it.
public let kCMAudioFormatDescriptionMask_All: CMAudioFormatDescriptionMask = 0b1111

/// Whether parts of two descriptions of audio say the same.
///
/// - Parameter equalityMaskOut: Gets the parts that do.
public func CMAudioFormatDescriptionEqual(
  _ formatDescription: CMAudioFormatDescription, otherFormatDescription: CMAudioFormatDescription,
  equalityMask: CMAudioFormatDescriptionMask,
  equalityMaskOut: UnsafeMutablePointer<CMAudioFormatDescriptionMask>?
) -> Bool {
  equalityMaskOut?.pointee = 0
  guard let left = formatDescription.audio, let right = otherFormatDescription.audio else { return false }
  var equal: CMAudioFormatDescriptionMask = 0
  if left.basic == right.basic { equal |= kCMAudioFormatDescriptionMask_StreamBasicDescription }
  if left.cookie.elementsEqual(right.cookie) { equal |= kCMAudioFormatDescriptionMask_MagicCookie }
  if left.layout.elementsEqual(right.layout) { equal |= kCMAudioFormatDescriptionMask_ChannelLayout }
  if propertyListsAreEqual(formatDescription.extensionValues, otherFormatDescription.extensionValues) {
    equal |= kCMAudioFormatDescriptionMask_Extensions
  }
  equalityMaskOut?.pointee = equal & equalityMask
  return equal & equalityMask == equalityMask
}

extension CMFormatDescription {
  var audio: AudioFormatDetails? {
    if case .audio(let audio) = specifics { return audio }
    return nil
  }

  /// Describes audio.
  ///
  /// - Parameter layout: Where the channels are, `layoutSize` bytes.
  public convenience init(
    audioStreamBasicDescription: AudioStreamBasicDescription, layoutSize: Int,
    layout: UnsafePointer<AudioChannelLayout>?, magicCookie: Data?, extensions: Extensions? = nil
  ) throws {
    guard layoutSize >= 0, (layout == nil) == (layoutSize == 0) else { throw Error.invalidParameter }
    let layoutBytes = UnsafeRawBufferPointer(start: layout, count: layoutSize)
    let audio = (magicCookie ?? Data()).withUnsafeBytes {
      AudioFormatDetails(audioStreamBasicDescription, layout: layoutBytes, cookie: $0)
    }
    self.init(
      kCMMediaType_Audio, audioStreamBasicDescription.mFormatID, extensions: extensions?.base,
      specifics: .audio(audio))
  }

  /// Describes audio.
  ///
  /// - Parameter layout: Where the channels are.
  public convenience init(
    audioStreamBasicDescription: AudioStreamBasicDescription, layout: ManagedAudioChannelLayout? = nil,
    magicCookie: Data? = nil, extensions: Extensions? = nil
  ) throws {
    guard let layout else {
      try self.init(
        audioStreamBasicDescription: audioStreamBasicDescription, layoutSize: 0, layout: nil,
        magicCookie: magicCookie, extensions: extensions)
      return
    }
    let audio = (magicCookie ?? Data()).withUnsafeBytes { cookie in
      layout.withUnsafePointer { pointer in
        AudioFormatDetails(
          audioStreamBasicDescription,
          layout: UnsafeRawBufferPointer(start: pointer, count: layout.sizeInBytes), cookie: cookie)
      }
    }
    self.init(
      kCMMediaType_Audio, audioStreamBasicDescription.mFormatID, extensions: extensions?.base,
      specifics: .audio(audio))
  }

  /// The channel layout; `nil` when unknown.
  public var audioChannelLayout: ManagedAudioChannelLayout? {
    audio.flatMap { $0.layout.isEmpty ? nil : ManagedAudioChannelLayout($0.layout) }
  }

  /// How samples are coded and packed; `nil` when it is not audio.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? { audio?.basic }

  /// The magic cookie: the codec's configuration for the decoder; `nil` when there is none.
  public var magicCookie: Data? { audio.flatMap { $0.cookie.isEmpty ? nil : Data($0.cookie) } }

  /// Runs `body` on what the decoder needs to know beside; on `nil` when that is nothing.
  public func withMagicCookie<R>(_ body: (UnsafeRawBufferPointer?) throws -> R) rethrows -> R {
    try body(audio.flatMap { $0.cookie.isEmpty ? nil : $0.cookie })
  }

  /// The ways to decode the audio, the richest first.
  public var audioFormatList: [AudioFormatListItem] { audio.map { [$0.listAddress.pointee] } ?? [] }

  /// The parts of two audio format descriptions that are compared.
  public struct EqualityMask: OptionSet, Sendable {
    /// The bits, as Apple numbers them.
    public let rawValue: CMAudioFormatDescriptionMask

    /// Takes the bits as they are.
    public init(rawValue: CMAudioFormatDescriptionMask) {
      self.rawValue = rawValue
    }

    /// How samples are coded and packed.
    public static let streamBasicDescription = EqualityMask(rawValue: 1 << 0)
    /// The magic cookie.
    public static let magicCookie = EqualityMask(rawValue: 1 << 1)
    /// The channel layout.
    public static let channelLayout = EqualityMask(rawValue: 1 << 2)
    /// The extensions.
    public static let extensions = EqualityMask(rawValue: 1 << 3)
    /// All of it.
    public static let all: EqualityMask = [
      .streamBasicDescription, .magicCookie, .channelLayout, .extensions,
    ]
  }

  /// Whether parts of two descriptions of audio say the same, and which do.
  public func equalTo(_ otherFormatDescription: CMAudioFormatDescription, equalityMask: EqualityMask = .all)
    -> (
      Bool, equalityMask: EqualityMask
    )
  {
    var equal: CMAudioFormatDescriptionMask = 0
    let isEqual = CMAudioFormatDescriptionEqual(
      self, otherFormatDescription: otherFormatDescription, equalityMask: equalityMask.rawValue,
      equalityMaskOut: &equal)
    return (isEqual, EqualityMask(rawValue: equal))
  }
}
