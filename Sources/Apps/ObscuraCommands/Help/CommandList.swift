/// The verbs of `obscura`, in the order in which they are listed.
enum CommandList {
  static let all: [any Command.Type] = [
    DevicesCommand.self, PhotoCommand.self, RecordCommand.self, StreamCommand.self, ServeCommand.self,
    ScanCommand.self, WatchCommand.self, InstallServiceCommand.self, DepthCommand.self,
    PlayCommand.self, EffectsCommand.self, LibraryCommand.self, FuseCommand.self, StampCommand.self,
    DoctorCommand.self,
    BenchCommand.self,
    CompletionCommand.self, ManualCommand.self,
  ]

  /// Those that lists for people name.
  static var shown: [any Command.Type] { all.filter { !$0.isHidden } }

  /// The version of all of them.
  static let version = "0.1.0"
}
