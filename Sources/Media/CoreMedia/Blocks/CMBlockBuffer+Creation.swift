public import FoundationExtras
internal import Glibc

/// Makes a block buffer without data, to append to.
///
/// - Parameter subBlockCapacity: A hint, accepted as on Apple.
@discardableResult
public func CMBlockBufferCreateEmpty(
  allocator structureAllocator: CFAllocator?, capacity subBlockCapacity: UInt32, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = CMBlockBuffer(pieces: [])
  return kCMBlockBufferNoErr
}

/// Makes a block buffer on memory that is handed in, or that is allocated when it is first needed.
///
/// - Parameters:
///   - memoryBlock: The memory, which the buffer takes over; `nil` to have it allocated.
///   - blockLength: How large the memory is.
///   - blockAllocator: Frees (and allocates) the memory: `kCFAllocatorNull` leaves it alone, every other one uses
///     `free`. Does not count when there is a custom source.
///   - customBlockSource: Functions to use instead.
///   - offsetToData: Where the data begins in the memory.
///   - dataLength: How long the data is.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
  allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int,
  blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
  offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = nil
  let buffer = CMBlockBuffer(pieces: [])
  let status = CMBlockBufferAppendMemoryBlock(
    buffer, memoryBlock: memoryBlock, length: blockLength, blockAllocator: blockAllocator,
    customBlockSource: customBlockSource, offsetToData: offsetToData, dataLength: dataLength, flags: flags)
  if status == kCMBlockBufferNoErr { blockBufferOut.pointee = buffer }
  return status
}

/// Makes a block buffer that shares part of another's memory.
///
/// - Parameter dataLength: How many bytes; 0 means all from the offset on.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
  allocator structureAllocator: CFAllocator?, referenceBuffer: CMBlockBuffer, offsetToData: Int,
  dataLength: Int,
  flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = nil
  let buffer = CMBlockBuffer(pieces: [])
  let status = CMBlockBufferAppendBufferReference(
    buffer, targetBBuf: referenceBuffer, offsetToData: offsetToData, dataLength: dataLength, flags: flags)
  if status == kCMBlockBufferNoErr { blockBufferOut.pointee = buffer }
  return status
}

/// Makes a block buffer whose data lies in one piece: a reference where the source's does already, else a copy.
///
/// - Parameter dataLength: How many bytes; 0 means all from the offset on.
@discardableResult
public func CMBlockBufferCreateContiguous(
  allocator structureAllocator: CFAllocator?, sourceBuffer: CMBlockBuffer, blockAllocator: CFAllocator?,
  customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int,
  flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = nil
  let mustCopy = flags & kCMBlockBufferAlwaysCopyDataFlag != 0
  if !mustCopy, CMBlockBufferIsRangeContiguous(sourceBuffer, atOffset: offsetToData, length: dataLength) {
    return CMBlockBufferCreateWithBufferReference(
      allocator: structureAllocator, referenceBuffer: sourceBuffer, offsetToData: offsetToData,
      dataLength: dataLength, flags: flags, blockBufferOut: blockBufferOut)
  }
  guard offsetToData >= 0, offsetToData < sourceBuffer.length else {
    return kCMBlockBufferBadOffsetParameterErr
  }
  let length = dataLength == 0 ? sourceBuffer.length - offsetToData : dataLength
  var copy: CMBlockBuffer?
  var status = CMBlockBufferCreateWithMemoryBlock(
    allocator: structureAllocator, memoryBlock: nil, blockLength: length, blockAllocator: blockAllocator,
    customBlockSource: customBlockSource, offsetToData: 0, dataLength: length,
    flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &copy)
  guard status == kCMBlockBufferNoErr, let copy, let memory = copy.allPieces.first?.block.memory else {
    return status
  }
  status = CMBlockBufferCopyDataBytes(
    sourceBuffer, atOffset: offsetToData, dataLength: length, destination: memory)
  if status == kCMBlockBufferNoErr { blockBufferOut.pointee = copy }
  return status
}

/// Appends memory; see ``CMBlockBufferCreateWithMemoryBlock(allocator:memoryBlock:blockLength:blockAllocator:customBlockSource:offsetToData:dataLength:flags:blockBufferOut:)``.
@discardableResult
public func CMBlockBufferAppendMemoryBlock(
  _ theBuffer: CMBlockBuffer, memoryBlock: UnsafeMutableRawPointer?, length blockLength: Int,
  blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
  offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags
) -> OSStatus {
  guard blockLength > 0 else { return kCMBlockBufferBadLengthParameterErr }
  guard offsetToData >= 0, offsetToData < blockLength else { return kCMBlockBufferBadOffsetParameterErr }
  guard dataLength >= 0, dataLength <= blockLength - offsetToData else {
    return kCMBlockBufferBadLengthParameterErr
  }
  let block: MemoryBlock
  if let source = customBlockSource?.pointee {
    guard source.version == kCMBlockBufferCustomBlockSourceVersion,
      memoryBlock != nil || source.AllocateBlock != nil
    else { return kCMBlockBufferBadCustomBlockSourceErr }
    block = MemoryBlock(
      memoryBlock, length: blockLength, allocate: { source.AllocateBlock?(source.refCon, blockLength) },
      release: { memory, length in source.FreeBlock?(source.refCon, memory, length) })
  } else {
    let ownsNothing = blockAllocator == kCFAllocatorNull
    if ownsNothing, memoryBlock == nil { return kCMBlockBufferBlockAllocationFailedErr }
    block = MemoryBlock(
      memoryBlock, length: blockLength, allocate: { malloc(blockLength) },
      release: { memory, _ in if !ownsNothing { free(memory) } })
  }
  if flags & kCMBlockBufferAssureMemoryNowFlag != 0, block.assured() == nil {
    return kCMBlockBufferBlockAllocationFailedErr
  }
  theBuffer.append([BlockPiece(block: block, offset: offsetToData, length: dataLength)])
  return kCMBlockBufferNoErr
}

/// Appends part of another block buffer, sharing its memory.
///
/// - Parameter dataLength: How many bytes; 0 means all from the offset on.
@discardableResult
public func CMBlockBufferAppendBufferReference(
  _ theBuffer: CMBlockBuffer, targetBBuf: CMBlockBuffer, offsetToData: Int, dataLength: Int,
  flags: CMBlockBufferFlags
) -> OSStatus {
  let available = targetBBuf.length
  if available == 0 {
    return flags & kCMBlockBufferPermitEmptyReferenceFlag != 0
      ? kCMBlockBufferNoErr : kCMBlockBufferEmptyBBufErr
  }
  guard offsetToData >= 0, offsetToData < available else { return kCMBlockBufferBadOffsetParameterErr }
  let length = dataLength == 0 ? available - offsetToData : dataLength
  guard length > 0, length <= available - offsetToData,
    let pieces = targetBBuf.pieces(in: offsetToData..<offsetToData + length)
  else { return kCMBlockBufferBadLengthParameterErr }
  theBuffer.append(pieces)
  return kCMBlockBufferNoErr
}

/// Allocates all memory that was only promised so far.
@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
  let isAssured = theBuffer.allPieces.allSatisfy { $0.block.assured() != nil }
  return isAssured ? kCMBlockBufferNoErr : kCMBlockBufferBlockAllocationFailedErr
}
