/// The timing of a sample: when it is shown and decoded, and for how long it is shown.
///
/// Apple: `CMSampleTimingInfo`.
public struct CMSampleTimingInfo: Sendable, Hashable, BitwiseCopyable {
  /// How long one sample lasts; invalid when unknown.
  public var duration: CMTime
  /// When the sample is shown, or was taken.
  public var presentationTimeStamp: CMTime
  /// When the sample must be decoded; invalid where that is the order of showing.
  public var decodeTimeStamp: CMTime

  /// Invalid times.
  public init() {
    self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid)
  }

  /// The times of one sample.
  public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }

  /// Invalid times.
  public static let invalid = CMSampleTimingInfo()
}

/// The times of several samples: none, one entry from which all follow, or one for each.
enum SampleTimings {
  case none
  case one(CMSampleTimingInfo)
  case each([CMSampleTimingInfo])

  init(_ entries: [CMSampleTimingInfo]) {
    self = entries.isEmpty ? .none : entries.count == 1 ? .one(entries[0]) : .each(entries)
  }

  var entries: [CMSampleTimingInfo] {
    switch self {
    case .none: []
    case .one(let timing): [timing]
    case .each(let timings): timings
    }
  }

  func timing(at index: Int) -> CMSampleTimingInfo? {
    switch self {
    case .none: return nil
    case .each(let timings): return timings[index]
    case .one(let first):
      guard index > 0 else { return first }
      let offset = CMTimeMultiply(first.duration, multiplier: Int32(clamping: index))
      return CMSampleTimingInfo(
        duration: first.duration, presentationTimeStamp: first.presentationTimeStamp + offset,
        decodeTimeStamp: first.decodeTimeStamp.isValid ? first.decodeTimeStamp + offset : .invalid)
    }
  }

  func duration(of count: Int) -> CMTime {
    switch self {
    case .none: .invalid
    case .one(let timing): CMTimeMultiply(timing.duration, multiplier: Int32(clamping: count))
    case .each(let timings): timings.dropFirst().reduce(timings[0].duration) { $0 + $1.duration }
    }
  }

  /// The earliest, as samples may be stored in the order of decoding.
  var presentationTimeStamp: CMTime {
    switch self {
    case .none: .invalid
    case .one(let timing): timing.presentationTimeStamp
    case .each(let timings): timings.map(\.presentationTimeStamp).min() ?? .invalid
    }
  }

  var decodeTimeStamp: CMTime {
    switch self {
    case .none: .invalid
    case .one(let timing): timing.decodeTimeStamp
    case .each(let timings): timings[0].decodeTimeStamp
    }
  }
}

/// The bytes of several samples: unknown, one number for all, or one for each.
enum SampleSizes {
  case none
  case one(Int)
  case each([Int])

  init(_ entries: [Int]) {
    self = entries.isEmpty ? .none : entries.count == 1 ? .one(entries[0]) : .each(entries)
  }

  var entries: [Int] {
    switch self {
    case .none: []
    case .one(let size): [size]
    case .each(let sizes): sizes
    }
  }

  func size(at index: Int) -> Int {
    switch self {
    case .none: 0
    case .one(let size): size
    case .each(let sizes): sizes[index]
    }
  }

  func total(of count: Int) -> Int {
    switch self {
    case .none: 0
    case .one(let size): size * count
    case .each(let sizes): sizes.reduce(0, +)
    }
  }

  /// The offset of a sample's first byte.
  func offset(of index: Int) -> Int {
    switch self {
    case .none: 0
    case .one(let size): size * index
    case .each(let sizes): sizes[..<index].reduce(0, +)
    }
  }
}
