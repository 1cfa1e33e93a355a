public import FoundationExtras

/// Whether a buffer made by `attributes` could be `pixelBuffer`: same format, size, and at least the edges and alignment.
///
/// - Parameter attributes: A missing key asks for nothing; a list of formats asks for any of them.
public func CVPixelBufferIsCompatibleWithAttributes(
  _ pixelBuffer: CVPixelBuffer, _ attributes: CFDictionary?
) -> Bool {
  let wishes = attributes ?? [:]
  if let formats = wishes[kCVPixelBufferPixelFormatTypeKey] {
    guard PixelFormatChoice.codes(formats).contains(pixelBuffer.format) else { return false }
  }
  let extended = pixelBuffer.extended
  let exact = [kCVPixelBufferWidthKey: pixelBuffer.width, kCVPixelBufferHeightKey: pixelBuffer.height]
  let least = [
    kCVPixelBufferExtendedPixelsLeftKey: extended.left, kCVPixelBufferExtendedPixelsRightKey: extended.right,
    kCVPixelBufferExtendedPixelsTopKey: extended.top, kCVPixelBufferExtendedPixelsBottomKey: extended.bottom,
  ]
  for (key, value) in exact {
    if let wish = wishes[key], LooseNumber.integer(wish) != value { return false }
  }
  for (key, value) in least {
    if let wish = wishes[key], LooseNumber.integer(wish).map({ $0 > value }) ?? true { return false }
  }
  guard let wish = wishes[kCVPixelBufferBytesPerRowAlignmentKey] else { return true }
  guard let alignment = LooseNumber.integer(wish), alignment > 0 else { return false }
  return pixelBuffer.memory.planes.allSatisfy { $0.bytesPerRow % alignment == 0 }
}

/// Finds attributes that satisfy every dictionary of a list.
///
/// Formats that all allow, in the first one's order; equal sizes; the widest edges; an alignment that is a multiple of
/// each; of any other key the first value.
///
/// - Parameters:
///   - attributes: A list of dictionaries as `CVPixelBufferCreate` takes.
///   - resolvedDictionaryOut: Gets the attributes, or `nil` on failure.
/// - Returns: `kCVReturnSuccess`; `kCVReturnInvalidPixelBufferAttributes` when they contradict each other or a value is
///   of the wrong kind; `kCVReturnInvalidArgument` when the list holds something else.
@discardableResult
public func CVPixelBufferCreateResolvedAttributesDictionary(
  _ allocator: CFAllocator?, _ attributes: CFArray?,
  _ resolvedDictionaryOut: UnsafeMutablePointer<CFDictionary?>
) -> CVReturn {
  resolvedDictionaryOut.pointee = nil
  guard let wishes = attributes as? [CFDictionary] else { return kCVReturnInvalidArgument }
  var resolved: CFDictionary = [:]
  for (key, value) in wishes.joined() {
    guard let earlier = resolved[key] else {
      resolved[key] = value
      continue
    }
    guard let both = agreement(key, earlier, value) else { return kCVReturnInvalidPixelBufferAttributes }
    resolved[key] = both
  }
  resolvedDictionaryOut.pointee = BoxedNumbers.boxed(resolved)
  return kCVReturnSuccess
}

/// A value that satisfies both wishes for `key`, or `nil` when none does.
private func agreement(_ key: CFString, _ first: Any, _ second: Any) -> Any? {
  switch key {
  case kCVPixelBufferPixelFormatTypeKey:
    let allowed = Set(PixelFormatChoice.codes(second))
    let both = PixelFormatChoice.codes(first).filter { allowed.contains($0) }
    if both.count > 1 { return both }
    return both.first
  case kCVPixelBufferWidthKey, kCVPixelBufferHeightKey:
    guard let size = LooseNumber.integer(first), size == LooseNumber.integer(second) else { return nil }
    return size
  case kCVPixelBufferExtendedPixelsLeftKey, kCVPixelBufferExtendedPixelsRightKey,
    kCVPixelBufferExtendedPixelsTopKey, kCVPixelBufferExtendedPixelsBottomKey:
    guard let first = LooseNumber.integer(first), let second = LooseNumber.integer(second) else { return nil }
    return max(first, second)
  case kCVPixelBufferBytesPerRowAlignmentKey, kCVPixelBufferPlaneAlignmentKey:
    guard let first = LooseNumber.integer(first), let second = LooseNumber.integer(second),
      (1...65_536).contains(first), (1...65_536).contains(second)
    else { return nil }
    return leastCommonMultiple(first, second)
  default:
    return first
  }
}

private func leastCommonMultiple(_ first: Int, _ second: Int) -> Int {
  var (larger, smaller) = (first, second)
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return first / larger * second
}
