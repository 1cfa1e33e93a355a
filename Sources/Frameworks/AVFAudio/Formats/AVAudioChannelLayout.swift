public import CoreMedia
public import Foundation

/// The arrangement of the channels of audio, such as left and right.
///
/// Immutable, thread-safe. Apple: `AVAudioChannelLayout`.
public final class AVAudioChannelLayout: NSObject, @unchecked Sendable {  // Safe: constant after `init`.
  private let bytes: [UInt8]
  private let memory: UnsafeMutableRawPointer
  /// How many channels there are.
  ///
  /// Apple: `AVAudioChannelLayout.channelCount`.
  public let channelCount: AVAudioChannelCount

  /// The arrangement that a tag names; `nil` for tags that need descriptions or a bitmap.
  ///
  /// Apple: `AVAudioChannelLayout.init(layoutTag:)`.
  public convenience init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
      layoutTag != kAudioChannelLayoutTag_UseChannelBitmap,
      AudioChannelLayoutTag_GetNumberOfChannels(layoutTag) > 0
    else { return nil }
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = layoutTag
    self.init(layout: &layout)
  }

  /// Copies a layout with the descriptions behind it.
  ///
  /// Apple: `AVAudioChannelLayout.init(layout:)`.
  public init(layout: UnsafePointer<AudioChannelLayout>) {
    let count = Int(layout.pointee.mNumberChannelDescriptions)
    let size =
      MemoryLayout<AudioChannelLayout>.size + max(0, count - 1) * MemoryLayout<AudioChannelDescription>.stride
    memory = .allocate(byteCount: size, alignment: MemoryLayout<AudioChannelLayout>.alignment)
    memory.copyMemory(from: layout, byteCount: size)
    bytes = Array(UnsafeRawBufferPointer(start: memory, count: size))
    channelCount =
      switch layout.pointee.mChannelLayoutTag {
      case kAudioChannelLayoutTag_UseChannelDescriptions: UInt32(count)
      case kAudioChannelLayoutTag_UseChannelBitmap:
        UInt32(layout.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
      default: AudioChannelLayoutTag_GetNumberOfChannels(layout.pointee.mChannelLayoutTag)
      }
  }

  deinit {
    memory.deallocate()
  }

  /// Copies a layout out of its bytes, as settings hold them; `nil` when they are too few for what they say.
  package convenience init?(data: Data) {
    // Safe because it is copied to memory that is aligned as a layout, and no more descriptions are read than there is room for.
    let room = max(data.count, MemoryLayout<AudioChannelLayout>.size)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: room, alignment: MemoryLayout<AudioChannelLayout>.alignment)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: room)
    data.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
    }
    let layout = memory.assumingMemoryBound(to: AudioChannelLayout.self)
    let head = 12
    let needed =
      head + Int(layout.pointee.mNumberChannelDescriptions) * MemoryLayout<AudioChannelDescription>.stride
    guard data.count >= max(head, needed) else { return nil }
    self.init(layout: layout)
  }

  /// The bytes of the layout, as settings hold them.
  var data: Data { Data(bytes) }

  /// The arrangement's name.
  ///
  /// Apple: `AVAudioChannelLayout.layoutTag`.
  public var layoutTag: AudioChannelLayoutTag { layout.pointee.mChannelLayoutTag }

  /// The layout; the pointer lives as long as the object.
  ///
  /// Apple: `AVAudioChannelLayout.layout`.
  public var layout: UnsafePointer<AudioChannelLayout> {
    UnsafePointer(memory.assumingMemoryBound(to: AudioChannelLayout.self))
  }

  /// The bytes of the layout and its descriptions.
  var size: Int { bytes.count }

  /// Whether both arrange the same channels alike.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioChannelLayout)?.bytes == bytes
  }

  /// Hashes what equal layouts share.
  public override var hash: Int { Int(layoutTag) }
}
