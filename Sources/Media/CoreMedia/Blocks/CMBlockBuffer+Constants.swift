public import FoundationExtras

/// Bits that say how a block buffer is made.
public typealias CMBlockBufferFlags = UInt32

/// Allocate at once, not when the bytes are first needed.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0
/// Copy even where referring would do.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 1 << 1
/// Keep chains of references; accepted, because references are always flattened and cost nothing then.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 1 << 2
/// Allow a reference to an empty buffer.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 1 << 3

/// Success.
public let kCMBlockBufferNoErr: OSStatus = 0
/// No memory for the buffer's own structure.
public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
/// The allocator gave no memory for the bytes.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// The custom block source has an unknown version or lacks its function to allocate.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// The offset is outside the data.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// The length is zero or reaches beyond the data.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A needed pointer is `nil`.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
/// The block buffer has no data.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
/// Memory was promised and is not there yet.
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
/// There is no room for what was asked.
public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

/// The only version of ``CMBlockBufferCustomBlockSource``.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// A source of memory for a block buffer: the functions that allocate and free it.
///
/// Apple: `CMBlockBufferCustomBlockSource`.
public struct CMBlockBufferCustomBlockSource {
  /// Must be ``kCMBlockBufferCustomBlockSourceVersion``.
  public var version: UInt32
  /// Gives that many bytes or `nil`; needed where no memory is handed in.
  public var AllocateBlock:
    (@convention(c) (_ refCon: UnsafeMutableRawPointer?, _ sizeInBytes: Int) -> UnsafeMutableRawPointer?)?
  /// Takes the memory back, once.
  public var FreeBlock:
    (
      @convention(c) (
        _ refCon: UnsafeMutableRawPointer?, _ doomedMemoryBlock: UnsafeMutableRawPointer, _ sizeInBytes: Int
      ) -> Void
    )?
  /// Handed to both functions.
  public var refCon: UnsafeMutableRawPointer?

  /// A source without functions.
  public init() {
    self.init(version: 0, AllocateBlock: nil, FreeBlock: nil, refCon: nil)
  }

  /// A source of memory.
  public init(
    version: UInt32,
    AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?,
    FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?,
    refCon: UnsafeMutableRawPointer?
  ) {
    self.version = version
    self.AllocateBlock = AllocateBlock
    self.FreeBlock = FreeBlock
    self.refCon = refCon
  }
}
