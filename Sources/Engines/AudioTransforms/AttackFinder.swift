/// Finds where a sound sets in: where it, or its higher part, is suddenly four times as powerful as it was in the fortieth of a second before.
struct AttackFinder {
  /// The power of a block of samples, and that of the differences between them, in which high tones count more.
  private struct Power {
    var whole: Float = 0
    var high: Float = 0
  }

  /// Moments whose power is taken together: 3 ms.
  let block: Int
  private let channels: Int
  /// How many blocks are looked back at; as many lie between two attacks.
  private static let memory = 8
  /// Less than this is silence: -60 dB.
  private static let floor: Float = 1e-6

  /// What is left of a block, behind the moment before it.
  private var rest: [Float]
  private var begin: Int
  private var powers: [Power] = []
  private var last = Int.min

  /// - Parameter begin: The moment of the first sample.
  init(rate: Int, channels: Int, begin: Int) {
    (self.channels, self.begin) = (channels, begin)
    block = max(rate / 350, 8)
    rest = [Float](repeating: 0, count: channels)
  }

  /// Takes more input, and returns the attacks that are found in it by now.
  mutating func process(_ samples: [Float]) -> [Int] {
    var found: [Int] = []
    rest.append(contentsOf: samples)
    let length = block * channels
    var at = channels
    while rest.count - at >= length {
      var power = Power()
      for index in at..<at + length {
        let difference = rest[index] - rest[index - channels]
        power.whole += rest[index] * rest[index]
        power.high += difference * difference
      }
      power.whole /= Float(length)
      power.high /= Float(length)
      if let isHigh = attack(power), last < begin - Self.memory * block {
        last = begin
        found.append(begin + onset(at..<at + length, isHigh: isHigh))
      }
      powers.append(power)
      if powers.count > Self.memory { powers.removeFirst() }
      begin += block
      at += length
    }
    rest.removeFirst(at - channels)
    return found
  }

  /// Whether a sound sets in, in the higher part alone; `nil` when none does.
  private func attack(_ power: Power) -> Bool? {
    var mean = Power()
    for one in powers {
      mean.whole += one.whole / Float(powers.count)
      mean.high += one.high / Float(powers.count)
    }
    if power.whole > Self.floor, power.whole > 4 * mean.whole { return false }
    return power.high > Self.floor && power.high > 4 * mean.high ? true : nil
  }

  /// The moment of a block at which it is no longer quiet.
  private func onset(_ range: Range<Int>, isHigh: Bool) -> Int {
    let values = range.map { abs(rest[$0] - (isHigh ? rest[$0 - channels] : 0)) }
    let loud = 0.3 * (values.max() ?? 0)
    return (values.firstIndex { $0 >= loud } ?? 0) / channels
  }
}
