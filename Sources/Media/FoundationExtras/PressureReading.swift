internal import Foundation
internal import Glibc

/// A reading of the kernel's temperatures and of its count of threads that wait for a processor, at one moment.
///
/// Linux: `Documentation/driver-api/thermal/sysfs-api.rst` and `Documentation/accounting/psi.rst`.
package struct PressureReading: Sendable, Hashable {
  /// A thermal zone of the kernel, in degrees Celsius.
  package struct Zone: Sendable, Hashable {
    /// The folder's name, such as `thermal_zone0`.
    package var name: String
    /// The zone's type in the kernel's words, such as `x86_pkg_temp` or `camera-thermal`.
    package var type: String
    package var celsius: Double
    /// The limits at which the kernel slows the machine down, lowest first.
    package var passive: [Double] = []
    /// The limit at which the kernel warns.
    package var hot: Double?
    /// The limit at which the kernel switches the machine off.
    package var critical: Double?
  }

  /// The zones that the kernel watches and could be read.
  package var zones: [Zone] = []
  /// The share of the last ten seconds in which some thread waited for a processor, in percent; `nil` when the kernel
  /// does not count it.
  package var cpuStall: Double?

  /// A reading of nothing.
  package init() {}

  /// Reads `sys/class/thermal` and `proc/pressure/cpu` in the folder `root`, `/` but for tests.
  ///
  /// What is missing, unreadable or nonsense is left out: sensors that sleep answer with errors, and unset limits are zero
  /// or below. Blocks for some hundred microseconds, longer where the firmware is asked.
  package init(root: String) {
    let thermal = root + "/sys/class/thermal"
    // A machine without thermal zones has no such folder.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: thermal)) ?? []
    zones = names.filter { $0.hasPrefix("thermal_zone") }.sorted()
      .compactMap { Zone(name: $0, folder: "\(thermal)/\($0)") }
    cpuStall = Self.text(root + "/proc/pressure/cpu").flatMap(Self.stall)
  }

  /// The `avg10` of the line `some`.
  private static func stall(_ text: String) -> Double? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("some ") }
    let word = line?.split(separator: " ").first { $0.hasPrefix("avg10=") }
    return word.flatMap { Double($0.dropFirst(6)) }
  }

  /// The first 4096 bytes of a file, without spaces around them; such files are made when read and hold no more.
  fileprivate static func text(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension PressureReading.Zone {
  /// No sensor of a machine that still runs measures more.
  private static let hottest = 200.0

  fileprivate init?(name: String, folder: String) {
    func text(_ file: String) -> String? { PressureReading.text("\(folder)/\(file)") }
    func celsius(_ file: String) -> Double? { text(file).flatMap(Double.init).map { $0 / 1000 } }

    // The kernel does nothing at the limits of a zone that is switched off, so they say nothing.
    guard text("mode") != "disabled", let celsius = celsius("temp"), celsius < Self.hottest else {
      return nil
    }
    self.init(name: name, type: text("type") ?? "", celsius: celsius)
    var number = 0
    while let type = text("trip_point_\(number)_type") {
      defer { number += 1 }
      guard let limit = Self.limit(text("trip_point_\(number)_temp")) else { continue }
      switch type {
      case "passive": passive.append(limit)
      case "hot": hot = min(hot ?? limit, limit)
      case "critical": critical = min(critical ?? limit, limit)
      // "active" starts a fan.
      default: break
      }
    }
    passive.sort()
  }

  private static func limit(_ text: String?) -> Double? {
    guard let value = text.flatMap(Double.init), value > 0 else { return nil }
    return value / 1000
  }
}
