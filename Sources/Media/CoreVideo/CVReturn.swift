/// The result of a CoreVideo call; ``kCVReturnSuccess`` or one of the errors below, with Apple's numbers.
public typealias CVReturn = Int32
/// Option bits of CoreVideo calls.
public typealias CVOptionFlags = UInt64

/// It worked.
public let kCVReturnSuccess: CVReturn = 0
/// The first number of CoreVideo's errors.
public let kCVReturnFirst: CVReturn = -6660
/// Something failed that has no number of its own.
public let kCVReturnError: CVReturn = -6660
/// An argument is out of range or contradicts another.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// There is not enough memory.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The call is not supported here.
public let kCVReturnUnsupported: CVReturn = -6663
/// The display is unknown.
public let kCVReturnInvalidDisplay: CVReturn = -6670
/// The display link already runs.
public let kCVReturnDisplayLinkAlreadyRunning: CVReturn = -6671
/// The display link does not run.
public let kCVReturnDisplayLinkNotRunning: CVReturn = -6672
/// The display link has no callbacks.
public let kCVReturnDisplayLinkCallbacksNotSet: CVReturn = -6673
/// No buffer can be made in this pixel format.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The width or height is not positive, or too large.
public let kCVReturnInvalidSize: CVReturn = -6681
/// The attributes of a buffer contradict each other or hold values of the wrong kind.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// OpenGL cannot use the buffer.
public let kCVReturnPixelBufferNotOpenGLCompatible: CVReturn = -6683
/// Metal cannot use the buffer.
public let kCVReturnPixelBufferNotMetalCompatible: CVReturn = -6684
/// The pool has reached its allocation threshold, and all its buffers are in use.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
/// The pool could not be made.
public let kCVReturnPoolAllocationFailed: CVReturn = -6690
/// The attributes of a pool contradict each other or hold values of the wrong kind.
public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
/// A retry may succeed.
public let kCVReturnRetry: CVReturn = -6692
/// The last number of CoreVideo's errors.
public let kCVReturnLast: CVReturn = -6699

/// A CoreVideo error as Swift code of this package throws it.
package struct PixelBufferError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Which one.
  package let code: CVReturn

  /// Wraps `code`.
  package init(_ code: CVReturn) {
    self.code = code
  }

  /// One sentence: what failed and why.
  package var description: String {
    switch code {
    case kCVReturnAllocationFailed: "Cannot make a pixel buffer: there is not enough memory."
    case kCVReturnInvalidPixelFormat: "Cannot make a pixel buffer: its pixel format has no known layout."
    case kCVReturnInvalidSize:
      "Cannot make a pixel buffer: its width and height must be positive and fit in memory."
    case kCVReturnInvalidPixelBufferAttributes:
      "Cannot make a pixel buffer: its attributes contradict each other or have the wrong kind."
    case kCVReturnWouldExceedAllocationThreshold:
      "Cannot take a pixel buffer from the pool: all are in use; release some first."
    default: "CoreVideo failed with code \(code)."
    }
  }
}
