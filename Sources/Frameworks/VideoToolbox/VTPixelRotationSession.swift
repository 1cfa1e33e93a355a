public import CoreVideo
public import FoundationExtras
internal import Linux
internal import PixelTransforms

/// As it is.
public let kVTRotation_0: CFString = "0"
/// A quarter turn clockwise.
public let kVTRotation_CW90: CFString = "CW90"
/// Upside down.
public let kVTRotation_180: CFString = "180"
/// A quarter turn counterclockwise.
public let kVTRotation_CCW90: CFString = "CCW90"
/// How pictures are turned: one of `kVTRotation_…`.
public let kVTPixelRotationPropertyKey_Rotation: CFString = "Rotation"
/// Whether left and right change places after the turn: a Boolean.
public let kVTPixelRotationPropertyKey_FlipHorizontalOrientation: CFString = "FlipHorizontalOrientation"
/// Whether top and bottom change places after the turn: a Boolean.
public let kVTPixelRotationPropertyKey_FlipVerticalOrientation: CFString = "FlipVerticalOrientation"

/// Turns and mirrors pictures.
///
/// Thread-safe. Apple: `VTPixelRotationSession`.
public final class VTPixelRotationSession: PropertyOwner, Sendable {
  let properties: [String: SessionProperty] = [
    kVTPixelRotationPropertyKey_Rotation: SessionProperty(
      kind: .choice([kVTRotation_0, kVTRotation_CW90, kVTRotation_180, kVTRotation_CCW90])),
    kVTPixelRotationPropertyKey_FlipHorizontalOrientation: SessionProperty(kind: .truth),
    kVTPixelRotationPropertyKey_FlipVerticalOrientation: SessionProperty(kind: .truth),
  ]
  private let transformer = PixelTransformer()
  private let state = Locked(State())

  private struct State {
    var rotation = kVTRotation_0
    var flipsHorizontally = false
    var flipsVertically = false
    var isInvalid = false
  }

  var isValid: Bool { !state.withLock { $0.isInvalid } }

  func value(of key: String) -> Any? {
    state.withLock { state -> Any? in
      switch key {
      case kVTPixelRotationPropertyKey_Rotation: state.rotation
      case kVTPixelRotationPropertyKey_FlipHorizontalOrientation: state.flipsHorizontally
      default: state.flipsVertically
      }
    }
  }

  func setValue(_ value: Any?, of key: String) -> OSStatus {
    let (text, truth) = (value as? String, value as? Bool ?? false)
    state.withLock { state in
      switch key {
      case kVTPixelRotationPropertyKey_Rotation: state.rotation = text ?? kVTRotation_0
      case kVTPixelRotationPropertyKey_FlipHorizontalOrientation: state.flipsHorizontally = truth
      default: state.flipsVertically = truth
      }
    }
    return noErr
  }

  func invalidate() { state.withLock { $0.isInvalid = true } }

  func rotate(_ source: CVPixelBuffer, _ target: CVPixelBuffer) -> OSStatus {
    let (rotation, horizontally, vertically, isInvalid) = state.withLock {
      ($0.rotation, $0.flipsHorizontally, $0.flipsVertically, $0.isInvalid)
    }
    guard !isInvalid else { return kVTInvalidSessionErr }
    let degrees = [kVTRotation_CW90: 90, kVTRotation_180: 180, kVTRotation_CCW90: 270][rotation] ?? 0
    // Upside down mirrored is half a turn and left with right.
    let turn = QuarterTurn(degrees: degrees + (vertically ? 180 : 0)) ?? .none
    let change = FrameTransform(rotation: turn, isMirrored: horizontally != vertically)
    let turned = change.outputSize(
      for: PixelSize(width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source)))
    guard CVPixelBufferGetWidth(target) == turned.width, CVPixelBufferGetHeight(target) == turned.height
    else {
      return kVTParameterErr
    }
    do {
      try transformer.apply(change, to: source, into: target)
      return noErr
    } catch {
      return kVTPixelRotationNotSupportedErr
    }
  }
}

/// Makes a session that turns pictures.
///
/// Apple: `VTPixelRotationSessionCreate`.
@discardableResult
public func VTPixelRotationSessionCreate(
  _ allocator: CFAllocator?, _ pixelRotationSessionOut: UnsafeMutablePointer<VTPixelRotationSession?>
) -> OSStatus {
  pixelRotationSessionOut.pointee = VTPixelRotationSession()
  return noErr
}

/// Writes a turned picture into a buffer of the turned size; pixel formats may differ.
///
/// - Returns: ``kVTParameterErr`` for a buffer of another size, ``kVTPixelRotationNotSupportedErr``,
///   ``kVTInvalidSessionErr``.
///
/// Apple: `VTPixelRotationSessionRotateImage`.
@discardableResult
public func VTPixelRotationSessionRotateImage(
  _ session: VTPixelRotationSession, _ sourceBuffer: CVPixelBuffer, _ destinationBuffer: CVPixelBuffer
) -> OSStatus {
  session.rotate(sourceBuffer, destinationBuffer)
}

/// Ends a session.
///
/// Apple: `VTPixelRotationSessionInvalidate`.
public func VTPixelRotationSessionInvalidate(_ session: VTPixelRotationSession) {
  session.invalidate()
}
