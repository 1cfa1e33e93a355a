internal import CBackends
internal import Foundation
internal import Linux

/// The backends that are linked into this program.
package enum DeviceBackends {
  private static let registered = Locked<[DeviceBackend]>([])

  /// All of them, by rank; two of one rank by name.
  package static let all: [DeviceBackend] = {
    cam_backends_register()
    return registered.withLock { $0 }.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
  }()

  /// The backend whose words begin with `name`; `nil` where this program has none.
  package static func named(_ name: String) -> DeviceBackend? {
    all.first { $0.name == name }
  }

  /// The name that a word of `OBSCURA_DEVICES` begins with: all of it, or the part before its colon.
  package static func name(of word: some StringProtocol) -> String {
    String(word.prefix { $0 != ":" }).trimmingCharacters(in: .whitespaces)
  }

  /// The module, and the trait of the package, that would bring the backend `name` into this program; `nil` for a name that no
  /// build knows, and for backends that are here.
  package static func missingTrait(bringing name: String) -> String? {
    let optional = String(cString: cam_backends_optional()).split(separator: ",").map(String.init)
    return trait(bringing: name, among: optional, without: all.map(\.name))
  }

  /// The one of the traits `optional` that brings the backend `name` into a program with the backends `linked`.
  package static func trait(
    bringing name: String, among optional: [String], without linked: [String]
  ) -> String? {
    linked.contains(name) ? nil : optional.first { $0.lowercased() == "\(name)devices" }
  }

  /// Makes a backend known.
  ///
  /// For the function that a backend has in the section `obscura_backends`: it is called once, when ``all`` is first asked for.
  package static func register(_ backend: DeviceBackend) {
    registered.withLock { $0.append(backend) }
  }
}
