public import FoundationExtras

/// Gives a pointer to a range of data, copied into `temporaryBlock` where it does not lie in one piece.
///
/// - Parameter temporaryBlock: At least `length` bytes.
@discardableResult
public func CMBlockBufferAccessDataBytes(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int, temporaryBlock: UnsafeMutableRawPointer,
  returnedPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> OSStatus {
  let checked = presentPieces(theBuffer, offset, length)
  guard let pieces = checked.pieces else { return checked.status }
  if pieces.count == 1 {
    returnedPointerOut.pointee = pieces[0].memory.assumingMemoryBound(to: CChar.self)
    return kCMBlockBufferNoErr
  }
  copy(pieces, to: temporaryBlock)
  returnedPointerOut.pointee = temporaryBlock.assumingMemoryBound(to: CChar.self)
  return kCMBlockBufferNoErr
}

/// Copies data out of a block buffer.
///
/// - Parameter destination: Room for `dataLength` bytes.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  let checked = presentPieces(theSourceBuffer, offsetToData, dataLength)
  guard let pieces = checked.pieces else { return checked.status }
  copy(pieces, to: destination)
  return kCMBlockBufferNoErr
}

/// Overwrites data in a block buffer; memory that was only promised is allocated.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer,
  offsetIntoDestination: Int,
  dataLength: Int
) -> OSStatus {
  let checked = presentPieces(destinationBuffer, offsetIntoDestination, dataLength, assuring: true)
  guard let pieces = checked.pieces else { return checked.status }
  var source = sourceBytes
  for piece in pieces {
    piece.memory.copyMemory(from: source, byteCount: piece.length)
    source += piece.length
  }
  return kCMBlockBufferNoErr
}

/// Fills data in a block buffer with one byte; memory that was only promised is allocated.
///
/// - Parameter dataLength: How many bytes; 0 means all from the offset on.
@discardableResult
public func CMBlockBufferFillDataBytes(
  with fillByte: CChar, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
  dataLength: Int
) -> OSStatus {
  let length = dataLength == 0 ? destinationBuffer.length - offsetIntoDestination : dataLength
  let checked = presentPieces(destinationBuffer, offsetIntoDestination, length, assuring: true)
  guard let pieces = checked.pieces else { return checked.status }
  for piece in pieces {
    piece.memory.initializeMemory(as: CChar.self, repeating: fillByte, count: piece.length)
  }
  return kCMBlockBufferNoErr
}

/// Gives a pointer into the data, and how far it may be read.
///
/// The pointer is valid as long as the block buffer is.
///
/// - Parameters:
///   - lengthAtOffsetOut: Gets the length of the piece from `offset` on.
///   - totalLengthOut: Gets the length of all data.
@discardableResult
public func CMBlockBufferGetDataPointer(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
  totalLengthOut: UnsafeMutablePointer<Int>?,
  dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  let total = theBuffer.length
  guard total > 0 else { return kCMBlockBufferEmptyBBufErr }
  guard offset >= 0, offset < total, let piece = theBuffer.pieces(in: offset..<total)?.first else {
    return kCMBlockBufferBadOffsetParameterErr
  }
  guard let memory = piece.block.memory else { return kCMBlockBufferUnallocatedBlockErr }
  lengthAtOffsetOut?.pointee = piece.length
  totalLengthOut?.pointee = total
  dataPointerOut?.pointee = (memory + piece.offset).assumingMemoryBound(to: CChar.self)
  return kCMBlockBufferNoErr
}

/// Gives the length of all data.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int {
  theBuffer.length
}

/// Whether a range of data lies in one piece.
///
/// - Parameter length: How many bytes; 0 means all from the offset on.
public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int)
  -> Bool
{
  let total = theBuffer.length
  guard offset >= 0, offset < total else { return false }
  let length = length == 0 ? total - offset : length
  guard length > 0, length <= total - offset else { return false }
  return theBuffer.pieces(in: offset..<offset + length)?.count == 1
}

/// Whether a block buffer has no memory at all.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool {
  theBuffer.allPieces.isEmpty
}

private typealias PresentPiece = (memory: UnsafeMutableRawPointer, length: Int)

private func copy(_ pieces: [PresentPiece], to destination: UnsafeMutableRawPointer) {
  var destination = destination
  for piece in pieces {
    destination.copyMemory(from: piece.memory, byteCount: piece.length)
    destination += piece.length
  }
}

/// The memory that holds a range of data, or why it cannot be had.
private func presentPieces(_ buffer: CMBlockBuffer, _ offset: Int, _ length: Int, assuring: Bool = false) -> (
  pieces: [PresentPiece]?, status: OSStatus
) {
  let total = buffer.length
  guard total > 0 else { return (nil, kCMBlockBufferEmptyBBufErr) }
  guard offset >= 0, offset < total else { return (nil, kCMBlockBufferBadOffsetParameterErr) }
  guard length > 0, length <= total - offset, let pieces = buffer.pieces(in: offset..<offset + length) else {
    return (nil, kCMBlockBufferBadLengthParameterErr)
  }
  var present: [PresentPiece] = []
  for piece in pieces {
    guard let memory = assuring ? piece.block.assured() : piece.block.memory else {
      return (nil, assuring ? kCMBlockBufferBlockAllocationFailedErr : kCMBlockBufferUnallocatedBlockErr)
    }
    present.append((memory + piece.offset, piece.length))
  }
  return (present, kCMBlockBufferNoErr)
}
