/// The tokens that a manual clock waits for, by the steps in which they were made: each event is a step, and so is each time for which
/// the clock stands.
struct ClockTokens: Sendable {
  /// A token's place.
  struct Token: Sendable {
    fileprivate let step: Int
    fileprivate let generation: Int
  }

  private(set) var step = 0
  /// How many there are of each step.
  private var counts: [Int: Int] = [:]
  /// Grows when tokens are given up, so that their late ends do not count.
  private var generation = 0

  /// Whether none is left of this step or an earlier one.
  var areDone: Bool { counts.keys.allSatisfy { $0 > step } }

  /// Whether none is left of this step.
  var areDoneOfStep: Bool { counts[step] == nil }

  /// Whether none is left of the steps from `first` to this one; of all that were begun after it where `isWhole`.
  func areDone(since first: Int, isWhole: Bool = false) -> Bool {
    counts.keys.allSatisfy { $0 < first || (!isWhole && $0 > step) }
  }

  mutating func beginStep() { step += 1 }

  /// A token of this step, or of the next one.
  mutating func make(isLater: Bool) -> Token {
    let token = Token(step: isLater ? step + 1 : step, generation: generation)
    counts[token.step, default: 0] += 1
    return token
  }

  mutating func end(_ token: Token) {
    guard token.generation == generation, let count = counts[token.step] else { return }
    counts[token.step] = count > 1 ? count - 1 : nil
  }

  /// Waits for none of them any more.
  mutating func giveUp() {
    counts = [:]
    generation += 1
  }
}
