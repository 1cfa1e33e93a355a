extension Subscribers {
  /// How many values a subscriber asks for.
  ///
  /// Unlimited stays unlimited whatever is added or taken away, and nothing goes below zero. Apple: `Subscribers.Demand`.
  @frozen public struct Demand: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number; `nil` when unlimited.
    public let max: Int?

    @inlinable
    init(count: Int?) {
      max = count
    }

    /// As many as there are.
    public static let unlimited = Demand(count: nil)
    /// No value: the same as `max(0)`.
    public static let none = Demand(count: 0)

    /// At most so many; a negative number is a mistake and stops the program.
    @inlinable
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "A demand is not negative; ask for .max(0) or more.")
      return Demand(count: value)
    }

    /// `max(3)`, or `unlimited`.
    public var description: String {
      max.map { "max(\($0))" } ?? "unlimited"
    }

    /// The sum; unlimited where it would overflow.
    public static func + (lhs: Demand, rhs: Demand) -> Demand {
      guard let left = lhs.max, let right = rhs.max else { return .unlimited }
      let (sum, isTooLarge) = left.addingReportingOverflow(right)
      return Demand(count: isTooLarge ? nil : sum)
    }

    /// The difference; not below zero.
    ///
    /// Unlimited less anything is unlimited; any other number less unlimited is none.
    public static func - (lhs: Demand, rhs: Demand) -> Demand {
      guard let left = lhs.max else { return .unlimited }
      guard let right = rhs.max else { return .none }
      return Demand(count: Swift.max(0, left - right))
    }

    /// So many times as much; unlimited where it would overflow.
    public static func * (lhs: Demand, rhs: Int) -> Demand {
      guard let left = lhs.max else { return .unlimited }
      let (product, isTooLarge) = left.multipliedReportingOverflow(by: rhs)
      return isTooLarge ? .unlimited : .max(product)
    }

    /// Adds a demand.
    public static func += (lhs: inout Demand, rhs: Demand) {
      lhs = lhs + rhs
    }

    /// Takes a demand away.
    public static func -= (lhs: inout Demand, rhs: Demand) {
      lhs = lhs - rhs
    }

    /// Multiplies a demand.
    public static func *= (lhs: inout Demand, rhs: Int) {
      lhs = lhs * rhs
    }

    /// Whether the left asks for fewer.
    public static func < (lhs: Demand, rhs: Demand) -> Bool {
      guard let left = lhs.max else { return false }
      guard let right = rhs.max else { return true }
      return left < right
    }
  }
}

extension Subscribers.Demand {
  /// So many more.
  public static func + (lhs: Self, rhs: Int) -> Self {
    lhs + .max(rhs)
  }

  /// So many fewer; not below zero.
  public static func - (lhs: Self, rhs: Int) -> Self {
    lhs - .max(rhs)
  }

  /// Adds so many.
  public static func += (lhs: inout Self, rhs: Int) {
    lhs = lhs + rhs
  }

  /// Takes so many away.
  public static func -= (lhs: inout Self, rhs: Int) {
    lhs = lhs - rhs
  }

  /// Whether exactly so many are asked for.
  public static func == (lhs: Self, rhs: Int) -> Bool {
    lhs.max == rhs
  }

  /// Whether another number is asked for.
  public static func != (lhs: Self, rhs: Int) -> Bool {
    !(lhs == rhs)
  }

  /// Whether more are asked for.
  public static func > (lhs: Self, rhs: Int) -> Bool {
    lhs.max.map { $0 > rhs } ?? true
  }

  /// Whether so many or more are asked for.
  public static func >= (lhs: Self, rhs: Int) -> Bool {
    lhs.max.map { $0 >= rhs } ?? true
  }

  /// Whether fewer are asked for.
  public static func < (lhs: Self, rhs: Int) -> Bool {
    !(lhs >= rhs)
  }

  /// Whether so many or fewer are asked for.
  public static func <= (lhs: Self, rhs: Int) -> Bool {
    !(lhs > rhs)
  }
}
