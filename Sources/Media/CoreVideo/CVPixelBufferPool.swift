package import FoundationExtras
internal import Foundation
package import Linux

/// A stock of equal pixel buffers whose memory is used again and again.
///
/// A buffer from the pool carries no attachments but those of the pool's attributes; its pixels are what the last user
/// left, or zero in new memory. In steady state no pixel memory is allocated. Buffers may outlive their pool.
/// Thread-safe. Apple: `CVPixelBufferPool`.
public final class CVPixelBufferPool: Hashable, Sendable {
  /// What the pool was made with.
  let attributes: Attributes
  private let stock: PixelMemoryStock
  private let capacity: Int

  /// The two dictionaries of a pool.
  struct Attributes: @unchecked Sendable {  // Safe because the dictionaries never change.
    let pool: CFDictionary
    let pixelBuffer: CFDictionary
    /// What its buffers say they were made with, without the lists of choices.
    let resolved: CFDictionary
  }

  /// Makes a pool as Apple's two dictionaries describe it.
  ///
  /// - Parameters:
  ///   - poolAttributes: Minimum count and maximum age.
  ///   - pixelBufferAttributes: Size and format, and what `CVPixelBufferCreate` takes. Of several formats the first
  ///     that has a layout is taken.
  ///   - capacity: How many buffers there may be at any time; a request beyond fails with
  ///     `kCVReturnWouldExceedAllocationThreshold`.
  ///   - now: The clock that buffers age by.
  /// - Throws: ``PixelBufferError``: `kCVReturnInvalidPoolAttributes`, `kCVReturnInvalidPixelFormat`,
  ///   `kCVReturnInvalidSize`, `kCVReturnInvalidPixelBufferAttributes`.
  package init(
    poolAttributes: CFDictionary, pixelBufferAttributes: CFDictionary, capacity: Int = .max,
    now: @escaping @Sendable () -> MonotonicInstant = { .now }
  ) throws(PixelBufferError) {
    let minimumCount = try Self.number(
      poolAttributes[kCVPixelBufferPoolMinimumBufferCountKey].map(LooseNumber.double), else: 0)
    let seconds = try Self.number(
      poolAttributes[kCVPixelBufferPoolMaximumBufferAgeKey].map(LooseNumber.double), else: 1)
    guard let format = Self.format(pixelBufferAttributes[kCVPixelBufferPixelFormatTypeKey]) else {
      throw PixelBufferError(kCVReturnInvalidPixelFormat)
    }
    guard let width = LooseNumber.integer(pixelBufferAttributes[kCVPixelBufferWidthKey]),
      let height = LooseNumber.integer(pixelBufferAttributes[kCVPixelBufferHeightKey])
    else { throw PixelBufferError(kCVReturnInvalidSize) }
    let geometry = try PixelBufferGeometry(
      format: format, width: width, height: height, attributes: pixelBufferAttributes)
    attributes = Attributes(
      pool: poolAttributes, pixelBuffer: pixelBufferAttributes,
      resolved: pixelBufferAttributes.merging([kCVPixelBufferPixelFormatTypeKey: format]) { $1 })
    self.capacity = capacity
    stock = PixelMemoryStock(
      geometry, minimumCount: Int(minimumCount),
      maximumAgeNanoseconds: seconds > 0 ? Int64(min(seconds, 1e9) * 1e9) : nil, now: now)
  }

  /// Makes a pool of at most `capacity` buffers of one format and size, kept as long as the pool.
  ///
  /// - Throws: ``PixelBufferError`` as above.
  package convenience init(
    format: OSType, width: Int, height: Int, capacity: Int, attributes: CFDictionary = [:]
  ) throws(PixelBufferError) {
    let size: CFDictionary = [
      kCVPixelBufferPixelFormatTypeKey: format, kCVPixelBufferWidthKey: width,
      kCVPixelBufferHeightKey: height,
    ]
    try self.init(
      poolAttributes: [kCVPixelBufferPoolMaximumBufferAgeKey: 0],
      pixelBufferAttributes: attributes.merging(size) { $1 }, capacity: capacity)
  }

  deinit {
    stock.close()
  }

  /// Hands out a buffer: memory that came back, else new memory.
  ///
  /// - Parameter threshold: How many buffers there may be, used and unused, for new memory to be made.
  /// - Throws: ``PixelBufferError``: `kCVReturnWouldExceedAllocationThreshold` or `kCVReturnAllocationFailed`.
  package func makeBuffer(threshold: Int = .max) throws(PixelBufferError) -> CVPixelBuffer {
    let block = try stock.borrow(limit: min(threshold, capacity))
    let geometry = stock.geometry
    return CVPixelBuffer(
      wrapping: block.planes, format: geometry.layout.code, width: geometry.width, height: geometry.height,
      dataSize: geometry.byteCount, extended: geometry.extended, attributes: attributes.resolved,
      release: { [stock, identity = WeakPool(self)] in
        if stock.takeBack(block), let pool = identity.value { pool.announceFreeBuffer() }
      })
  }

  /// How many buffers there are, used and unused.
  package var count: Int { stock.count.all }

  /// How many buffers wait to be used again.
  package var unusedCount: Int { stock.count.unused }

  /// Gives unused memory back: all of it, or only what is older than the maximum age.
  func flush(all: Bool) {
    stock.flush(all: all)
  }

  private func announceFreeBuffer() {
    NotificationCenter.default.post(
      name: Notification.Name(kCVPixelBufferPoolFreeBufferNotification), object: self)
  }

  private static func number(_ value: Double??, else standard: Double) throws(PixelBufferError) -> Double {
    guard let value else { return standard }
    guard let value, value >= 0, value.isFinite else {
      throw PixelBufferError(kCVReturnInvalidPoolAttributes)
    }
    return min(value, 1e15)
  }

  private static func format(_ value: Any?) -> OSType? {
    let codes = PixelFormatChoice.codes(value)
    return codes.first { PixelFormatLayout.layout(of: $0) != nil } ?? codes.first
  }

  /// Whether both are the same pool.
  public static func == (left: CVPixelBufferPool, right: CVPixelBufferPool) -> Bool {
    left === right
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// A buffer must not keep its pool alive, or the pool's unused memory would never go.
private final class WeakPool: @unchecked Sendable {  // Safe because it is set once, in `init`.
  weak let value: CVPixelBufferPool?

  init(_ value: CVPixelBufferPool) {
    self.value = value
  }
}
