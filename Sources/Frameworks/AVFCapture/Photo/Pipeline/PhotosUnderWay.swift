/// The photos of one output that are under way: which may begin, and how ready the output is for another.
///
/// A value without queues or clocks, so that the rules are a table. Photos stand in the order of their presses.
package struct PhotosUnderWay: Sendable {
  /// The phase of a photo that is under way.
  package enum Phase: Sendable, Hashable {
    /// Waits for room.
    case waiting
    /// The device was asked for its frames.
    case exposing
    /// Has its frames; is developed or encoded.
    case processing
  }

  /// The kind of a photo, as it is known before the photo is taken.
  package struct Kind: Sendable, Hashable {
    /// Full-size frames that it holds at once.
    package var frames = 1
    /// Whether it may be captured while others are processed, and others while it is.
    package var overlaps = false
    /// Whether the exposure itself takes long: flash, bracket, long shutter.
    package var isSlowToExpose = false
    /// Whether processing takes long.
    package var isSlowToProcess = false

    package init(
      frames: Int = 1, overlaps: Bool = false, isSlowToExpose: Bool = false, isSlowToProcess: Bool = false
    ) {
      self.frames = frames
      self.overlaps = overlaps
      self.isSlowToExpose = isSlowToExpose
      self.isSlowToProcess = isSlowToProcess
    }
  }

  /// A photo that is under way.
  package struct Photo: Sendable, Hashable {
    /// `AVCapturePhotoSettings.uniqueID`.
    package var id: Int64
    package var kind: Kind
    package var phase = Phase.waiting
    /// Frames that are held, or that were asked for.
    package var held = 0
  }

  /// How many full-size frames photos may hold at once; a photo with more exposures, a bracket, goes alone.
  package static let frameLimit = HistoryPlan.photoFrames

  package private(set) var photos: [Photo] = []

  package init() {}

  /// Whether nothing is under way.
  package var isEmpty: Bool { photos.isEmpty }
  /// Photos that wait for room.
  package var waitingCount: Int { photos.count { $0.phase == .waiting } }

  /// Whether a photo of `kind` would begin at once, if none waited before it.
  func hasRoom(for kind: Kind) -> Bool {
    let begun = photos.filter { $0.phase != .waiting }
    guard !begun.isEmpty else { return true }
    guard kind.overlaps, begun.allSatisfy(\.kind.overlaps) else { return false }
    return begun.reduce(kind.frames) { $0 + $1.held } <= Self.frameLimit
  }

  // MARK: Changes

  /// Lets a photo join at the end; whether it begins at once.
  package mutating func join(_ id: Int64, _ kind: Kind) -> Bool {
    let begins = waitingCount == 0 && hasRoom(for: kind)
    photos.append(Photo(id: id, kind: kind))
    if begins { begin(photos.count - 1) }
    return begins
  }

  /// Begins the photo that has waited longest, if there is room; its `id`.
  package mutating func beginNext() -> Int64? {
    guard let index = photos.firstIndex(where: { $0.phase == .waiting }), hasRoom(for: photos[index].kind)
    else { return nil }
    begin(index)
    return photos[index].id
  }

  private mutating func begin(_ index: Int) {
    photos[index].phase = .exposing
    photos[index].held = photos[index].kind.frames
  }

  /// The photo's exposures are over, with so many frames.
  package mutating func exposed(_ id: Int64, frames: Int) {
    change(id) { photo in
      photo.phase = .processing
      photo.held = frames
    }
  }

  /// One of the photo's frames is finished and was given back.
  package mutating func gaveBack(_ id: Int64) {
    change(id) { $0.held -= 1 }
  }

  /// The photo's frames have become one.
  package mutating func merged(_ id: Int64) {
    change(id) { $0.held = min($0.held, 1) }
  }

  /// The photo's frames wait for the disk, and keep no other photo waiting.
  package mutating func storing(_ id: Int64) {
    change(id) { $0.held = 0 }
  }

  /// The number of photos whose frames wait for the disk.
  package var storingCount: Int { photos.count { $0.phase == .processing && $0.held == 0 } }

  /// The photo has ended.
  package mutating func leave(_ id: Int64) {
    photos.removeAll { $0.id == id }
  }

  private mutating func change(_ id: Int64, _ body: (inout Photo) -> Void) {
    if let index = photos.firstIndex(where: { $0.id == id }) { body(&photos[index]) }
  }
}
