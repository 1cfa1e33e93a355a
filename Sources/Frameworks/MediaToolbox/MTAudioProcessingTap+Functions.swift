public import CoreMedia
public import FoundationExtras

/// Makes a tap; its `init` callback is called before the function returns.
///
/// - Parameters:
///   - flags: ``kMTAudioProcessingTapCreationFlag_PreEffects`` or ``kMTAudioProcessingTapCreationFlag_PostEffects``.
///   - tapOut: Gets the tap, which the client owns (`takeRetainedValue()`).
/// - Returns: 0, or ``kMTAudioProcessingTapInvalidArgumentErr`` for another version, or for both flags or none.
///
/// Apple: `MTAudioProcessingTapCreate`.
@discardableResult
public func MTAudioProcessingTapCreate(
  _ allocator: CFAllocator?, _ callbacks: UnsafePointer<MTAudioProcessingTapCallbacks>,
  _ flags: MTAudioProcessingTapCreationFlags, _ tapOut: UnsafeMutablePointer<Unmanaged<MTAudioProcessingTap>?>
) -> OSStatus {
  var tap: MTAudioProcessingTap?
  let status = MTAudioProcessingTapCreate(allocator, callbacks, flags, &tap)
  tapOut.pointee = tap.map { .passRetained($0) }
  return status
}

/// Makes a tap; its `init` callback is called before the function returns.
///
/// As newer versions of Apple's interface have it: the reference counts itself.
/// - Parameter flags: ``kMTAudioProcessingTapCreationFlag_PreEffects`` or ``kMTAudioProcessingTapCreationFlag_PostEffects``.
/// - Returns: 0, or ``kMTAudioProcessingTapInvalidArgumentErr`` for another version, or for both flags or none.
///
/// Apple: `MTAudioProcessingTapCreate`.
@discardableResult
public func MTAudioProcessingTapCreate(
  _ allocator: CFAllocator?, _ callbacks: UnsafePointer<MTAudioProcessingTapCallbacks>,
  _ flags: MTAudioProcessingTapCreationFlags, _ tapOut: UnsafeMutablePointer<MTAudioProcessingTap?>
) -> OSStatus {
  tapOut.pointee = nil
  let places = [kMTAudioProcessingTapCreationFlag_PreEffects, kMTAudioProcessingTapCreationFlag_PostEffects]
  guard callbacks.pointee.version == kMTAudioProcessingTapCallbacksVersion_0, places.contains(flags) else {
    return kMTAudioProcessingTapInvalidArgumentErr
  }
  tapOut.pointee = MTAudioProcessingTap(callbacks.pointee, flags)
  return 0
}

/// What the `init` callback has stored.
///
/// - Note: Unlike MediaToolbox, a tap whose callback has stored nothing answers with its own address.
///
/// Apple: `MTAudioProcessingTapGetStorage`.
public func MTAudioProcessingTapGetStorage(_ tap: MTAudioProcessingTap) -> UnsafeMutableRawPointer {
  tap.storage ?? Unmanaged.passUnretained(tap).toOpaque()
}

/// The track's next audio; only in a process callback.
///
/// - Parameters:
///   - numberFrames: How many moments are wanted; each is handed out once.
///   - bufferListInOut: A buffer for each channel. A pointer that is `nil` is set to memory that is good until the callback returns; else
///     the audio is copied to where it points.
///   - flagsOut: Whether it is the first audio or the last.
///   - timeRangeOut: When it is heard, in the asset's time.
///   - numberFramesOut: How many moments there were: fewer at the end.
/// - Returns: 0, or ``kMTAudioProcessingTapInvalidArgumentErr`` outside of a process callback, for a list with another number of buffers or
///   too little memory, and when the track could not be read.
///
/// Apple: `MTAudioProcessingTapGetSourceAudio`.
@discardableResult
public func MTAudioProcessingTapGetSourceAudio(
  _ tap: MTAudioProcessingTap, _ numberFrames: CMItemCount,
  _ bufferListInOut: UnsafeMutablePointer<AudioBufferList>,
  _ flagsOut: UnsafeMutablePointer<MTAudioProcessingTapFlags>?,
  _ timeRangeOut: UnsafeMutablePointer<CMTimeRange>?, _ numberFramesOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
  let list = UnsafeMutableAudioBufferListPointer(bufferListInOut)
  numberFramesOut?.pointee = 0
  guard let course = tap.current, course.error == nil, (0...1 << 20).contains(numberFrames),
    list.count == course.channels,
    list.allSatisfy({
      $0.mNumberChannels == 1 && ($0.mData == nil || Int($0.mDataByteSize) >= numberFrames * 4)
    })
  else { return kMTAudioProcessingTapInvalidArgumentErr }
  let audio: MTAudioProcessingTap.Audio
  do {
    audio = try course.source(numberFrames)
  } catch {
    course.error = error
    return kMTAudioProcessingTapInvalidArgumentErr
  }
  let count = min(audio.samples.count / course.channels, numberFrames)
  for channel in list.indices {
    let data = list[channel].mData?.assumingMemoryBound(to: Float.self) ?? course.allocate(numberFrames)
    for frame in 0..<count { data[frame] = audio.samples[frame * course.channels + channel] }
    for frame in count..<numberFrames { data[frame] = 0 }
    list[channel].mData = UnsafeMutableRawPointer(data)
    list[channel].mDataByteSize = UInt32(count * 4)
  }
  flagsOut?.pointee =
    (audio.isStart ? kMTAudioProcessingTapFlag_StartOfStream : 0)
    | (audio.isEnd ? kMTAudioProcessingTapFlag_EndOfStream : 0)
  timeRangeOut?.pointee = audio.range
  numberFramesOut?.pointee = count
  return 0
}

/// The type of taps, as ``CFGetTypeID(_:)`` returns it.
///
/// Apple: `MTAudioProcessingTapGetTypeID`.
public func MTAudioProcessingTapGetTypeID() -> CFTypeID {
  CFTypeID(of: MTAudioProcessingTap.self)
}
