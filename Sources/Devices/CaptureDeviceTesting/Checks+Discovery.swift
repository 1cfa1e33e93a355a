internal import CaptureDevice
internal import Linux

extension DeviceConformanceSuite {
  var discoveryChecks: [Check] {
    [
      Check("the list of devices is stable and gives the same objects") { [self] in
        let provider = try makeProvider()
        let first = provider.devices()
        let second = provider.devices()
        try require(first.map(\.facts.uniqueID) == second.map(\.facts.uniqueID), "Two looks gave two lists.")
        for (left, right) in zip(first, second) {
          try require(left === right, "\(left.facts.name) was another object the second time.")
          try require(left.facts == right.facts, "\(left.facts.name) changed its facts.")
        }
        try require(
          Set(first.map(\.facts.uniqueID)).count == first.count, "Two devices share a unique identifier.")
      },
      Check("every device's facts make sense") { [self] in
        let devices = try makeProvider().devices()
        let ids = Set(devices.map(\.facts.uniqueID))
        for device in devices {
          try checkFacts(device.facts)
          for constituent in device.facts.constituents {
            try require(
              ids.contains(constituent), "\(device.facts.name) stands on a missing device \(constituent).")
          }
        }
      },
      Check("asking for access answers once, with what holds from then on") { [self] in
        let provider = try makeProvider()
        let answers = Monitor<[DeviceAccess]>([])
        provider.requestAccess(for: .video) { access in answers.withLock { $0.append(access) } }
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: ConformanceStage.timeoutNanoseconds)
        let answer = answers.wait(until: deadline, for: { !$0.isEmpty }, then: { $0 })
        try require(answer?.count == 1, "The completion was called \(answer?.count ?? 0) times.")
        try require(
          answer?.first == provider.access(for: .video),
          "The answer differs from what the provider says afterwards.")
      },
    ]
  }

  private func checkFacts(_ facts: DeviceFacts) throws {
    let name = facts.name
    try require(!facts.uniqueID.isEmpty && !name.isEmpty && !facts.modelID.isEmpty, "A device has no name.")
    try require(!facts.media.isEmpty, "\(name) sends nothing.")
    try require(
      [0, 90, 180, 270].contains(facts.sensorRotation),
      "\(name) is turned by \(facts.sensorRotation) degrees.")
    guard facts.media.contains(.video) else { return }
    try require(!facts.formats.isEmpty, "\(name) has no format.")
    try require(Set(facts.formats).count == facts.formats.count, "\(name) lists a format twice.")
    var largest = 0
    for format in facts.formats {
      let size = format.size
      try require(size.width > 0 && size.height > 0, "\(name) has an empty format.")
      try require(size.width * size.height >= largest, "\(name) does not list its largest format last.")
      largest = size.width * size.height
      try require(!format.frameDurations.isEmpty, "\(name) has no rate in \(size).")
      let shortest = format.frameDurations.map(\.lowerBound)
      try require(
        shortest == shortest.sorted(), "\(name) does not list the shortest duration of \(size) first.")
      try require(
        format.stillSizes.isEmpty == format.encoding.isCoded, "\(name) takes no still in \(size).")
      let areas = (format.stillSizes + format.fullStillSizes).map { $0.width * $0.height }
      try require(areas == areas.sorted(), "\(name) does not list the smallest still of \(size) first.")
      if let exposure = format.exposureNanoseconds {
        try require(exposure.lowerBound > 0, "\(name) exposes \(size) for no time.")
      }
      if let iso = format.iso { try require(iso.lowerBound > 0, "\(name) has no ISO in \(size).") }
    }
  }
}
