import Foundation
import Linux
import ObscuraCommands

// Before anything is opened: no file shall get the number of a stream that is closed.
StandardStreams.reserve()
// A reader that goes away, or a limit on the size of files, ends our writing with an error instead of killing us.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
exit(ObscuraCommand.run(ObscuraCommand.commandLine()).rawValue)
