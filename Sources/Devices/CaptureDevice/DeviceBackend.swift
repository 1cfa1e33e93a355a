/// A place that devices come from, as a word of `OBSCURA_DEVICES` chooses it: the kernel's cameras, a movie.
///
/// A backend is a module of its own. One line of the manifest makes it and links it into every program that opens devices; there it
/// is found by a constant in one of its files, and no other file knows it:
///
/// ```swift
/// @section("obscura_backends") @used
/// private let registration: @convention(c) () -> Void = {
///   DeviceBackends.register(DeviceBackend(name: "movie", …) { … })
/// }
/// ```
package struct DeviceBackend: Sendable {
  /// A function that makes a provider of what follows the colon in a word; `nil` for the name alone.
  ///
  /// It throws what is wrong with that, in the user's words. An argument comes only where one of the ``spellings`` has a colon.
  package typealias Making =
    @Sendable (_ argument: String?) throws(CaptureDeviceError) -> any CaptureDeviceProvider

  /// The name that its words begin with, and that its providers have: `movie` for the module MovieDevices.
  package let name: String
  /// The spellings of its words, as help lists them: `["simulated", "simulated:FILE.json"]`.
  package let spellings: [String]
  /// A description of its devices for help: a phrase without a full stop.
  package let summary: String
  /// Its place in lists, and in order of preference among those that are asked without a choice: the smaller first.
  package let rank: Int
  /// Whether its devices are asked for where neither the program nor its user has chosen any.
  package let isUsual: Bool
  /// Whether its devices are no devices of this machine; photos of them are kept apart (``LibraryEnvironment``).
  package let isSimulation: Bool
  /// The backends whose devices come with its own, by name.
  package let companions: [String]
  /// The function that says what keeps its devices from being used on this machine, whether or not they are asked for.
  package let diagnose: @Sendable () -> [BackendFinding]
  /// The function that makes its providers.
  package let makeProvider: Making

  /// Whether one of its spellings has more behind a colon.
  package var takesArgument: Bool { spellings.contains { $0.contains(":") } }

  /// A backend, which ``DeviceBackends/register(_:)`` makes known.
  package init(
    name: String, spellings: [String], summary: String, rank: Int = 100, isUsual: Bool = false,
    isSimulation: Bool = false, companions: [String] = [],
    diagnose: @escaping @Sendable () -> [BackendFinding] = { [] }, makeProvider: @escaping Making
  ) {
    self.name = name
    self.spellings = spellings
    self.summary = summary
    self.rank = rank
    self.isUsual = isUsual
    self.isSimulation = isSimulation
    self.companions = companions
    self.diagnose = diagnose
    self.makeProvider = makeProvider
  }
}
