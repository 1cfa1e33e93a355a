internal import AVFCore
internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  func systemPressureDidChange() {
    events.carry { [weak self] in self?.heedSystemPressure() }
  }

  /// Closes the cameras when the machine is about to shut down, and opens them again when it has cooled; on the queue
  /// of events.
  ///
  /// Closing, not only withholding: what streams heats. Microphones go on, as with other interruptions of a camera.
  func heedSystemPressure() {
    let hot = [SystemPressure.shared, .simulated].filter { $0.current.level == .shutdown }
    guard let pressure = hot.first?.current else {
      let isWaiting = core.withLock { core in
        core.runner.state == .interrupted && core.feeds.isCooling
      }
      if isWaiting { handle(.commit) }
      return
    }
    interrupt(because: "the machine is too hot; let it cool down, the session goes on by itself") { feeds in
      let cameras = feeds.withhold { feed in
        !feed.facts.isMicrophone && hot.contains { $0 === feed.device.pressure }
          ? .videoDeviceNotAvailableDueToSystemPressure : nil
      }
      if !cameras.isEmpty { feeds.pressure = pressure }
      return cameras
    }
  }

  /// Whether a camera may not be opened because the machine is about to shut down; it then counts as withheld.
  func isWithheldByPressure(_ device: AVCaptureDevice) -> Bool {
    guard !device.facts.isMicrophone else { return false }
    // Not followed: this session's own watch reads the pressure, and a second timer costs as much CPU time as frames do.
    device.pressure.note(device)
    let pressure = device.pressure.current
    guard pressure.level == .shutdown else { return false }
    core.withLock { core in
      core.feeds.withheld[device.uniqueID] = .videoDeviceNotAvailableDueToSystemPressure
      core.feeds.pressure = pressure
    }
    return true
  }
}
