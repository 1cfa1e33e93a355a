public import CoreVideo
public import FoundationExtras
internal import Linux
internal import PixelTransforms

/// The picture fills the buffer, its shape changes.
public let kVTScalingMode_Normal: CFString = "Normal"
/// The picture keeps its shape; black bars fill the rest.
public let kVTScalingMode_Letterbox: CFString = "Letterbox"
/// The picture keeps its shape; what sticks out is cut off.
public let kVTScalingMode_Trim: CFString = "Trim"
/// How a picture meets a buffer of another size: one of `kVTScalingMode_…`.
public let kVTPixelTransferPropertyKey_ScalingMode: CFString = "ScalingMode"

/// Scales pictures and changes their pixel format.
///
/// Thread-safe. Apple: `VTPixelTransferSession`.
public final class VTPixelTransferSession: PropertyOwner, Sendable {
  static let allProperties: [String: SessionProperty] = [
    kVTPixelTransferPropertyKey_ScalingMode: SessionProperty(
      kind: .choice([kVTScalingMode_Normal, kVTScalingMode_Letterbox, kVTScalingMode_Trim]))
  ]
  var properties: [String: SessionProperty] { Self.allProperties }
  private let transformer = PixelTransformer()
  private let mode = Locked(kVTScalingMode_Normal)
  private let isInvalid = Locked(false)

  var isValid: Bool { !isInvalid.withLock { $0 } }

  func value(of key: String) -> Any? { mode.withLock { $0 } }

  func setValue(_ value: Any?, of key: String) -> OSStatus {
    let wanted = value as? String ?? kVTScalingMode_Normal
    mode.withLock { $0 = wanted }
    return noErr
  }

  func invalidate() { isInvalid.withLock { $0 = true } }

  /// What a `kVTScalingMode_…` asks for.
  static func rule(_ mode: Any?) -> ScalingRule {
    switch mode as? String {
    case kVTScalingMode_Letterbox: .fit
    case kVTScalingMode_Trim: .fill
    default: .stretch
    }
  }

  func transfer(_ source: CVPixelBuffer, _ target: CVPixelBuffer) -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    do {
      try transformer.apply(
        FrameTransform(scaling: Self.rule(mode.withLock { $0 })), to: source, into: target)
      return noErr
    } catch {
      return kVTPixelTransferNotSupportedErr
    }
  }
}

/// Makes a session that scales and converts pictures.
///
/// Apple: `VTPixelTransferSessionCreate`.
@discardableResult
public func VTPixelTransferSessionCreate(
  allocator: CFAllocator?, pixelTransferSessionOut: UnsafeMutablePointer<VTPixelTransferSession?>
) -> OSStatus {
  pixelTransferSessionOut.pointee = VTPixelTransferSession()
  return noErr
}

/// Writes a picture into a buffer of another size or pixel format.
///
/// - Returns: ``kVTPixelTransferNotSupportedErr``, ``kVTInvalidSessionErr``.
///
/// Apple: `VTPixelTransferSessionTransferImage`.
@discardableResult
public func VTPixelTransferSessionTransferImage(
  _ session: VTPixelTransferSession, from sourceBuffer: CVPixelBuffer, to destinationBuffer: CVPixelBuffer
) -> OSStatus {
  session.transfer(sourceBuffer, destinationBuffer)
}

/// Ends a session.
///
/// Apple: `VTPixelTransferSessionInvalidate`.
public func VTPixelTransferSessionInvalidate(_ session: VTPixelTransferSession) {
  session.invalidate()
}
