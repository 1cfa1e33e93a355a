// As libraries for several platforms have it: the system's log and lock where they can be imported, and otherwise their own.
#if canImport(os)
  import os
#else
  import Foundation
#endif

/// A log that takes the system's where there is one.
package struct PortableLog: Sendable {
  #if canImport(os)
    package static let usesSystemLog = true
    private let lock = OSAllocatedUnfairLock(initialState: [String]())
    private let log = OSLog(subsystem: "org.example.portable", category: "log")
  #else
    package static let usesSystemLog = false
    private let lock = NSLock()
  #endif

  package init() {}

  /// Writes a line.
  package func write(_ line: String) {
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
package enum Imports {
  #if canImport(Combine)
    package static let combine = true
  #else
    package static let combine = false
  #endif
  #if canImport(CoreLocation)
    package static let coreLocation = true
  #else
    package static let coreLocation = false
  #endif
  #if canImport(UniformTypeIdentifiers)
    package static let uniformTypeIdentifiers = true
  #else
    package static let uniformTypeIdentifiers = false
  #endif
}
