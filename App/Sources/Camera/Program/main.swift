import AVFoundation
import CameraModel
import GTKKit

let startStamp = CMClock.hostTimeClock.time.seconds
let options = ProgramOptions(CommandLine.arguments)
if let answer = options.answer {
  print(answer)
  exit(options.exitCode)
}
options.chooseDevices()
Translation.begin(domain: Places.domain, folder: Places.catalogues)
let application = Application(identifier: Places.identifier, isUnique: !options.measures)
let program = Program(application, options: options, started: startStamp)
let code = application.run { program.activate() }
program.end()
exit(code)
