internal import AVFCore
internal import CaptureDevice
internal import Linux

extension AVCaptureSession {
  /// Closes the cameras when the machine is about to shut down, and opens them again when it has cooled; on the queue
  /// of events.
  ///
  /// Closing, not only withholding: what streams heats. Microphones go on, as with other interruptions of a camera.
  func heedSystemPressure() {
    let hot = [SystemPressure.shared, .simulated].filter { $0.current.level == .shutdown }
    guard let pressure = hot.first?.current else {
      let isWaiting = core.withLock { core in
        core.state == .interrupted
          && core.withheld.values.contains(.videoDeviceNotAvailableDueToSystemPressure)
      }
      if isWaiting { handle(.commit) }
      return
    }
    let pressed = core.withLock { Array($0.feeds.values) }.filter { feed in
      !feed.facts.isMicrophone && hot.contains { $0 === feed.device.pressure }
    }
    let feeds = core.withLock { core -> [DeviceFeed] in
      // Whoever works on the devices now asks for the pressure itself.
      guard core.state == .running || core.state == .interrupted else { return [] }
      let cameras = core.feeds.filter { feed in pressed.contains { $0 === feed.value } }
      for id in cameras.keys {
        core.feeds[id] = nil
        core.withheld[id] = .videoDeviceNotAvailableDueToSystemPressure
      }
      if !cameras.isEmpty { core.pressure = pressure }
      return Array(cameras.values)
    }
    guard !feeds.isEmpty else { return }
    let error = AVError(
      .sessionWasInterrupted,
      because:
        "The capture ended because the machine is too hot; let it cool down, the session goes on by itself.")
    for feed in feeds {
      close(feed, because: error)
      feed.device.endWaits()
    }
    handle(.streamInterrupted)
  }

  /// Whether a camera may not be opened because the machine is about to shut down; it then counts as withheld.
  func isWithheldByPressure(_ device: AVCaptureDevice) -> Bool {
    guard !device.facts.isMicrophone else { return false }
    // Not followed: this session's own watch reads the pressure, and a second timer costs as much CPU time as frames do.
    device.pressure.note(device)
    let pressure = device.pressure.current
    guard pressure.level == .shutdown else { return false }
    core.withLock { core in
      core.withheld[device.uniqueID] = .videoDeviceNotAvailableDueToSystemPressure
      core.pressure = pressure
    }
    return true
  }
}
