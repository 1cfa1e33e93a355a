public import FoundationExtras

/// The name of a time's value in a dictionary.
public let kCMTimeValueKey: CFString = "value"
/// The name of a time's timescale in a dictionary.
public let kCMTimeScaleKey: CFString = "timescale"
/// The name of a time's epoch in a dictionary.
public let kCMTimeEpochKey: CFString = "epoch"
/// The name of a time's flags in a dictionary.
public let kCMTimeFlagsKey: CFString = "flags"
/// The name of a range's start in a dictionary.
public let kCMTimeRangeStartKey: CFString = "start"
/// The name of a range's duration in a dictionary.
public let kCMTimeRangeDurationKey: CFString = "duration"
/// The name of a mapping's source in a dictionary.
public let kCMTimeMappingSourceKey: CFString = "source"
/// The name of a mapping's target in a dictionary.
public let kCMTimeMappingTargetKey: CFString = "target"

/// Writes a time as a dictionary of four numbers.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
  BoxedNumbers.boxed([
    kCMTimeValueKey: time.value, kCMTimeScaleKey: time.timescale, kCMTimeEpochKey: time.epoch,
    kCMTimeFlagsKey: time.flags.rawValue,
  ])
}

/// Reads a time from a dictionary; invalid when a number is missing.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
  guard let dictionaryRepresentation,
    let value = LooseNumber.integer(dictionaryRepresentation[kCMTimeValueKey]),
    let timescale = LooseNumber.integer(dictionaryRepresentation[kCMTimeScaleKey]).flatMap({
      Int32(exactly: $0)
    }),
    let epoch = LooseNumber.integer(dictionaryRepresentation[kCMTimeEpochKey]),
    let flags = LooseNumber.integer(dictionaryRepresentation[kCMTimeFlagsKey]).flatMap({ UInt32(exactly: $0) }
    )
  else { return .invalid }
  return CMTime(
    value: Int64(value), timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: Int64(epoch))
}

/// Describes a time for people, such as `{1/30 = 0.033}`.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
  if !time.isValid { return "{INVALID}" }
  if time.isPositiveInfinity { return "{+INFINITY}" }
  if time.isNegativeInfinity { return "{-INFINITY}" }
  if time.isIndefinite { return "{INDEFINITE}" }
  let epoch = time.epoch == 0 ? "" : ", epoch \(time.epoch)"
  let rounded = time.hasBeenRounded ? ", rounded" : ""
  return "{\(time.value)/\(time.timescale) = \(thousandths(time.seconds))\(rounded)\(epoch)}"
}

/// Prints what `CMTimeCopyDescription` says.
public func CMTimeShow(_ time: CMTime) {
  print(CMTimeCopyDescription(allocator: kCFAllocatorDefault, time: time) ?? "")
}

/// Writes a range as a dictionary of two times.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
  [
    kCMTimeRangeStartKey: CMTimeCopyAsDictionary(range.start, allocator: allocator) as Any,
    kCMTimeRangeDurationKey: CMTimeCopyAsDictionary(range.duration, allocator: allocator) as Any,
  ]
}

/// Reads a range from a dictionary; invalid when a time is missing.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeRange {
  CMTimeRange(
    start: CMTimeMakeFromDictionary(dictionaryRepresentation[kCMTimeRangeStartKey] as? CFDictionary),
    duration: CMTimeMakeFromDictionary(dictionaryRepresentation[kCMTimeRangeDurationKey] as? CFDictionary))
}

/// Describes a range for people.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? {
  guard range.isValid else { return "{INVALID}" }
  let start = CMTimeCopyDescription(allocator: allocator, time: range.start) ?? ""
  let duration = CMTimeCopyDescription(allocator: allocator, time: range.duration) ?? ""
  return "{\(start), \(duration)}"
}

/// Prints what `CMTimeRangeCopyDescription` says.
public func CMTimeRangeShow(_ range: CMTimeRange) {
  print(CMTimeRangeCopyDescription(allocator: kCFAllocatorDefault, range: range) ?? "")
}

/// Writes a mapping as a dictionary of two ranges.
public func CMTimeMappingCopyAsDictionary(_ mapping: CMTimeMapping, allocator: CFAllocator?) -> CFDictionary?
{
  [
    kCMTimeMappingSourceKey: CMTimeRangeCopyAsDictionary(mapping.source, allocator: allocator) as Any,
    kCMTimeMappingTargetKey: CMTimeRangeCopyAsDictionary(mapping.target, allocator: allocator) as Any,
  ]
}

/// Reads a mapping from a dictionary; invalid when a range is missing.
public func CMTimeMappingMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeMapping {
  func range(_ key: CFString) -> CMTimeRange {
    (dictionaryRepresentation[key] as? CFDictionary).map { CMTimeRangeMakeFromDictionary($0) } ?? .invalid
  }
  return CMTimeMapping(source: range(kCMTimeMappingSourceKey), target: range(kCMTimeMappingTargetKey))
}

/// Describes a mapping for people.
public func CMTimeMappingCopyDescription(allocator: CFAllocator?, mapping: CMTimeMapping) -> CFString? {
  let source = CMTimeRangeCopyDescription(allocator: allocator, range: mapping.source) ?? ""
  let target = CMTimeRangeCopyDescription(allocator: allocator, range: mapping.target) ?? ""
  return "{\(source) -> \(target)}"
}

/// Prints what `CMTimeMappingCopyDescription` says.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) {
  print(CMTimeMappingCopyDescription(allocator: kCFAllocatorDefault, mapping: mapping) ?? "")
}

/// Three decimals, as Apple's descriptions have.
private func thousandths(_ seconds: Double) -> String {
  guard seconds.isFinite, seconds.magnitude < 1e15 else { return "\(seconds)" }
  let scaled = (seconds * 1000).rounded()
  let whole = Int64(scaled.magnitude / 1000)
  let rest = String(Int64(scaled.magnitude.truncatingRemainder(dividingBy: 1000)))
  let sign = scaled < 0 ? "-" : ""
  return "\(sign)\(whole).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
}
