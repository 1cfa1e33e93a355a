import Foundation
import Waiting

/// The process's memory, threads and descriptors, as the kernel counts them.
package struct ProcessFigures: CustomStringConvertible {
  /// Resident memory without what the allocator keeps of released memory, in kilobytes.
  package var memory: Int
  /// Those that run or wait.
  package var threads: Int
  /// Open ones, also of what is no file.
  package var descriptors: Int

  /// Reads `/proc/self`.
  package static var now: ProcessFigures {
    // Each of hundreds of workers may have released into an arena of its own, the more the busier the machine.
    _ = trim?(0)
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let memory = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?
      .split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    func entries(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
    }
    return ProcessFigures(memory: memory ?? 0, threads: entries("task"), descriptors: entries("fd"))
  }

  /// The figures once what ends on its own has ended: workers without work go after some seconds, and so do the descriptors of
  /// tests that run beside.
  package static func settled(toThreads limit: Int, descriptors: Int = .max) -> ProcessFigures {
    var figures = now
    _ = outside("/proc tells of no change") {
      figures = now
      return figures.threads <= limit && figures.descriptors <= descriptors
    }
    return figures
  }

  /// Whether the memory grew by more than so many kilobytes.
  ///
  /// `false` under a sanitizer: it keeps released memory, and notes of all that was touched.
  package func hasGrown(since before: ProcessFigures, byMoreThan kilobytes: Int) -> Bool {
    !Self.isSanitized && memory > before.memory + kilobytes
  }

  /// glibc's `malloc_trim`, which its module for Swift lacks.
  private static let trim = dlsym(nil, "malloc_trim").map {
    unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
  }

  /// Whether a sanitizer is part of the process.
  package static let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

  /// The three numbers.
  package var description: String { "\(memory) KB, \(threads) threads, \(descriptors) descriptors" }
}
