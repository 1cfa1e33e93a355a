public import Foundation
public import FoundationExtras
internal import Linux

/// A first-in first-out queue of pointers with a fixed capacity; it keeps nothing alive.
///
/// Thread-safe.
///
/// Apple: `CMSimpleQueue`.
public final class CMSimpleQueue: Sendable {
  private struct Ring: @unchecked Sendable {  // Safe: never followed.
    var elements: [UnsafeRawPointer?]
    var head = 0
    var count = 0
  }

  /// How many elements have room.
  public let capacity: Int
  private let ring: Locked<Ring>

  /// A queue for so many elements.
  ///
  /// - Throws: `parameterOutOfRange` when that is not above zero.
  public init(capacity: Int) throws {
    guard capacity > 0, capacity <= Int(Int32.max) else { throw Error.parameterOutOfRange }
    self.capacity = capacity
    ring = Locked(Ring(elements: Array(repeating: nil, count: capacity)))
  }

  /// The errors of a queue's methods.
  ///
  /// Apple: `CMSimpleQueue.Error`.
  public struct Error {
    /// There is not enough memory.
    public static let allocationFailed = statusError(kCMSimpleQueueError_AllocationFailed)
    /// A required parameter is missing.
    public static let requiredParameterMissing = statusError(kCMSimpleQueueError_RequiredParameterMissing)
    /// The capacity is not above zero.
    public static let parameterOutOfRange = statusError(kCMSimpleQueueError_ParameterOutOfRange)
    /// There is no room.
    public static let queueIsFull = statusError(kCMSimpleQueueError_QueueIsFull)
  }

  /// Puts an element at the end.
  ///
  /// - Throws: `queueIsFull`.
  public func enqueue(_ element: UnsafeRawPointer) throws {
    let element = UInt(bitPattern: element)
    let hasRoom = ring.withLock { ring in
      guard ring.count < ring.elements.count else { return false }
      ring.elements[(ring.head + ring.count) % ring.elements.count] = UnsafeRawPointer(bitPattern: element)
      ring.count += 1
      return true
    }
    guard hasRoom else { throw Error.queueIsFull }
  }

  /// Takes the first element; `nil` when there is none.
  public func dequeue() -> UnsafeRawPointer? {
    let address: UInt = ring.withLock { ring in
      guard ring.count > 0 else { return 0 }
      let element = ring.elements[ring.head]
      ring.head = (ring.head + 1) % ring.elements.count
      ring.count -= 1
      return UInt(bitPattern: element)
    }
    return UnsafeRawPointer(bitPattern: address)
  }

  /// The first element; `nil` when there is none.
  public var head: UnsafeRawPointer? {
    let address: UInt = ring.withLock { ring in
      ring.count > 0 ? UInt(bitPattern: ring.elements[ring.head]) : 0
    }
    return UnsafeRawPointer(bitPattern: address)
  }

  /// Forgets every element.
  public func reset() throws {
    ring.withLock {
      $0.head = 0
      $0.count = 0
    }
  }

  /// How many elements there are.
  public var count: Int { ring.withLock { $0.count } }

  /// How much of the capacity is used, 0 to 1.
  public var fullness: Float { Float(count) / Float(capacity) }
}

extension CMSimpleQueue: Hashable {
  /// Whether both are the same object.
  public static func == (left: CMSimpleQueue, right: CMSimpleQueue) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// There is not enough memory.
public let kCMSimpleQueueError_AllocationFailed: OSStatus = -12770
/// A required parameter is missing.
public let kCMSimpleQueueError_RequiredParameterMissing: OSStatus = -12771
/// The capacity is not above zero.
public let kCMSimpleQueueError_ParameterOutOfRange: OSStatus = -12772
/// There is no room.
public let kCMSimpleQueueError_QueueIsFull: OSStatus = -12773

/// Makes a queue for so many elements.
///
/// - Returns: ``kCMSimpleQueueError_ParameterOutOfRange`` when that is not above zero.
@discardableResult
public func CMSimpleQueueCreate(
  allocator: CFAllocator?, capacity: Int32, queueOut: UnsafeMutablePointer<CMSimpleQueue?>
) -> OSStatus {
  queueOut.pointee = try? CMSimpleQueue(capacity: Int(capacity))
  return queueOut.pointee == nil ? kCMSimpleQueueError_ParameterOutOfRange : noErr
}

/// Puts an element at the end.
///
/// - Returns: ``kCMSimpleQueueError_QueueIsFull``.
@discardableResult
public func CMSimpleQueueEnqueue(_ queue: CMSimpleQueue, element: UnsafeRawPointer) -> OSStatus {
  do {
    try queue.enqueue(element)
    return noErr
  } catch {
    return OSStatus(clamping: (error as NSError).code)
  }
}

/// Takes the first element; `nil` when there is none.
public func CMSimpleQueueDequeue(_ queue: CMSimpleQueue) -> UnsafeRawPointer? { queue.dequeue() }

/// Gives the first element; `nil` when there is none.
public func CMSimpleQueueGetHead(_ queue: CMSimpleQueue) -> UnsafeRawPointer? { queue.head }

/// Forgets every element.
@discardableResult
public func CMSimpleQueueReset(_ queue: CMSimpleQueue) -> OSStatus {
  while queue.dequeue() != nil {}
  return noErr
}

/// Gives how many elements have room.
public func CMSimpleQueueGetCapacity(_ queue: CMSimpleQueue) -> Int32 { Int32(clamping: queue.capacity) }

/// Gives how many elements there are.
public func CMSimpleQueueGetCount(_ queue: CMSimpleQueue) -> Int32 { Int32(clamping: queue.count) }
