public import FoundationExtras
internal import Linux

/// The mode of an attachment: whether a picture that is made from another gets a copy.
public enum CVAttachmentMode: UInt32, Sendable {
  /// It describes this buffer only.
  case shouldNotPropagate = 0
  /// It describes the picture; a picture that is made from it gets a copy.
  case shouldPropagate = 1
}

extension CVBuffer {
  /// Attaches all of `values`, replacing what has the same keys.
  func attach(_ values: CFDictionary, _ mode: CVAttachmentMode) {
    guard !values.isEmpty else { return }
    // Old values leave after the lock is left: they may be a client's objects with a `deinit`.
    var replaced: [CFString: Attachment] = [:]
    withState { state in
      guard !state.attachments.isEmpty else {
        // Mapping keeps the table's layout and hashes nothing.
        state.attachments = values.mapValues { Attachment(value: $0, mode: mode) }
        return
      }
      for (key, value) in values {
        replaced[key] = state.attachments.updateValue(Attachment(value: value, mode: mode), forKey: key)
      }
    }
    withExtendedLifetime(replaced) {}
  }

  /// Attaches all of a stream's, replacing what has the same keys.
  package func attach(_ attachments: BufferAttachments) {
    attach(attachments.table.mapValues(\.value), .shouldPropagate)
  }

  func attachment(_ key: CFString) -> Attachment? {
    withState { $0.attachments[key] }
  }

  /// The attachment with its value as an object that lives as long as the attachment does.
  func boxedAttachment(_ key: CFString) -> Attachment? {
    withState { state in
      guard var attachment = state.attachments[key] else { return nil }
      if attachment.object == nil {
        attachment.object = attachment.value as AnyObject
        state.attachments[key] = attachment
      }
      return attachment
    }
  }

  func attachments(_ mode: CVAttachmentMode) -> [CFString: Attachment] {
    withState { $0.attachments.filter { $0.value.mode == mode } }
  }
}

/// Attaches `value` under `key`, replacing what was there.
///
/// Thread-safe. Numbers come back as `NSNumber`.
public func CVBufferSetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
) {
  buffer.attach([key: BoxedNumbers.boxed(value)], attachmentMode)
}

/// Attaches everything in `theAttachments`, replacing what has the same keys.
///
/// Thread-safe. Numbers come back as `NSNumber`.
public func CVBufferSetAttachments(
  _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
  buffer.attach(BoxedNumbers.boxed(theAttachments), attachmentMode)
}

/// The value attached under `key`, or `nil` when there is none.
///
/// - Parameter attachmentMode: Gets the value's mode; left alone when there is none.
public func CVBufferCopyAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
  guard let attachment = buffer.attachment(key) else { return nil }
  attachmentMode?.pointee = attachment.mode
  return attachment.value
}

/// The value attached under `key` as an object, or `nil` when there is none.
///
/// The older spelling of ``CVBufferCopyAttachment(_:_:_:)``.
///
/// A Swift value comes as the Foundation object that stands for it. The buffer keeps that object as long as the
/// attachment.
public func CVBufferGetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Unmanaged<AnyObject>? {
  guard let attachment = buffer.boxedAttachment(key), let object = attachment.object else { return nil }
  attachmentMode?.pointee = attachment.mode
  return Unmanaged.passUnretained(object)
}

/// Everything attached with `attachmentMode`, or `nil` when there is nothing.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
  let attachments = buffer.attachments(attachmentMode)
  return attachments.isEmpty ? nil : attachments.mapValues(\.value)
}

/// Everything attached with `attachmentMode`, or `nil` when there is nothing.
///
/// The older spelling of ``CVBufferCopyAttachments(_:_:)``.
public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
  CVBufferCopyAttachments(buffer, attachmentMode)
}

/// Whether something is attached under `key`.
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool {
  buffer.attachment(key) != nil
}

/// Takes off what is attached under `key`; does nothing when there is nothing.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
  let removed = buffer.withState { $0.attachments.removeValue(forKey: key) }
  withExtendedLifetime(removed) {}
}

/// Takes off everything.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) {
  var removed: [CFString: CVBuffer.Attachment] = [:]
  buffer.withState { swap(&removed, &$0.attachments) }
  withExtendedLifetime(removed) {}
}

/// Attaches to `destinationBuffer` what `sourceBuffer` carries with ``CVAttachmentMode/shouldPropagate``.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
  destinationBuffer.attach(sourceBuffer.attachments(.shouldPropagate).mapValues(\.value), .shouldPropagate)
}
