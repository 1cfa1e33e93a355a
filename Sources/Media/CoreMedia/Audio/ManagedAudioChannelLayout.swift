/// A channel layout with as many descriptions as it has, as a value.
///
/// Apple: `ManagedAudioChannelLayout`.
public struct ManagedAudioChannelLayout: Sendable {
  private var bytes: [UInt8]

  /// The layout of a tag, without descriptions.
  public init(tag: AudioChannelLayoutTag) {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = tag
    bytes = withUnsafeBytes(of: &layout) { Array($0) }
  }

  /// Copies a layout and the descriptions behind it.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = Array(bytes)
    // A layout without descriptions may be shorter than the type, which shows one.
    let missing = MemoryLayout<AudioChannelLayout>.size - self.bytes.count
    if missing > 0 { self.bytes += [UInt8](repeating: 0, count: missing) }
  }

  /// The arrangement's name, or how else it is given.
  public var tag: AudioChannelLayoutTag { withUnsafePointer { $0.pointee.mChannelLayoutTag } }

  /// The channels, where the tag says so.
  public var bitmap: AudioChannelBitmap { withUnsafePointer { $0.pointee.mChannelBitmap } }

  /// The bytes of layout and descriptions.
  public var sizeInBytes: Int { bytes.count }

  /// Runs `body` on the layout in memory.
  public func withUnsafePointer<Result>(_ body: (UnsafePointer<AudioChannelLayout>) throws -> Result) rethrows
    -> Result
  {
    try bytes.withUnsafeBytes { bytes in
      let copy = UnsafeMutableRawBufferPointer.allocate(
        byteCount: bytes.count, alignment: MemoryLayout<AudioChannelLayout>.alignment)
      defer { copy.deallocate() }
      copy.copyMemory(from: bytes)
      // Safe because the bytes of a layout are never none.
      return try body(
        UnsafePointer(copy.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: AudioChannelLayout.self)))
    }
  }
}
