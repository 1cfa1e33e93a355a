/// An object that can carry attachments: a sample buffer, a block buffer or a Core Video buffer.
public typealias CMAttachmentBearer = AnyObject

/// The mode of an attachment: whether it is copied when attachments are propagated.
public typealias CMAttachmentMode = UInt32

/// The attachment stays with its bearer.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment is copied to what is made from its bearer.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1
