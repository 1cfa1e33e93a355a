internal import CaptureDevice

/// An open and configured device, as its reader needs it.
struct AudioSource: Sendable {
  let library: any AudioLibrary
  let handle: AudioHandle
  let device: MicrophoneName
  let setup: AudioSetup
  /// Channels that the receiver gets: the first ones of the device's.
  let channels: Int
  /// Samples of one channel in one chunk.
  let chunk: Int
  /// After so many nanoseconds without audio the stream fails.
  let silence: Int64

  /// A refusal in words.
  func error(_ refusal: AudioRefusal, _ doing: String) -> CaptureDeviceError {
    refusal.error(device, doing) { library.holders(of: $0) }
  }
}
