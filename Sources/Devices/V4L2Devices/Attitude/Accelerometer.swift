package import CaptureDevice
internal import Glibc
internal import Linux

/// The machine's accelerometer, as the kernel's industrial I/O shows it in sysfs.
///
/// A plain value of paths; every question reads small files, some 10 µs each. Axes and sign are those in which mount matrices
/// are written in the field (and iio-sensor-proxy reads them): the measured vector points down, so an upright machine has a
/// negative y.
///
/// - Note: The kernel's page on mount matrices writes the opposite sign; machines are sold with the sign above.
///
/// Source: `Documentation/ABI/testing/sysfs-bus-iio` of Linux: `in_accel_*_raw`, `_scale`, `_offset`, `mount_matrix`.
package struct Accelerometer: Sendable {
  private let folder: String
  private let scale: [Double]
  private let offset: [Double]
  /// Row by row: from the chip's axes to the machine's.
  private let matrix: [Double]

  private static let axes = ["x", "y", "z"]

  /// The accelerometer beside the screen; `nil` on machines without one.
  ///
  /// - Parameter root: Where the kernel lists industrial I/O devices.
  package init?(root: String = "/sys/bus/iio/devices") {
    let folders = DeviceTree.names(in: root).filter { $0.hasPrefix("iio:device") }.sorted()
      .map { "\(root)/\($0)" }
    let found = folders.first { folder in
      // Convertible laptops have a second one beneath the keyboard, which does not turn with the screen.
      DeviceTree.line("\(folder)/label") != "accel-base"
        && Self.axes.allSatisfy { DeviceTree.line("\(folder)/in_accel_\($0)_raw") != nil }
    }
    guard let found else { return nil }
    folder = found
    func numbers(_ what: String, otherwise: Double) -> [Double] {
      Self.axes.map { axis in
        for name in ["in_accel_\(axis)_\(what)", "in_accel_\(what)"] {
          if let number = DeviceTree.line("\(found)/\(name)").flatMap({ Double($0) }) { return number }
        }
        return otherwise
      }
    }
    scale = numbers("scale", otherwise: 1)
    offset = numbers("offset", otherwise: 0)
    let matrices = ["in_accel_mount_matrix", "in_mount_matrix", "mount_matrix"].compactMap { name in
      DeviceTree.line("\(found)/\(name)").flatMap(Self.matrix)
    }
    matrix = matrices.first ?? [1, 0, 0, 0, 1, 0, 0, 0, 1]
  }

  /// `1, 0, 0; 0, 1, 0; 0, 0, 1`, as the kernel prints a matrix; `nil` when it is none.
  private static func matrix(_ text: String) -> [Double]? {
    let numbers = text.split { $0 == "," || $0 == ";" || $0 == " " }.map { Double($0) }
    return numbers.count == 9 && numbers.allSatisfy { $0 != nil } ? numbers.compactMap { $0 } : nil
  }

  /// The present direction of gravity; `nil` when the driver does not answer.
  package func gravity() -> GravityVector? {
    var measured: [Double] = []
    for (index, axis) in Self.axes.enumerated() {
      guard let raw = DeviceTree.line("\(folder)/in_accel_\(axis)_raw").flatMap({ Double($0) }) else {
        return nil
      }
      measured.append((raw + offset[index]) * scale[index])
    }
    func turned(_ row: Int) -> Double {
      (0..<3).reduce(0) { $0 + matrix[3 * row + $1] * measured[$1] }
    }
    return GravityVector(x: turned(0), y: turned(1), z: turned(2))
  }
}

extension DeviceAttitude {
  /// The machine that this program runs on: it follows the accelerometer, or is upright for ever where there is none.
  static let this: DeviceAttitude = {
    guard let accelerometer = Accelerometer() else { return DeviceAttitude() }
    return DeviceAttitude { accelerometer.gravity() }
  }()
}
