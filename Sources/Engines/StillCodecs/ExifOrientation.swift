/// The eight ways a picture may lie, in EXIF's numbers, as sums of a mirroring and a turn.
package enum ExifOrientation {
  /// The steps from the stored pixels to the upright picture: mirror left and right first, then turn clockwise by quarters.
  package static func steps(of orientation: Int) -> (isMirrored: Bool, quarterTurns: Int) {
    switch orientation {
    case 2: (true, 0)
    case 3: (false, 2)
    case 4: (true, 2)
    case 5: (true, 3)
    case 6: (false, 1)
    case 7: (true, 1)
    case 8: (false, 3)
    default: (false, 0)
    }
  }

  /// The number of a mirroring followed by clockwise quarter turns.
  package static func number(isMirrored: Bool, quarterTurns: Int) -> Int {
    let turns = ((quarterTurns % 4) + 4) % 4
    return isMirrored ? [2, 7, 4, 5][turns] : [1, 6, 3, 8][turns]
  }

  /// The number of doing `first` and then `second`.
  package static func composed(_ first: Int, then second: Int) -> Int {
    let (a, b) = (steps(of: first), steps(of: second))
    // A mirroring after a turn is the opposite turn after the mirroring.
    let turns = b.isMirrored ? b.quarterTurns - a.quarterTurns : b.quarterTurns + a.quarterTurns
    return number(isMirrored: a.isMirrored != b.isMirrored, quarterTurns: turns)
  }

  /// The number that takes the pixels back.
  package static func inverse(of orientation: Int) -> Int {
    let step = steps(of: orientation)
    return number(
      isMirrored: step.isMirrored, quarterTurns: step.isMirrored ? step.quarterTurns : -step.quarterTurns)
  }
}
