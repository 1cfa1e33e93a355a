import AVFoundation
import CGTK
import CameraModel
import GTKKit

// Pictures come and go by the hundred, on several threads: what is freed goes back to the system, and not into holes that stay.
mallopt(M_ARENA_MAX, 2)
mallopt(M_MMAP_THRESHOLD, 128 << 10)
mallopt(M_TRIM_THRESHOLD, 128 << 10)
let options = ProgramOptions(CommandLine.arguments)
if let answer = options.answer {
  print(answer)
  exit(options.exitCode)
}
options.chooseDevices()
Translation.begin(domain: Places.domain, folder: Places.catalogues)
let application = Application(identifier: Places.identifier, isUnique: !options.measures)
let benchFolder = options.measures ? BenchFolder() : nil
let folders =
  benchFolder.map {
    ProgramFolders(
      settings: $0.url.appendingPathComponent("settings.json"),
      pictures: $0.url.appendingPathComponent("Pictures"),
      looks: $0.url.appendingPathComponent("looks"))
  } ?? ProgramFolders()
let program = Program(application, options: options, folders: folders)
let code = application.run { program.activate() }
program.end()
if !options.measures { program.finishPhotos() }
benchFolder?.end()
exit(code)
