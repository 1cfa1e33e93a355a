public import CoreVideo
internal import FoundationExtras

/// An object that carries attachments.
///
/// Apple: `CMAttachmentBearerProtocol`.
public protocol CMAttachmentBearerProtocol: AnyObject {
  /// The attachments; the value writes through, so that `bearer.attachments[key] = …` changes the bearer.
  var attachments: CMAttachmentBearerAttachments { get }

  /// Copies the attachments that propagate to another bearer.
  func propagateAttachments<T>(to destination: T) where T: CMAttachmentBearerProtocol
}

extension CMAttachmentBearerProtocol {
  /// The attachments; the value writes through, so that `bearer.attachments[key] = …` changes the bearer.
  public var attachments: CMAttachmentBearerAttachments { CMAttachmentBearerAttachments(bearer: self) }

  /// Copies the attachments that propagate to another bearer.
  public func propagateAttachments<T>(to destination: T) where T: CMAttachmentBearerProtocol {
    CMPropagateAttachments(self, destination: destination)
  }
}

extension CMBlockBuffer: CMAttachmentBearerProtocol {}
extension CMSampleBuffer: CMAttachmentBearerProtocol {}
extension CVBuffer: CMAttachmentBearerProtocol {}

/// The attachments of one bearer, as a dictionary that writes through.
///
/// Apple: `CMAttachmentBearerAttachments`.
public struct CMAttachmentBearerAttachments {
  /// An attached value and whether it propagates.
  public enum Value {
    /// Stays with its bearer.
    case shouldNotPropagate(Any)
    /// Is copied to what is made from its bearer.
    case shouldPropagate(Any)

    /// The attached value.
    public var value: Any {
      switch self {
      case .shouldNotPropagate(let value), .shouldPropagate(let value): value
      }
    }

    /// Whether it propagates.
    public var mode: Mode {
      switch self {
      case .shouldNotPropagate: .shouldNotPropagate
      case .shouldPropagate: .shouldPropagate
      }
    }
  }

  /// The mode of an attachment: whether it propagates.
  public enum Mode: CMAttachmentMode, Sendable {
    /// Stays with its bearer.
    case shouldNotPropagate = 0
    /// Is copied to what is made from its bearer.
    case shouldPropagate = 1
  }

  let bearer: CMAttachmentBearer

  /// The value under a key; setting `nil` removes it.
  public subscript(key: String) -> Value? {
    get {
      var mode = kCMAttachmentMode_ShouldNotPropagate
      guard let value = CMGetAttachment(bearer, key: key, attachmentModeOut: &mode) else { return nil }
      return mode == kCMAttachmentMode_ShouldPropagate ? .shouldPropagate(value) : .shouldNotPropagate(value)
    }
    nonmutating set {
      CMSetAttachment(
        bearer, key: key, value: newValue?.value,
        attachmentMode: newValue?.mode.rawValue ?? kCMAttachmentMode_ShouldNotPropagate)
    }
  }

  /// Removes every attachment.
  public func removeAll() { CMRemoveAllAttachments(bearer) }

  /// The values that stay with their bearer.
  public var nonPropagated: [String: Any] {
    CMCopyDictionaryOfAttachments(
      allocator: kCFAllocatorDefault, target: bearer, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
      ?? [:]
  }

  /// The values that are copied to what is made from their bearer.
  public var propagated: [String: Any] {
    CMCopyDictionaryOfAttachments(
      allocator: kCFAllocatorDefault, target: bearer, attachmentMode: kCMAttachmentMode_ShouldPropagate)
      ?? [:]
  }

  /// Attaches every value of a dictionary under its key.
  public func merge(_ attachments: [String: Any], mode: Mode) {
    CMSetAttachments(bearer, attachments: attachments, attachmentMode: mode.rawValue)
  }
}

extension CMAttachmentBearerAttachments {
  /// The value under a name; setting `nil` removes it.
  public subscript(key: CMSampleBuffer.AttachmentKey) -> Value? {
    get { self[key.rawValue] }
    nonmutating set { self[key.rawValue] = newValue }
  }
}
