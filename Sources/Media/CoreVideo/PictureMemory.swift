package import FoundationExtras
package import Linux

/// The memory behind a ``CVBuffer``, and what is true of every picture that is ever shown in it.
///
/// A driver that hands the same memory out again and again makes this once: each picture is then one small object.
/// Thread-safe.
package final class PictureMemory: @unchecked Sendable {
  // Safe because only `owner` changes, and only while one owner holds the memory without a picture.

  let format: OSType
  let width: Int
  let height: Int
  let planes: [PixelPlane]
  let dataSize: Int
  let extended: PixelBufferGeometry.ExtendedPixels
  let attributes: CFDictionary
  /// The attachments that each picture has from the start.
  let attachments: BufferAttachments
  /// The owner's own number of it.
  package let tag: Int
  /// Of what changes in the picture that the memory shows.
  let lock = Lock()
  /// Notified when the picture has ended; set before each picture, released when it ends.
  @exclusivity(unchecked) package var owner: (any PictureOwner)?
  /// Called when the picture has ended, where there is no owner.
  var release: (@Sendable () -> Void)?

  /// - Parameters:
  ///   - planes: In memory order, at least one; valid as long as this object.
  ///   - format: The pixel format; any code, as long as `planes` describes it truly.
  ///   - dataSize: The whole memory in bytes; `nil` adds up the planes.
  ///   - attributes: What `CVPixelBufferCopyCreationAttributes` hands back, beside size and format.
  package init(
    planes: [PixelPlane], format: OSType, width: Int, height: Int, dataSize: Int? = nil,
    extended: PixelBufferGeometry.ExtendedPixels = .init(), attributes: CFDictionary = [:],
    attachments: BufferAttachments = BufferAttachments(), tag: Int = 0
  ) {
    precondition(!planes.isEmpty, "a picture has at least one plane")
    self.format = format
    self.width = width
    self.height = height
    self.planes = planes
    self.dataSize = dataSize ?? planes.reduce(0) { $0 + $1.bytesPerRow * $1.height }
    self.extended = extended
    self.attributes = attributes
    self.attachments = attachments
    self.tag = tag
  }

  /// The last reference to the picture has gone.
  func pictureEnded() {
    if let owner = owner.take() { owner.pictureEnded(in: self) } else { release?() }
  }
}

/// The owner of memory that is lent to pictures, such as a device's ring of buffers.
package protocol PictureOwner: AnyObject, Sendable {
  /// The last reference to a picture in `memory` has gone; called once for each, on whatever thread that is.
  ///
  /// Must not block.
  func pictureEnded(in memory: PictureMemory)

  /// Shares `memory` with other devices; `nil` for memory that no driver knows.
  func exportMemory(_ memory: PictureMemory) throws -> Descriptor?
}

extension PictureOwner {
  package func exportMemory(_ memory: PictureMemory) throws -> Descriptor? { nil }
}

/// Attachments made once for all pictures of a stream; a picture takes them over for the price of a reference.
package struct BufferAttachments: @unchecked Sendable {  // Safe because an attached value never changes.
  var table: [CFString: CVBuffer.Attachment]

  /// None.
  package init() {
    table = [:]
  }

  /// All of `values`, with ``CVAttachmentMode/shouldPropagate``.
  package init(propagating values: CFDictionary) {
    table = BoxedNumbers.boxed(values).mapValues { CVBuffer.Attachment(value: $0, mode: .shouldPropagate) }
  }

  /// Adds what a client's attributes ask for.
  mutating func add(from attributes: CFDictionary) {
    for (key, mode) in [
      (kCVBufferPropagatedAttachmentsKey, CVAttachmentMode.shouldPropagate),
      (kCVBufferNonPropagatedAttachmentsKey, .shouldNotPropagate),
    ] {
      for (name, value) in BoxedNumbers.boxed(attributes[key] as? CFDictionary ?? [:]) {
        table[name] = CVBuffer.Attachment(value: value, mode: mode)
      }
    }
  }
}
