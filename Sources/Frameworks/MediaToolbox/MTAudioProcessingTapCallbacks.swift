public import CoreMedia

/// Flags of a tap's making, and of the audio that passes through it.
///
/// Apple: `MTAudioProcessingTapFlags`.
public typealias MTAudioProcessingTapFlags = UInt32

/// The place of a tap in a track's way to the mix; exactly one of the two is given.
///
/// Apple: `MTAudioProcessingTapCreationFlags`.
public typealias MTAudioProcessingTapCreationFlags = UInt32

/// Before the volume of the mix's parameters.
///
/// Apple: `kMTAudioProcessingTapCreationFlag_PreEffects`.
public let kMTAudioProcessingTapCreationFlag_PreEffects: MTAudioProcessingTapCreationFlags = 1 << 0
/// After the volume of the mix's parameters.
///
/// Apple: `kMTAudioProcessingTapCreationFlag_PostEffects`.
public let kMTAudioProcessingTapCreationFlag_PostEffects: MTAudioProcessingTapCreationFlags = 1 << 1

/// The first audio since the beginning, or since a jump.
///
/// Apple: `kMTAudioProcessingTapFlag_StartOfStream`.
public let kMTAudioProcessingTapFlag_StartOfStream: MTAudioProcessingTapFlags = 1 << 8
/// Nothing comes behind this audio.
///
/// Apple: `kMTAudioProcessingTapFlag_EndOfStream`.
public let kMTAudioProcessingTapFlag_EndOfStream: MTAudioProcessingTapFlags = 1 << 9

/// The answer to arguments that do not fit, and to a call outside of a process callback.
///
/// Apple: `kMTAudioProcessingTapInvalidArgumentErr`.
public let kMTAudioProcessingTapInvalidArgumentErr: OSStatus = -12_780

/// The version of the callbacks' structure.
///
/// Apple: `kMTAudioProcessingTapCallbacksVersion_0`.
public let kMTAudioProcessingTapCallbacksVersion_0: Int32 = 0

/// The tap is being made: gets the client's pointer, and says what the tap shall store.
///
/// Apple: `MTAudioProcessingTapInitCallback`.
public typealias MTAudioProcessingTapInitCallback = (
  _ tap: MTAudioProcessingTap, _ clientInfo: UnsafeMutableRawPointer?,
  _ tapStorageOut: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> Void

/// The tap is going: what it stores is to be freed.
///
/// Apple: `MTAudioProcessingTapFinalizeCallback`.
public typealias MTAudioProcessingTapFinalizeCallback = (_ tap: MTAudioProcessingTap) -> Void

/// Audio will come: at most so many moments at a time, in this format.
///
/// Apple: `MTAudioProcessingTapPrepareCallback`.
public typealias MTAudioProcessingTapPrepareCallback = (
  _ tap: MTAudioProcessingTap, _ maxFrames: CMItemCount,
  _ processingFormat: UnsafePointer<AudioStreamBasicDescription>
) -> Void

/// No more audio comes, until the tap is prepared again.
///
/// Apple: `MTAudioProcessingTapUnprepareCallback`.
public typealias MTAudioProcessingTapUnprepareCallback = (_ tap: MTAudioProcessingTap) -> Void

/// So many moments are wanted: the callback gets the track's audio by ``MTAudioProcessingTapGetSourceAudio(_:_:_:_:_:_:)``, changes
/// it, and says how many moments the list has now.
///
/// On entry all fields of the list are set but the pointers; with these `nil`, getting the source's audio sets them. Flags are those that
/// the tap was made with.
///
/// Apple: `MTAudioProcessingTapProcessCallback`.
public typealias MTAudioProcessingTapProcessCallback = (
  _ tap: MTAudioProcessingTap, _ numberFrames: CMItemCount, _ flags: MTAudioProcessingTapFlags,
  _ bufferListInOut: UnsafeMutablePointer<AudioBufferList>,
  _ numberFramesOut: UnsafeMutablePointer<CMItemCount>,
  _ flagsOut: UnsafeMutablePointer<MTAudioProcessingTapFlags>
) -> Void

/// The callbacks of a client that sees and changes a track's audio.
///
/// Apple: `MTAudioProcessingTapCallbacks`.
/// - Note: Unlike MediaToolbox, callbacks are closures of Swift, which may capture.
public struct MTAudioProcessingTapCallbacks {
  /// ``kMTAudioProcessingTapCallbacksVersion_0``.
  public var version: Int32
  /// What `init` gets.
  public var clientInfo: UnsafeMutableRawPointer?
  /// Called once, before the tap is handed to the client.
  public var `init`: MTAudioProcessingTapInitCallback?
  /// Called once, when nothing holds the tap any more.
  public var finalize: MTAudioProcessingTapFinalizeCallback?
  /// Called before audio comes.
  public var prepare: MTAudioProcessingTapPrepareCallback?
  /// Called when no more comes.
  public var unprepare: MTAudioProcessingTapUnprepareCallback?
  /// Called for each piece of audio.
  public var process: MTAudioProcessingTapProcessCallback

  /// Takes the fields as they are.
  public init(
    version: Int32, clientInfo: UnsafeMutableRawPointer?, init: MTAudioProcessingTapInitCallback?,
    finalize: MTAudioProcessingTapFinalizeCallback?, prepare: MTAudioProcessingTapPrepareCallback?,
    unprepare: MTAudioProcessingTapUnprepareCallback?,
    process: @escaping MTAudioProcessingTapProcessCallback
  ) {
    self.version = version
    self.clientInfo = clientInfo
    self.`init` = `init`
    self.finalize = finalize
    self.prepare = prepare
    self.unprepare = unprepare
    self.process = process
  }
}
