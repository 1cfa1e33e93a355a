import Foundation
import ObscuraCommands

// A reader that goes away ends our writing with an error instead of killing us in the middle of a file.
signal(SIGPIPE, SIG_IGN)
exit(ObscuraCommand.run(Array(CommandLine.arguments.dropFirst())).rawValue)
