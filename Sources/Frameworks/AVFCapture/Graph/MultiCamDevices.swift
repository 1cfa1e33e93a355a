package import CaptureDevice

/// Finds cameras that can be used at once; pure functions of the devices' facts.
package enum MultiCamDevices {
  /// Whether the camera has a format that may stream beside other cameras.
  package static func isFit(_ facts: DeviceFacts) -> Bool {
    facts.media.contains(.video) && facts.formats.contains(where: \.supportsMultiCam)
  }

  /// Whether the two can stream at once: a virtual camera needs the cameras that it stands for.
  package static func canStreamTogether(_ left: DeviceFacts, _ right: DeviceFacts) -> Bool {
    guard left.uniqueID != right.uniqueID else { return false }
    return Set(left.constituents + [left.uniqueID]).isDisjoint(with: right.constituents + [right.uniqueID])
  }

  /// The largest sets of cameras that can be used at once, in the devices' order; every part of a set can be, too.
  ///
  /// No set is part of another, none has fewer than two cameras.
  ///
  /// Source: Bron and Kerbosch, Algorithm 457, Communications of the ACM 16 (1973), without the pivot.
  package static func sets(of devices: [DeviceFacts]) -> [[String]] {
    let fit = devices.filter(isFit)
    var sets: [[Int]] = []
    func extend(_ set: [Int], _ candidates: [Int], _ excluded: [Int]) {
      if candidates.isEmpty, excluded.isEmpty {
        if set.count > 1 { sets.append(set) }
        return
      }
      var candidates = candidates, excluded = excluded
      while let next = candidates.first {
        let fits = { (other: Int) in canStreamTogether(fit[next], fit[other]) }
        extend(set + [next], candidates.filter(fits), excluded.filter(fits))
        candidates.removeFirst()
        excluded.append(next)
      }
    }
    extend([], Array(fit.indices), [])
    return sets.map { set in set.map { fit[$0].uniqueID } }
  }
}
