internal import Foundation
internal import Linux

/// What a player node has to play, and where it is.
struct PlayerQueue: Sendable {
  /// Audio that is scheduled.
  struct Item: Sendable {
    let id: UInt64
    let source: any PlayerSource
    /// The player's time at which it begins; `nil` behind the one before.
    let start: AVAudioFramePosition?
    let loops: Bool
    let type: AVAudioPlayerNodeCompletionCallbackType
    let completion: AVAudioPlayerNodeCompletionHandler?
    /// The next sample.
    var place: AVAudioFramePosition

    /// The completion, ready to be called.
    var done: (@Sendable () -> Void)? {
      guard let completion else { return nil }
      return { [type] in completion(type) }
    }
  }

  enum Step {
    case nothing
    case silence(Int)
    case item(Item, Int)
  }

  var items: [Item] = []
  var isPlaying = false
  /// When it begins to play, in nanoseconds of the machine's clock; `nil` for at once.
  var startsAt: Int64?
  /// Moments that the node was asked for.
  var rendered: AVAudioFramePosition = 0
  /// Moments that were played: the player's own time.
  var played: AVAudioFramePosition = 0
  /// Closures that are called once what they wait for is heard.
  var unheard: [(at: Int64, done: @Sendable () -> Void)] = []
  private var lastID: UInt64 = 0

  /// Puts audio in; what it takes the place of is given back.
  mutating func add(
    _ source: any PlayerSource, at start: AVAudioFramePosition?, _ options: AVAudioPlayerNodeBufferOptions,
    _ type: AVAudioPlayerNodeCompletionCallbackType, _ completion: AVAudioPlayerNodeCompletionHandler?
  ) -> [Item] {
    lastID += 1
    let item = Item(
      id: lastID, source: source, start: start, loops: options.contains(.loops), type: type,
      completion: completion, place: 0)
    var replaced: [Item] = []
    if options.contains(.interrupts) {
      replaced = items
      items = []
    }
    if options.contains(.interruptsAtLoop), let place = items.firstIndex(where: \.loops) {
      items[place] = items[place].unlooped
    }
    items.append(item)
    return replaced
  }

  /// Takes all back, and begins anew.
  mutating func clear() {
    (items, unheard, isPlaying, startsAt, played) = ([], [], false, nil, 0)
  }

  /// What comes in the next so many moments.
  mutating func next(_ frames: Int) -> Step {
    guard let item = items.first else { return .nothing }
    if item.place == 0, let start = item.start, start > played {
      return .silence(min(frames, Int(start - played)))
    }
    return .item(item, frames)
  }

  /// Says how much of the first item was played; the closures that are due are given back.
  mutating func advance(
    _ item: Item, by count: Int, isOver: Bool, heardAt: Int64
  ) -> [@Sendable () -> Void] {
    played += AVAudioFramePosition(count)
    // A client may have taken it back while it was read.
    guard let place = items.firstIndex(where: { $0.id == item.id }) else { return [] }
    items[place].place += AVAudioFramePosition(count)
    let isAtEnd = isOver || item.source.length.map { items[place].place >= $0 } ?? false
    guard isAtEnd else { return [] }
    // One without a sample would loop for ever in a moment.
    if items[place].loops, items[place].place > 0 {
      items[place].place = 0
      return []
    }
    let old = items.remove(at: place)
    guard let done = old.done else { return [] }
    if old.type == .dataPlayedBack {
      unheard.append((heardAt, done))
      return []
    }
    return [done]
  }
}

extension PlayerQueue.Item {
  /// The same, played to its end once.
  fileprivate var unlooped: PlayerQueue.Item {
    PlayerQueue.Item(
      id: id, source: source, start: start, loops: false, type: type, completion: completion, place: place)
  }
}
