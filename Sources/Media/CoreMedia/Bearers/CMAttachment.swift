internal import CoreVideo
public import FoundationExtras

/// Attaches a value under a key, in place of one that was there; `nil` removes it.
///
/// Thread-safe, as all functions on attachments. An object that carries none is left alone. Numbers come back as `NSNumber`.
public func CMSetAttachment(
  _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
  guard let value else { return CMRemoveAttachment(target, key: key) }
  carrier(target)?.attach(BoxedNumbers.boxed(value), key, attachmentMode)
}

/// Gives the value under a key, and how it propagates.
public func CMGetAttachment(
  _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
  guard let found = carrier(target)?.attachment(key) else { return nil }
  attachmentModeOut?.pointee = found.mode
  return found.value
}

/// Removes the value under a key.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
  carrier(target)?.detach(key)
}

/// Removes every attachment.
public func CMRemoveAllAttachments(_ target: CMAttachmentBearer) {
  carrier(target)?.detachAll()
}

/// Gives all attachments of one mode; `nil` when there are none.
public func CMCopyDictionaryOfAttachments(
  allocator: CFAllocator?, target: CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
  carrier(target)?.attachments(attachmentMode)
}

/// Attaches every value of a dictionary under its key.
public func CMSetAttachments(
  _ target: CMAttachmentBearer, attachments theAttachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
  guard let carrier = carrier(target) else { return }
  for (key, value) in BoxedNumbers.boxed(theAttachments) { carrier.attach(value, key, attachmentMode) }
}

/// Copies the attachments that propagate to another bearer; what it has under other keys stays.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
  let propagating = carrier(source)?.attachments(kCMAttachmentMode_ShouldPropagate)
  guard let propagating, let carrier = carrier(destination) else { return }
  for (key, value) in propagating { carrier.attach(value, key, kCMAttachmentMode_ShouldPropagate) }
}

/// The operations on attachments that a bearer implements for the `CM…Attachment` functions.
protocol AttachmentCarrier {
  func attach(_ value: Any, _ key: String, _ mode: CMAttachmentMode)
  func attachment(_ key: String) -> (value: Any, mode: CMAttachmentMode)?
  func detach(_ key: String)
  func detachAll()
  func attachments(_ mode: CMAttachmentMode) -> [String: Any]?
}

private func carrier(_ bearer: AnyObject) -> (any AttachmentCarrier)? {
  // Concrete casts first: they cost a comparison, the cast to a protocol a search.
  if let sample = bearer as? CMSampleBuffer { return sample.attachmentTable }
  if let block = bearer as? CMBlockBuffer { return block.attachmentTable }
  return (bearer as? CVBuffer).map { ImageAttachments(buffer: $0) }
}

extension AttachmentTable: AttachmentCarrier {
  func attach(_ value: Any, _ key: String, _ mode: CMAttachmentMode) {
    self[key] = Entry(value: value, mode: mode)
  }

  func attachment(_ key: String) -> (value: Any, mode: CMAttachmentMode)? {
    self[key].map { ($0.value, $0.mode) }
  }

  func detach(_ key: String) { self[key] = nil }

  func detachAll() { removeAll() }

  func attachments(_ mode: CMAttachmentMode) -> [String: Any]? { values(mode) }
}

/// The attachments of a Core Video buffer, which keeps them itself.
private struct ImageAttachments: AttachmentCarrier {
  let buffer: CVBuffer

  func attach(_ value: Any, _ key: String, _ mode: CMAttachmentMode) {
    CVBufferSetAttachment(buffer, key, value, CVAttachmentMode(rawValue: mode) ?? .shouldNotPropagate)
  }

  func attachment(_ key: String) -> (value: Any, mode: CMAttachmentMode)? {
    var mode = CVAttachmentMode.shouldNotPropagate
    return CVBufferCopyAttachment(buffer, key, &mode).map { ($0, mode.rawValue) }
  }

  func detach(_ key: String) { CVBufferRemoveAttachment(buffer, key) }

  func detachAll() { CVBufferRemoveAllAttachments(buffer) }

  func attachments(_ mode: CMAttachmentMode) -> [String: Any]? {
    CVBufferCopyAttachments(buffer, CVAttachmentMode(rawValue: mode) ?? .shouldNotPropagate)
  }
}
