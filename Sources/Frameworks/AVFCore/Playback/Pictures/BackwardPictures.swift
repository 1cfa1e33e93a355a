internal import CoreMedia

/// The pictures of an item from a time on backwards, each earlier than the one before.
///
/// Decoders go forwards only, so that stretches are decoded, each before the last one, and given in falling order. A stretch begins at
/// a key frame where there is one near enough; of a longer one only the last pictures are kept, and the rest is decoded once more when
/// it is its turn. So no more pictures are held than `limit`, however far apart key frames are. Not thread-safe.
final class BackwardPictures {
  private let pictures: PictureSource
  private let limit: Int
  /// Those of a stretch that were not given yet, in the order of time.
  private var ready: [PlayedFrame] = []
  /// Everything before this time is still to come.
  private var upper: CMTime

  /// - Parameters:
  ///   - time: The first picture is the one on show at this time.
  ///   - limit: How many pictures may be held.
  init(_ pictures: PictureSource, from time: CMTime, limit: Int) {
    self.pictures = pictures
    self.limit = limit
    let end = pictures.end
    upper = TimeMargin.due(end.isNumeric ? min(time, end) : time)
  }

  /// How many pictures are held.
  var count: Int { ready.count }

  /// The next picture; `nil` when there is none before, or when it is not wanted any more.
  ///
  /// - Parameters:
  ///   - time: Pictures that begin later are left out where that saves decoding; `nil` to leave out none.
  ///   - isWanted: Asked before each picture that is decoded, for a stretch may take long.
  /// - Throws: ``AVError``.
  func next(skippingTo time: CMTime?, while isWanted: () -> Bool) throws -> PlayedFrame? {
    var skipped: CMTime?
    while ready.isEmpty, upper > .zero, isWanted() {
      if let time, time < upper {
        skipped = upper
        upper = time
      }
      try decode(while: isWanted)
    }
    if ready.isEmpty, let skipped, isWanted() {
      // The first picture of all is on show before it, too.
      let first = try pictures.reading(from: .zero).nextPicture().flatMap(PlayedFrame.init)
      return first.flatMap { $0.time < skipped ? $0 : nil }
    }
    return ready.popLast()
  }

  private func decode(while isWanted: () -> Bool) throws {
    let begin = try pictures.stretch(before: upper, count: limit, while: isWanted)
    let reading = try pictures.reading(from: begin, until: upper)
    while isWanted(), let sample = try reading.nextPicture() {
      guard let frame = PlayedFrame(sample), frame.time < upper else { continue }
      if ready.count == limit { ready.removeFirst() }
      ready.append(frame)
    }
    guard isWanted() else { return ready = [] }
    // Down in any case, or a stretch without a picture would be looked at for ever.
    upper = ready.first?.time ?? min(begin, TimeMargin.justBefore(upper))
  }
}
