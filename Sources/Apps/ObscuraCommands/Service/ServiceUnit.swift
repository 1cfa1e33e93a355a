/// A unit of systemd's user manager that runs a command for good.
struct ServiceUnit {
  /// The name without `.service`: `obscura-scan`.
  var name: String
  /// The program, as an absolute path, and its words.
  var command: [String]
  /// Where paths in the words count from.
  var folder: String

  /// A camera that brings no frame for so long, without being known to be away, ends the process, which is started again.
  static let watchdogSeconds = 60

  /// The words that name this unit to `install-service`.
  private var removal: String {
    let verb = Self.shown(command.dropFirst().prefix(1).joined())
    let own = name.hasPrefix("obscura-") ? String(name.dropFirst(8)) : name
    return own == verb ? verb : "\(verb) --name \(own)"
  }

  /// The text of the unit's file.
  var text: String {
    """
    # Written by 'obscura install-service'; removed by 'obscura install-service \(removal) --uninstall'.
    [Unit]
    Description=Obscura: \(Self.shown(command.dropFirst().prefix(1).joined())) (\(name))
    Documentation=man:obscura(1)
    # It is started again for good, however often it ends.
    StartLimitIntervalSec=0

    [Service]
    Type=notify
    NotifyAccess=main
    ExecStart=\(command.map(Self.quoted).joined(separator: " "))
    WorkingDirectory=\(Self.escaped(folder))
    Restart=always
    RestartSec=5
    # Wrong options, and a format that the camera lacks, are there after a restart, too.
    RestartPreventExitStatus=2 6
    SuccessExitStatus=130
    # Ready with the first frame, alive while frames come.
    TimeoutStartSec=\(Self.watchdogSeconds)
    WatchdogSec=\(Self.watchdogSeconds)
    TimeoutStopSec=20
    # What it may take.
    MemoryMax=1G
    TasksMax=256
    LimitCORE=0
    LogRateLimitIntervalSec=30
    LogRateLimitBurst=300
    # What it may do. Folders stay as they are: hiding some from a user's service hides its groups, and with them the cameras.
    UMask=0077
    NoNewPrivileges=yes
    LockPersonality=yes
    RestrictNamespaces=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
    SystemCallArchitectures=native
    SystemCallFilter=@system-service

    [Install]
    WantedBy=default.target
    """
  }

  /// A word of a command line as systemd reads it: specifiers and variables are taken as they are.
  static func quoted(_ word: String) -> String {
    let text = escaped(word).replacing("$", with: "$$").replacing("\"", with: "\\\"")
    return "\"\(text)\""
  }

  private static func escaped(_ text: String) -> String {
    shown(text).replacing("\\", with: "\\\\").replacing("%", with: "%%")
  }

  /// Without what would end the line.
  private static func shown(_ text: String) -> String {
    text.replacing("\n", with: " ").replacing("\r", with: " ")
  }
}
