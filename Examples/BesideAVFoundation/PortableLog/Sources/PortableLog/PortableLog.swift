// As libraries for several platforms have it: the system's log and lock where they can be imported, and otherwise their own.
#if canImport(os)
  import os
#else
  import Foundation
#endif

/// A log that takes the system's where there is one.
public struct PortableLog: Sendable {
  #if canImport(os)
    /// Whether lines go to the system's log.
    public static let usesSystemLog = true
    private let lock = OSAllocatedUnfairLock(initialState: [String]())
    private let log = OSLog(subsystem: "org.example.portable", category: "log")
  #else
    /// Whether lines go to the system's log.
    public static let usesSystemLog = false
    private let lock = NSLock()
  #endif

  /// A log.
  public init() {}

  /// Writes a line.
  public func write(_ line: String) {
    #if canImport(os)
      lock.withLock { $0.append(line) }
      os_log("%{public}@", log: log, type: .info, line)
    #else
      lock.lock()
      defer { lock.unlock() }
      FileHandle.standardError.write(Data((line + "\n").utf8))
    #endif
  }
}

/// What can be imported here.
public enum Imports {
  #if canImport(Combine)
    /// Whether Combine is seen.
    public static let combine = true
  #else
    /// Whether Combine is seen.
    public static let combine = false
  #endif
  #if canImport(CoreLocation)
    /// Whether CoreLocation is seen.
    public static let coreLocation = true
  #else
    /// Whether CoreLocation is seen.
    public static let coreLocation = false
  #endif
  #if canImport(UniformTypeIdentifiers)
    /// Whether UniformTypeIdentifiers is seen.
    public static let uniformTypeIdentifiers = true
  #else
    /// Whether UniformTypeIdentifiers is seen.
    public static let uniformTypeIdentifiers = false
  #endif
}
