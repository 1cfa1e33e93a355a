import AVFoundation
import CameraModel
import GTKKit

/// Measures the running program by its own stamps: the start to the first picture, and presses to their thumbnails.
@MainActor
final class Bench {
  private let program: Program
  private let started: Double
  private var thumbnails: [Double] = []
  private var pressed = 0.0
  private var longestStall = 0.0
  private var lastTurn = 0.0
  private static let presses = 5

  init(_ program: Program, started: Double) {
    self.program = program
    self.started = started
    every(milliseconds: 4) { [weak self] in
      self?.noteTurn()
      return self != nil
    }
    program.window?.stage.onFirstPicture = { [weak self] in self?.begin() }
  }

  private func noteTurn() {
    let now = CMClock.hostTimeClock.time.seconds
    if lastTurn > 0, !thumbnails.isEmpty { longestStall = max(longestStall, now - lastTurn) }
    lastTurn = now
  }

  private func begin() {
    report("start to first picture", CMClock.hostTimeClock.time.seconds - started)
    var seen = program.model.state.value.lastPhoto
    program.model.state.observe { [weak self] state in
      guard let self, state.lastPhoto != seen, pressed > 0 else { return }
      seen = state.lastPhoto
      // It is visible with the frame that the screen draws next.
      whenIdle {
        self.note()
        return false
      }
    }
    press()
  }

  private func press() {
    pressed = CMClock.hostTimeClock.time.seconds
    program.model.pressShutter()
  }

  private func note() {
    thumbnails.append(CMClock.hostTimeClock.time.seconds - pressed)
    if thumbnails.count < Self.presses { return press() }
    thumbnails.sort()
    report("press to thumbnail, median", thumbnails[thumbnails.count / 2])
    report("press to thumbnail, slowest", thumbnails[thumbnails.count - 1])
    report("longest stall of the main loop", max(0, longestStall - 0.004))
    program.application.quit()
  }

  private func report(_ what: String, _ seconds: Double) {
    print("\(what): \((seconds * 10000).rounded() / 10) ms")
  }
}
