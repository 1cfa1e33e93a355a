internal import Foundation
internal import Glibc
internal import Linux

/// The environment as far as it says where photos are kept: a program with simulated cameras does not write among the user's.
package enum LibraryEnvironment {
  /// The process's environment.
  ///
  /// Where it names no library, and all devices are simulated, `OBSCURA_LIBRARY` is a folder of their own in it: by the words of
  /// `OBSCURA_DEVICES` ``simulatedFolder(_:)``, which stays; for providers that the program itself installed, as tests do, a new
  /// one in the folder for temporary files, which goes with the process.
  package static var current: [String: String] {
    let environment = ProcessInfo.processInfo.environment
    guard environment["OBSCURA_LIBRARY"]?.isEmpty ?? true else { return environment }
    let isInstalled = isSimulatedByProgram
    let folder: String?
    if hasSimulatedWords(environment), isInstalled || CaptureDeviceProviders.installed == nil {
      folder = simulatedFolder(environment)
    } else {
      folder = isInstalled ? temporaryFolder : nil
    }
    return environment.merging(folder.map { ["OBSCURA_LIBRARY": $0] } ?? [:]) { $1 }
  }

  /// Whether the program has installed simulated devices, and no others.
  package static var isSimulatedByProgram: Bool {
    guard let providers = CaptureDeviceProviders.installed, !providers.isEmpty else { return false }
    return providers.allSatisfy { isSimulation($0.name) }
  }

  private static func hasSimulatedWords(_ environment: [String: String]) -> Bool {
    let words = environment["OBSCURA_DEVICES"]?.split(separator: ",") ?? []
    return !words.isEmpty
      && words.allSatisfy { isSimulation(DeviceBackends.name(of: $0)) }
  }

  /// Whether the devices of a backend, whose name its providers have, are no devices of the machine.
  private static func isSimulation(_ name: String) -> Bool {
    DeviceBackends.named(name)?.isSimulation ?? false
  }

  /// The folder of simulated cameras' photos: `simulated` in `$XDG_DATA_HOME/obscura`, else in `~/.local/share/obscura`.
  package static func simulatedFolder(_ environment: [String: String]) -> String {
    UserFolders(environment).data("obscura/simulated")
  }

  // MARK: A folder for this process

  private static let prefix = "obscura-simulated-\(geteuid())-"

  /// Made when it is asked for first; `nil` where there is no folder for temporary files.
  private static let temporaryFolder: String? = {
    let parent = NSTemporaryDirectory()
    sweep(parent)
    var template = Array("\(parent)/\(prefix)\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    atexit { LibraryEnvironment.removeTemporaryFolder() }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  private static func removeTemporaryFolder() {
    if let folder = temporaryFolder { Disk.removeAll(folder) }
  }

  /// Removes what processes left that were killed.
  private static func sweep(_ parent: String) {
    for name in DeviceTree.names(in: parent) where name.hasPrefix(prefix) {
      guard let process = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      Disk.removeAll("\(parent)/\(name)")
    }
  }
}
