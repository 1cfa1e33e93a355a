internal import Foundation

/// The level that coded HEVC pictures state: how much a decoder must be able to (ITU-T H.265, A.4).
///
/// x265 states the highest, 8.5, of everything that is coded without loss, and a decoder that has limits may refuse that. The level
/// follows from a single picture's size alone, so it is corrected where it stands.
enum HEVCLevel {
  /// Levels times 30, and the most pixels of a picture in each.
  private static let levels: [(level: UInt8, pixels: Int)] = [
    (60, 122_880), (63, 245_760), (90, 552_960), (93, 983_040), (120, 2_228_224), (150, 8_912_896),
    (180, 35_651_584),
  ]

  /// States the lowest level for a picture of so many pixels in an `hvcC` box, wherever that says the highest.
  static func state(in box: inout Data, pixels: Int) {
    guard let level = levels.first(where: { pixels <= $0.pixels })?.level else { return }
    // Behind the box's head and the first twelve bytes of the record.
    let place = box.startIndex + 8 + 12
    guard box.count > 31, box[place] == 255 else { return }
    box[place] = level
    var at = box.startIndex + 8 + 23
    let arrays = Int(box[at - 1])
    for _ in 0..<arrays {
      guard at + 3 <= box.endIndex else { return }
      let kind = box[at] & 0x3F
      let count = Int(box[at + 1]) << 8 | Int(box[at + 2])
      at += 3
      for _ in 0..<count {
        guard at + 2 <= box.endIndex else { return }
        let length = Int(box[at]) << 8 | Int(box[at + 1])
        let unit = at + 2..<at + 2 + length
        guard unit.upperBound <= box.endIndex else { return }
        // Behind the unit's own head: 32 video parameters, 33 of a sequence.
        if kind == 32 { state(level, 15, in: &box, unit) }
        if kind == 33 { state(level, 12, in: &box, unit) }
        at = unit.upperBound
      }
    }
  }

  /// Sets the byte `index` behind the head of a unit, bytes that prevent start codes not counted.
  private static func state(_ level: UInt8, _ index: Int, in box: inout Data, _ unit: Range<Int>) {
    var (counted, zeros) = (0, 0)
    for at in unit.dropFirst(2) {
      if zeros >= 2, box[at] == 3 {
        zeros = 0
        continue
      }
      if counted == index {
        if box[at] == 255 { box[at] = level }
        return
      }
      zeros = box[at] == 0 ? zeros + 1 : 0
      counted += 1
    }
  }
}
