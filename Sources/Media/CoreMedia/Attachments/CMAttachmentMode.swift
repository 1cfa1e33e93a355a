/// Anything that can carry attachments: sample buffers, block buffers and Core Video buffers.
public typealias CMAttachmentBearer = AnyObject

/// Whether an attachment goes along when attachments are propagated.
public typealias CMAttachmentMode = UInt32

/// The attachment stays with its bearer.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment is copied to what is made from its bearer.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1
