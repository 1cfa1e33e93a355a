public import Foundation

// Linux's NSValue cannot encode structures, but arrays of numbers: a time has the bytes of three 64-bit ones.

extension NSValue {
  /// Boxes a time.
  public convenience init(time: CMTime) {
    var time = time
    self.init(bytes: &time, objCType: "[3q]")
  }

  /// The boxed time; invalid when something else is boxed.
  public var timeValue: CMTime { unboxed("[3q]") ?? .invalid }

  /// Boxes a range.
  public convenience init(timeRange: CMTimeRange) {
    var timeRange = timeRange
    self.init(bytes: &timeRange, objCType: "[6q]")
  }

  /// The boxed range; invalid when something else is boxed.
  public var timeRangeValue: CMTimeRange { unboxed("[6q]") ?? .invalid }

  /// Boxes a mapping.
  public convenience init(timeMapping: CMTimeMapping) {
    var timeMapping = timeMapping
    self.init(bytes: &timeMapping, objCType: "[12q]")
  }

  /// The boxed mapping; invalid when something else is boxed.
  public var timeMappingValue: CMTimeMapping { unboxed("[12q]") ?? .invalid }

  private func unboxed<Value: BitwiseCopyable>(_ type: String) -> Value? {
    // Foundation on Linux leaks the few bytes of each `objCType`; there is no other way to learn what is boxed.
    guard String(cString: objCType) == type else { return nil }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { room in
      guard let address = room.baseAddress else { return nil }
      getValue(address)
      return address.pointee
    }
  }
}
