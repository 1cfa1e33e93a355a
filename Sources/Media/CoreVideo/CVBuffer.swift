package import FoundationExtras
internal import Linux

/// A picture in memory, with attachments that say what its numbers mean.
///
/// A counted reference to memory of an owner: a pool, the kernel's ring, or the creator of the bytes. The owner gets it back
/// when the last reference goes. The properties never change; attachments and locks are thread-safe; only one thread may
/// write the pixels at a time.
/// Apple: `CVBuffer`, to which `CVImageBuffer` and `CVPixelBuffer` are other names.
public final class CVBuffer: Hashable, CustomStringConvertible, @unchecked Sendable {
  // Safe because what changes is under the memory's lock.

  /// The memory that it shows, and all of it that never changes.
  package let memory: PictureMemory
  @exclusivity(unchecked) private var changing: State
  /// Makes the pixels; `nil` where they are there from the start.
  private let late: LatePixels?

  /// The pixel format; of wrapped memory it may be one without a ``layout``.
  package var format: OSType { memory.format }
  /// The picture's width in pixels.
  package var width: Int { memory.width }
  /// The picture's height in pixels.
  package var height: Int { memory.height }
  /// The planes in memory order, exactly one for packed formats.
  ///
  /// Reading their bytes needs no lock inside this package. Pixels that come late are made by this; what only wants to know
  /// where the planes lie asks ``memory``.
  package var planes: [PixelPlane] {
    late?.make()
    return memory.planes
  }
  /// Bytes of the whole memory, with padding and extended pixels.
  package var dataSize: Int { memory.dataSize }
  /// Pixels beyond the edges that belong to the memory.
  package var extended: PixelBufferGeometry.ExtendedPixels { memory.extended }
  /// The attributes that the creator asked for, with size and format.
  package var creationAttributes: CFDictionary {
    var described = memory.attributes
    described[kCVPixelBufferPixelFormatTypeKey] = format
    described[kCVPixelBufferWidthKey] = width
    described[kCVPixelBufferHeightKey] = height
    return described
  }

  /// The part of a buffer that changes during its life: attachments and counts of locks.
  struct State {
    var attachments: [CFString: Attachment]
    var readOnlyLocks: Int32 = 0
    var readWriteLocks: Int32 = 0
  }

  /// A value that travels with a picture.
  struct Attachment: @unchecked Sendable {  // Safe because a value is never changed once it is attached.
    var value: CFTypeRef
    var mode: CVAttachmentMode
    /// The same value as an object, made when first asked for.
    var object: AnyObject?
  }

  /// Shows what is in `memory`: one allocation.
  ///
  /// The memory must not show another picture at the same time.
  package init(showing memory: PictureMemory, late: LatePixels? = nil) {
    self.memory = memory
    self.late = late
    changing = State(attachments: memory.attachments.table)
  }

  /// As ``init(showing:)``, of memory that goes back to `owner` when the picture ends.
  package static func showing(
    _ memory: PictureMemory, lentBy owner: any PictureOwner, late: LatePixels? = nil
  ) -> CVBuffer {
    memory.owner = owner
    return CVBuffer(showing: memory, late: late)
  }

  /// Shows `pixels`, which `make` writes when they are first read.
  package static func late(
    _ pixels: CVBuffer, attachments: CFDictionary, _ make: @escaping @Sendable (CVBuffer) -> Void
  ) -> CVBuffer {
    let memory = PictureMemory(
      planes: pixels.memory.planes, format: pixels.format, width: pixels.width, height: pixels.height,
      dataSize: pixels.dataSize, attachments: BufferAttachments(propagating: attachments))
    memory.release = { withExtendedLifetime(pixels) {} }
    return CVBuffer(showing: memory, late: LatePixels { make(pixels) })
  }

  /// Whether the picture has this format and size.
  package func has(format: OSType, width: Int, height: Int) -> Bool {
    memory.format == format && memory.width == width && memory.height == height
  }

  /// Wraps memory that someone else owns, without copying.
  ///
  /// - Parameters:
  ///   - format: The pixel format; any code, as long as `planes` describes it truly.
  ///   - planes: In memory order; valid until `release` is called.
  ///   - dataSize: The whole memory in bytes; `nil` adds up the planes.
  ///   - attributes: What `CVPixelBufferCopyCreationAttributes` hands back, beside size and format.
  ///   - attachments: Attached from the start.
  ///   - release: Called exactly once, on whatever thread lets the last reference go. It must not block.
  package convenience init(
    wrapping planes: [PixelPlane], format: OSType, width: Int, height: Int, dataSize: Int? = nil,
    extended: PixelBufferGeometry.ExtendedPixels = .init(), attributes: CFDictionary = [:],
    attachments: BufferAttachments = BufferAttachments(), release: @escaping @Sendable () -> Void
  ) {
    var attachments = attachments
    if !attributes.isEmpty { attachments.add(from: attributes) }
    let memory = PictureMemory(
      planes: planes, format: format, width: width, height: height, dataSize: dataSize, extended: extended,
      attributes: attributes, attachments: attachments)
    memory.release = release
    self.init(showing: memory)
  }

  /// Makes a buffer with memory of its own, zero at first.
  ///
  /// - Throws: ``PixelBufferError``: unknown format, bad size or attributes, no memory.
  package convenience init(
    format: OSType, width: Int, height: Int, attributes: CFDictionary = [:]
  ) throws(PixelBufferError) {
    let geometry = try PixelBufferGeometry(
      format: format, width: width, height: height, attributes: attributes)
    let memory = try geometry.allocate()
    self.init(
      wrapping: geometry.planes(at: memory.base), format: format, width: width, height: height,
      dataSize: geometry.byteCount, extended: geometry.extended, attributes: attributes,
      release: { withExtendedLifetime(memory) {} })
  }

  deinit {
    memory.pictureEnded()
  }

  /// Runs `body` on what changes, under the lock; it must not call out.
  func withState<Result>(_ body: (inout State) -> Result) -> Result {
    memory.lock.lock()
    defer { memory.lock.unlock() }
    return body(&changing)
  }

  /// The layout of the format, or `nil` when it is none of the table's.
  package var layout: PixelFormatLayout? {
    PixelFormatLayout.layout(of: format)
  }

  /// A description for logs: size, format, and planes.
  public var description: String {
    let rows = memory.planes.map { "\($0.width)x\($0.height) stride \($0.bytesPerRow)" }.joined(
      separator: ", ")
    return "<CVPixelBuffer \(width)x\(height) \(FourCharacterCode(rawValue: format)) [\(rows)]>"
  }

  /// Whether both are the same buffer; equal pixels do not count.
  public static func == (left: CVBuffer, right: CVBuffer) -> Bool {
    left === right
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// A buffer that holds a picture.
public typealias CVImageBuffer = CVBuffer
/// A picture in main memory.
public typealias CVPixelBuffer = CVImageBuffer

extension PageMemory {
  /// The first byte.
  ///
  /// Safe to unwrap because the memory is never empty.
  var base: UnsafeMutableRawPointer {
    guard let base = bytes.baseAddress else { preconditionFailure("mapped memory has no address") }
    return base
  }
}
