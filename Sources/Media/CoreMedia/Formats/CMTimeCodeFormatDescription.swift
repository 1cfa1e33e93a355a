public import FoundationExtras

/// Time codes leave out numbers, so that 30 frames a second fit 29.97.
public let kCMTimeCodeFlag_DropFrame: UInt32 = 1 << 0
/// Time codes begin anew after 24 hours.
public let kCMTimeCodeFlag_24HourMax: UInt32 = 1 << 1
/// Time codes may be negative.
public let kCMTimeCodeFlag_NegTimesOK: UInt32 = 1 << 2

/// Describes time codes.
///
/// - Parameters:
///   - frameDuration: How long a frame is, such as 1001/30000.
///   - frameQuanta: How many frames are counted a second, such as 30.
///   - flags: `kCMTimeCodeFlag_…`.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` when the duration is not a number or nothing is counted.
@discardableResult
public func CMTimeCodeFormatDescriptionCreate(
  allocator: CFAllocator?, timeCodeFormatType: CMTimeCodeFormatType, frameDuration: CMTime,
  frameQuanta: UInt32,
  flags tcFlags: UInt32, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMTimeCodeFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  guard frameDuration.isNumeric, frameQuanta > 0 else { return kCMFormatDescriptionError_InvalidParameter }
  let count = CMFormatDescription.FrameCount(
    frameDuration: frameDuration, frameQuanta: frameQuanta, flags: tcFlags)
  formatDescriptionOut.pointee = CMFormatDescription(
    kCMMediaType_TimeCode, timeCodeFormatType, extensions: extensions, specifics: .timeCode(count))
  return noErr
}

/// Gives how long a frame is; invalid when it is not a description of time codes.
public func CMTimeCodeFormatDescriptionGetFrameDuration(
  _ timeCodeFormatDescription: CMTimeCodeFormatDescription
)
  -> CMTime
{
  timeCodeFormatDescription.frameDuration
}

/// Gives how many frames are counted a second; 0 when it is not a description of time codes.
public func CMTimeCodeFormatDescriptionGetFrameQuanta(
  _ timeCodeFormatDescription: CMTimeCodeFormatDescription
)
  -> UInt32
{
  timeCodeFormatDescription.frameQuanta
}

/// Gives the `kCMTimeCodeFlag_…`; 0 when it is not a description of time codes.
public func CMTimeCodeFormatDescriptionGetTimeCodeFlags(_ desc: CMTimeCodeFormatDescription) -> UInt32 {
  desc.timeCodeFlags.rawValue
}

extension CMFormatDescription {
  /// The namespace of ``Flag``.
  public struct TimeCode {
    /// Flags of the counting in time codes.
    public struct Flag: OptionSet, Sendable {
      /// The bits, as Apple numbers them.
      public let rawValue: UInt32

      /// Takes the bits as they are.
      public init(rawValue: UInt32) {
        self.rawValue = rawValue
      }

      /// Numbers are left out, so that 30 frames a second fit 29.97.
      public static let dropFrame = Flag(rawValue: kCMTimeCodeFlag_DropFrame)
      /// Counting begins anew after 24 hours.
      public static let twentyFourHourMax = Flag(rawValue: kCMTimeCodeFlag_24HourMax)
      /// Time codes may be negative.
      public static let negTimesOK = Flag(rawValue: kCMTimeCodeFlag_NegTimesOK)
    }
  }

  /// Describes time codes.
  ///
  /// - Throws: `invalidParameter` when the duration is not a number or nothing is counted.
  public convenience init(
    timeCodeFormatType: MediaSubType, frameDuration: CMTime, frameQuanta: Int, flags: TimeCode.Flag,
    extensions: Extensions? = nil
  ) throws {
    guard frameDuration.isNumeric, let quanta = UInt32(exactly: frameQuanta), quanta > 0 else {
      throw Error.invalidParameter
    }
    self.init(
      kCMMediaType_TimeCode, timeCodeFormatType.rawValue, extensions: extensions?.base,
      specifics: .timeCode(
        FrameCount(frameDuration: frameDuration, frameQuanta: quanta, flags: flags.rawValue)))
  }

  private var frameCount: FrameCount? {
    if case .timeCode(let count) = specifics { return count }
    return nil
  }

  /// How long a frame is; invalid when these are not time codes.
  public var frameDuration: CMTime { frameCount?.frameDuration ?? .invalid }

  /// How many frames are counted a second; 0 when these are not time codes.
  public var frameQuanta: UInt32 { frameCount?.frameQuanta ?? 0 }

  /// How time codes count.
  public var timeCodeFlags: TimeCode.Flag { TimeCode.Flag(rawValue: frameCount?.flags ?? 0) }
}
