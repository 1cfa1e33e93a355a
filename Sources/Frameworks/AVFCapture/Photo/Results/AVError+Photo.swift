package import AVFCore
internal import CaptureDevice
internal import PixelTransforms
internal import StillCodecs

extension AVError {
  /// The error that a delegate gets when a stage of the pipeline threw `error`; the stage's own sentence is kept.
  package convenience init(photoFailure error: any Error) {
    switch error {
    case let error as AVError:
      self.init(_nsError: error)
    case let error as CaptureDeviceError:
      self.init(Code(error.code), because: error.message, underlying: error)
    case let error as StillCodecError where error.code == .damaged || error.code == .tooLarge:
      self.init(.decodeFailed, because: error.description, underlying: error)
    case let error as StillCodecError:
      self.init(.unknown, because: error.description, underlying: error)
    case let error as PixelTransformError:
      self.init(.outOfMemory, because: error.description, underlying: error)
    default:
      self.init(
        .unknown, because: "The photo could not be finished: \(error); take it again.", underlying: error)
    }
  }
}
