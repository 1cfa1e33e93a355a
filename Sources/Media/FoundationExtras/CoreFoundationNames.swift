public import Foundation

// Linux Swift does not bridge between Foundation's classes and Swift's values, so `x as CFString` compiles only
// when the name *is* the value type that clients hold. That decides every choice below.

/// Text; the Swift value itself, so that `kCVPixelBufferWidthKey as String` and `"x" as CFString` compile.
public typealias CFString = String
/// A dictionary with text keys; what client code writes as `[…] as CFDictionary`.
public typealias CFDictionary = [String: Any]
/// A dictionary that several owners share and change.
public typealias CFMutableDictionary = NSMutableDictionary
/// A list of anything.
public typealias CFArray = [Any]
/// A list that several owners share and change.
public typealias CFMutableArray = NSMutableArray
/// A boxed number.
public typealias CFNumber = NSNumber
/// A truth value.
public typealias CFBoolean = Bool
/// Bytes.
public typealias CFData = Data
/// Bytes that several owners share and change; where `CGImageDestinationCreateWithData` writes.
public typealias CFMutableData = NSMutableData
/// A location.
public typealias CFURL = URL
/// A point in wall-clock time.
public typealias CFDate = Date
/// An error with domain and code.
public typealias CFError = NSError
/// The one null object that may stand inside a collection.
public typealias CFNull = NSNull
/// A value that a Core Foundation call accepts; on Linux it need not be an object.
public typealias CFTypeRef = Any
/// A property list: text, numbers, truth values, dates and bytes, in arrays and dictionaries.
public typealias CFPropertyList = Any

/// A count or position.
public typealias CFIndex = Int
/// Seconds.
public typealias CFTimeInterval = Double
/// Seconds since 2001-01-01 00:00:00 UTC, by the wall clock.
public typealias CFAbsoluteTime = CFTimeInterval
/// The identifier of a type, as the `…GetTypeID` functions return it.
public typealias CFTypeID = UInt
/// A hash.
public typealias CFHashCode = UInt
/// Bit flags.
public typealias CFOptionFlags = UInt

/// True; implicitly unwrapped as on Apple, because clients write both `kCFBooleanTrue` and `kCFBooleanTrue!`.
public let kCFBooleanTrue: CFBoolean! = true
/// False; see ``kCFBooleanTrue``.
public let kCFBooleanFalse: CFBoolean! = false
/// The null object.
public let kCFNull: CFNull! = NSNull()

/// The wall clock in seconds since 2001-01-01 00:00:00 UTC.
///
/// It jumps when the clock is set: for durations and frame times use the host time clock.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
  Date.timeIntervalSinceReferenceDate
}

/// A range of positions: `location ..< location + length`.
public struct CFRange: Sendable, Hashable {
  /// The first position.
  public var location: CFIndex
  /// How many positions.
  public var length: CFIndex

  /// An empty range at 0.
  public init() {
    self.init(location: 0, length: 0)
  }

  /// `length` positions from `location` on.
  public init(location: CFIndex, length: CFIndex) {
    self.location = location
    self.length = length
  }
}

/// A range of `len` positions from `loc` on.
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange {
  CFRange(location: loc, length: len)
}

/// The name of a memory allocator in calls of Core Foundation's style.
///
/// Only the identity matters: `CMBlockBufferCreateWithMemoryBlock` frees its memory with `free` under
/// ``kCFAllocatorMalloc`` and leaves it alone under ``kCFAllocatorNull``. Everywhere else it is ignored.
public final class CFAllocator: Sendable, Hashable, CustomStringConvertible {
  /// The constant's name without prefix.
  public let description: String

  private init(_ description: String) {
    self.description = description
  }

  fileprivate static let systemDefault = CFAllocator("system default")
  fileprivate static let malloc = CFAllocator("malloc")
  fileprivate static let null = CFAllocator("null")

  /// Whether both are the same allocator.
  public static func == (left: CFAllocator, right: CFAllocator) -> Bool {
    left === right
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// The default allocator, which is `nil` as on Apple.
public let kCFAllocatorDefault: CFAllocator! = nil
/// The system's own allocator.
public let kCFAllocatorSystemDefault: CFAllocator! = .systemDefault
/// `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = .malloc
/// Neither allocates nor frees.
public let kCFAllocatorNull: CFAllocator! = .null

extension CFTypeID {
  /// The number that stands for `type` in this process; what `…GetTypeID` functions return.
  package init(of type: any Any.Type) {
    self.init(bitPattern: ObjectIdentifier(type).hashValue)
  }
}

/// The number that stands for the type of `cf` in this process.
///
/// Compare it with what `CVPixelBufferGetTypeID()` and its like return; it is not the same in the next run.
public func CFGetTypeID(_ cf: CFTypeRef) -> CFTypeID {
  CFTypeID(of: type(of: cf))
}

/// A pointer through which a caller takes an object.
///
/// Objective-C's holds no reference; without its runtime there is no such pointer, and this one holds the object as every other.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

/// The order of two values.
///
/// Apple: `CFComparisonResult`.
public enum CFComparisonResult: CFIndex, Sendable {
  /// The first comes first.
  case compareLessThan = -1
  /// Neither comes first.
  case compareEqualTo = 0
  /// The second comes first.
  case compareGreaterThan = 1
}
