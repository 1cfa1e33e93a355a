import AVFoundation
import Foundation
import GTKKit

/// Prints figures, each as a line of JSON.
enum BenchReport {
  static func say(_ figure: String, _ value: Double, _ unit: String) {
    let text = abs(value) >= 100 ? String(format: "%.0f", value) : String(format: "%.3f", value)
    print("{\"figure\": \"\(figure)\", \"value\": \(text), \"unit\": \"\(unit)\"}")
    fflush(nil)
  }

  /// Says on the error output what could not be measured.
  static func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("obscura-camera: \(sentence)\n".utf8))
  }

  /// Median and slowest of some times, in milliseconds.
  static func say(_ figure: String, of seconds: [Double]) {
    let sorted = seconds.sorted()
    guard let last = sorted.last else { return }
    say("\(figure), median", sorted[sorted.count / 2] * 1000, "ms")
    say("\(figure), slowest of \(sorted.count)", last * 1000, "ms")
  }
}

/// The main loop's turns over a while.
@MainActor
final class StallCount {
  /// The duration that a user may see as a stall: a frame of a common screen.
  static let frame = 0.016
  private var turns = 0
  private var byClock = 0
  private var own = 0
  private var waited = 0
  private var longest = 0.0
  private var longestOwn = 0.0

  func begin() {
    LoopWatch.begin { [self] turn in
      turns += 1
      longest = max(longest, turn.seconds)
      longestOwn = max(longestOwn, turn.ownSeconds)
      guard turn.seconds > Self.frame else { return }
      byClock += 1
      if turn.ownSeconds > Self.frame { own += 1 } else if turn.hasWaited { waited += 1 }
    }
  }

  func end(_ words: String) {
    LoopWatch.begin(nil)
    BenchReport.say("\(words): turns of the main loop", Double(turns), "turns")
    BenchReport.say("\(words): turns over 16 ms by their own work", Double(own), "turns")
    BenchReport.say("\(words): turns over 16 ms that waited for something", Double(waited), "turns")
    BenchReport.say(
      "\(words): turns over 16 ms by the clock, other programs' time included", Double(byClock), "turns")
    BenchReport.say("\(words): longest turn by its own work", longestOwn * 1000, "ms")
    BenchReport.say("\(words): longest turn by the clock", longest * 1000, "ms")
  }
}

/// Facts of this process that the kernel counts: processor time, memory and age.
enum ProcessFacts {
  /// Seconds of the processor until now, all threads.
  static var processorSeconds: Double {
    var usage = rusage()
    getrusage(.init(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// Megabytes in memory that are in no file.
  static var megabytes: Double { status("RssAnon:") }

  /// All megabytes in memory, those of files included, which other programs may share.
  static var residentMegabytes: Double { status("VmRSS:") }

  private static func status(_ name: String) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      let number = line.split(separator: " ").dropFirst().first.flatMap { Double($0) }
      return (number ?? 0) / 1024
    }
    return 0
  }

  /// Seconds since the program was started, its loading included.
  static var age: Double {
    guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return 0 }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, let ticks = Double(fields[19]) else { return 0 }
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
