import AVFCore
import AVFoundation
import Foundation

// Does one thing on a disk that fails as `OBSCURA_DISK_FAULT` says, for tests that look at what is left. Arguments: what is done, a
// folder, and the words of a command where one is run. It prints a line for all that a user is told, and at the end its calls.

let words = CommandLine.arguments
guard words.count > 2 else { exit(2) }
let stage = Stage(folder: words[2])
Thread.detachNewThread {
  do {
    try perform(words[1], stage, Array(words.dropFirst(3)))
    stage.end()
  } catch {
    stage.say("failed \(error.localizedDescription)")
    stage.end()
  }
}
// Handlers are called on the main queue.
dispatchMain()

@Sendable
func perform(_ operation: String, _ stage: Stage, _ rest: [String]) throws {
  switch operation {
  case "movie": try recordMovie(.h264, stage)
  case "hevc": try recordMovie(.hevc, stage)
  case "fragments": try recordMovie(.h264, fragments: 0.1, steps: 6, stage)
  case "writer": try recordByWriter(stage)
  case "audio": try recordAudio(steps: 13, stage)
  case "command": runCommand(rest, stage)
  case "effects": try chooseEffects(stage)
  case "measure": try measure(stage, rest)
  default: try LibraryWork(stage).perform(operation)
  }
}
