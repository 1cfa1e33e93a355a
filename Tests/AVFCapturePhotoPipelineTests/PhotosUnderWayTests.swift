import AVFoundation
import Testing

@Suite("PhotosUnderWay: who may begin, and how ready an output is")
struct PhotosUnderWayTests {
  private typealias Kind = PhotosUnderWay.Kind
  private typealias Readiness = AVCapturePhotoOutput.CaptureReadiness

  enum Event: Sendable {
    case press(Int64, PhotosUnderWay.Kind)
    case exposed(Int64, frames: Int)
    /// The frames became one.
    case merged(Int64)
    /// The frames wait for the disk.
    case storing(Int64)
    /// The picture was written, and the photo's place is free.
    case ended(Int64)
  }

  struct Story: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var overlaps: Bool
    var events: [(Event, AVCapturePhotoOutput.CaptureReadiness)]
  }

  private func play(_ event: Event, in photos: inout PhotosUnderWay) {
    switch event {
    case .press(let id, let kind): _ = photos.join(id, kind)
    case .exposed(let id, let frames): photos.exposed(id, frames: frames)
    case .merged(let id):
      photos.merged(id)
      while photos.beginNext() != nil {}
    case .storing(let id): photos.storing(id)
    case .ended(let id):
      photos.gaveBack(id)
      photos.leave(id)
      while photos.beginNext() != nil {}
    }
  }

  private static let plain = Kind()
  private static let overlapping = Kind(overlaps: true)
  private static let burst = Kind(frames: 3, overlaps: true)
  private static let slow = Kind(overlaps: true, isSlowToProcess: true)
  private static let flash = Kind(isSlowToExpose: true)

  static let stories = [
    Story(
      testDescription: "one after the other", overlaps: false,
      events: [
        (.press(1, plain), .notReadyMomentarily), (.exposed(1, frames: 1), .notReadyMomentarily),
        (.ended(1), .ready),
      ]),
    Story(
      testDescription: "side by side, until the third", overlaps: true,
      events: [
        (.press(1, overlapping), .ready), (.exposed(1, frames: 1), .ready), (.press(2, overlapping), .ready),
        (.press(3, overlapping), .notReadyMomentarily), (.exposed(2, frames: 1), .notReadyMomentarily),
        (.ended(1), .ready), (.exposed(3, frames: 1), .ready), (.ended(2), .ready), (.ended(3), .ready),
      ]),
    Story(
      testDescription: "a burst of the stream's frames goes alone until they have become one", overlaps: true,
      events: [
        (.press(1, burst), .notReadyMomentarily), (.press(2, burst), .notReadyMomentarily),
        (.exposed(1, frames: 3), .notReadyMomentarily), (.merged(1), .notReadyMomentarily),
        (.ended(1), .notReadyMomentarily), (.exposed(2, frames: 3), .notReadyMomentarily),
        (.merged(2), .ready),
        (.ended(2), .ready),
      ]),
    Story(
      testDescription: "photos whose frames wait for the disk keep none waiting", overlaps: true,
      events: [
        (.press(1, overlapping), .ready), (.press(2, overlapping), .ready),
        (.press(3, overlapping), .notReadyMomentarily), (.exposed(1, frames: 1), .notReadyMomentarily),
        (.storing(1), .ready), (.press(4, overlapping), .notReadyMomentarily),
        (.ended(1), .notReadyMomentarily),
      ]),
    Story(
      testDescription: "a fourth waits, and begins when the first has ended", overlaps: true,
      events: [
        (.press(1, overlapping), .ready), (.press(2, overlapping), .ready),
        (.press(3, overlapping), .notReadyMomentarily), (.press(4, overlapping), .notReadyMomentarily),
        (.exposed(1, frames: 1), .notReadyMomentarily), (.ended(1), .notReadyMomentarily),
        (.exposed(2, frames: 1), .notReadyMomentarily), (.ended(2), .ready),
      ]),
    Story(
      testDescription: "a flash is a long capture", overlaps: true,
      events: [
        (.press(1, flash), .notReadyWaitingForCapture), (.exposed(1, frames: 1), .notReadyMomentarily),
        (.ended(1), .ready),
      ]),
    Story(
      testDescription: "a flash that waits for another photo is a long capture to come", overlaps: true,
      events: [
        (.press(1, overlapping), .ready), (.press(2, flash), .notReadyWaitingForCapture),
        (.exposed(1, frames: 1), .notReadyWaitingForCapture), (.ended(1), .notReadyWaitingForCapture),
        (.exposed(2, frames: 1), .notReadyMomentarily), (.ended(2), .ready),
      ]),
    Story(
      testDescription: "a bracket goes alone, with more frames than others may hold", overlaps: true,
      events: [
        (.press(1, Kind(frames: 5, isSlowToExpose: true)), .notReadyWaitingForCapture),
        (.exposed(1, frames: 5), .notReadyMomentarily), (.ended(1), .ready),
      ]),
    Story(
      testDescription: "slow processing keeps a photo alone waiting", overlaps: false,
      events: [
        (.press(1, Kind(isSlowToProcess: true)), .notReadyMomentarily),
        (.exposed(1, frames: 1), .notReadyWaitingForProcessing), (.ended(1), .ready),
      ]),
    Story(
      testDescription: "slow processing side by side only counts when the room is full", overlaps: true,
      events: [
        (.press(1, slow), .ready), (.exposed(1, frames: 1), .ready), (.press(2, slow), .ready),
        (.press(3, slow), .notReadyWaitingForProcessing), (.ended(1), .ready),
      ]),
    Story(
      testDescription: "a photo whose exposure failed leaves", overlaps: false,
      events: [
        (.press(1, plain), .notReadyMomentarily), (.press(2, plain), .notReadyMomentarily),
        (.exposed(1, frames: 0), .notReadyMomentarily), (.ended(1), .notReadyMomentarily),
        (.exposed(2, frames: 1), .notReadyMomentarily), (.ended(2), .ready),
      ]),
  ]

  @Test(arguments: stories)
  func `readiness follows from what is under way`(story: Story) {
    var photos = PhotosUnderWay()
    #expect(photos.readiness(isRunning: true, overlaps: story.overlaps) == .ready)
    for (index, (event, readiness)) in story.events.enumerated() {
      play(event, in: &photos)
      #expect(
        photos.readiness(isRunning: true, overlaps: story.overlaps) == readiness, "event \(index): \(event)")
    }
    #expect(photos.readiness(isRunning: false, overlaps: story.overlaps) == .sessionNotRunning)
  }

  @Test func `announced presses count as if they had been made`() {
    let photos = PhotosUnderWay()
    func readiness(_ kinds: [Kind], isRunning: Bool = true) -> Readiness {
      photos.readiness(isRunning: isRunning, overlaps: true, announced: kinds)
    }
    #expect(readiness([Self.overlapping]) == .ready)
    #expect(readiness([Self.plain]) == .notReadyMomentarily)
    #expect(readiness([Self.flash]) == .notReadyWaitingForCapture)
    #expect(readiness([Self.overlapping, Self.overlapping, Self.overlapping]) == .notReadyMomentarily)
    #expect(readiness([Self.overlapping], isRunning: false) == .notReadyMomentarily)
    #expect(readiness([], isRunning: false) == .sessionNotRunning)
  }
}
