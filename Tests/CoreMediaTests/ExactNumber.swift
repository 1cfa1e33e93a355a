/// A whole number of any length, as slow and plain as a reference should be.
struct ExactNumber: Comparable {
  private var isNegative: Bool
  /// Least significant first, without leading zeros.
  private var limbs: [UInt32]

  init(_ value: Int64) {
    isNegative = value < 0
    limbs = [UInt32(truncatingIfNeeded: value.magnitude), UInt32(value.magnitude >> 32)]
    trim()
  }

  private init(_ isNegative: Bool, _ limbs: [UInt32]) {
    self.isNegative = isNegative
    self.limbs = limbs
    trim()
  }

  private mutating func trim() {
    while limbs.last == 0 { limbs.removeLast() }
    if limbs.isEmpty { isNegative = false }
  }

  var magnitude: ExactNumber { ExactNumber(false, limbs) }
  var isZero: Bool { limbs.isEmpty }

  static prefix func - (number: ExactNumber) -> ExactNumber { ExactNumber(!number.isNegative, number.limbs) }

  static func + (left: ExactNumber, right: ExactNumber) -> ExactNumber {
    guard left.isNegative != right.isNegative else {
      return ExactNumber(left.isNegative, sum(left.limbs, right.limbs))
    }
    if isLess(left.limbs, right.limbs) {
      return ExactNumber(right.isNegative, difference(right.limbs, left.limbs))
    }
    return ExactNumber(left.isNegative, difference(left.limbs, right.limbs))
  }

  static func - (left: ExactNumber, right: ExactNumber) -> ExactNumber { left + -right }

  static func * (left: ExactNumber, right: ExactNumber) -> ExactNumber {
    var product = [UInt32](repeating: 0, count: left.limbs.count + right.limbs.count)
    for (i, a) in left.limbs.enumerated() {
      var carry: UInt64 = 0
      for (j, b) in right.limbs.enumerated() {
        let sum = UInt64(a) * UInt64(b) + UInt64(product[i + j]) + carry
        product[i + j] = UInt32(truncatingIfNeeded: sum)
        carry = sum >> 32
      }
      product[i + right.limbs.count] = UInt32(carry)
    }
    return ExactNumber(left.isNegative != right.isNegative, product)
  }

  static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    guard left.isNegative == right.isNegative else { return left.isNegative }
    return left.isNegative ? isLess(right.limbs, left.limbs) : isLess(left.limbs, right.limbs)
  }

  private static func isLess(_ left: [UInt32], _ right: [UInt32]) -> Bool {
    guard left.count == right.count else { return left.count < right.count }
    for (a, b) in zip(left.reversed(), right.reversed()) where a != b { return a < b }
    return false
  }

  private static func sum(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    var carry: UInt64 = 0
    for i in 0..<max(left.count, right.count) {
      let sum = UInt64(i < left.count ? left[i] : 0) + UInt64(i < right.count ? right[i] : 0) + carry
      result.append(UInt32(truncatingIfNeeded: sum))
      carry = sum >> 32
    }
    return result + [UInt32(carry)]
  }

  private static func difference(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    var borrow: Int64 = 0
    for i in 0..<left.count {
      var digit = Int64(left[i]) - Int64(i < right.count ? right[i] : 0) - borrow
      borrow = digit < 0 ? 1 : 0
      if digit < 0 { digit += 1 << 32 }
      result.append(UInt32(digit))
    }
    return result
  }
}

/// A fraction of exact numbers; the denominator is above zero.
struct ExactFraction {
  var numerator: ExactNumber
  var denominator: ExactNumber

  init(_ numerator: ExactNumber, _ denominator: ExactNumber) {
    self.numerator = numerator
    self.denominator = denominator
  }

  static func + (left: ExactFraction, right: ExactFraction) -> ExactFraction {
    ExactFraction(
      left.numerator * right.denominator + right.numerator * left.denominator,
      left.denominator * right.denominator)
  }

  static prefix func - (fraction: ExactFraction) -> ExactFraction {
    ExactFraction(-fraction.numerator, fraction.denominator)
  }

  static func * (left: ExactFraction, right: ExactFraction) -> ExactFraction {
    ExactFraction(left.numerator * right.numerator, left.denominator * right.denominator)
  }

  /// -1, 0 or 1.
  func compared(to other: ExactFraction) -> Int32 {
    let left = numerator * other.denominator
    let right = other.numerator * denominator
    return left < right ? -1 : right < left ? 1 : 0
  }
}
