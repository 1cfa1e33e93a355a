public import CoreMedia
public import CoreVideo
public import Foundation

/// A frame of a video composition that a client's compositor makes.
///
/// Thread-safe. Finish it once, at any time and on any thread: the frame waits for it. One that is given up without that fails.
///
/// Apple: `AVAsynchronousVideoCompositionRequest`.
open class AVAsynchronousVideoCompositionRequest: NSObject, @unchecked Sendable {  // Safe: constants.
  /// The size in which the frame is rendered, and buffers for it.
  ///
  /// Apple: `AVAsynchronousVideoCompositionRequest.renderContext`.
  public let renderContext: AVVideoCompositionRenderContext
  /// The frame's time in the composition.
  ///
  /// Apple: `AVAsynchronousVideoCompositionRequest.compositionTime`.
  public let compositionTime: CMTime
  /// The instruction of that time.
  ///
  /// Apple: `AVAsynchronousVideoCompositionRequest.videoCompositionInstruction`.
  public let videoCompositionInstruction: any AVVideoCompositionInstructionProtocol
  /// The tracks that the instruction needs, by their numbers.
  ///
  /// Apple: `AVAsynchronousVideoCompositionRequest.sourceTrackIDs`.
  public let sourceTrackIDs: [NSNumber]
  private let frames: [CMPersistentTrackID: CVPixelBuffer]
  private let outcome: FrameOutcome<CVPixelBuffer>

  init(
    _ context: AVVideoCompositionRenderContext, time: CMTime,
    instruction: any AVVideoCompositionInstructionProtocol, frames: [CMPersistentTrackID: CVPixelBuffer],
    outcome: FrameOutcome<CVPixelBuffer>
  ) {
    renderContext = context
    compositionTime = time
    videoCompositionInstruction = instruction
    sourceTrackIDs = instruction.sourceTrackIDs.map { NSNumber(value: $0) }
    self.frames = frames
    self.outcome = outcome
  }

  deinit {
    outcome.settle(
      .failure(
        AVError(
          .operationInterrupted, because: "A video compositor gave up a frame without finishing it.")))
  }

  /// The frame that a track shows at the time, as it is stored: not turned; `nil` where it shows none.
  ///
  /// Apple: `AVAsynchronousVideoCompositionRequest.sourceFrame(byTrackID:)`.
  open func sourceFrame(byTrackID trackID: CMPersistentTrackID) -> CVPixelBuffer? { frames[trackID] }

  /// Gives the frame; one of another size is stretched.
  ///
  /// Apple: `AVAsynchronousVideoCompositionRequest.finish(withComposedVideoFrame:)`.
  open func finish(withComposedVideoFrame composedVideoFrame: CVPixelBuffer) {
    outcome.settle(.success(composedVideoFrame))
  }

  /// Says that the frame cannot be made, which ends the reading, export or playing with that error.
  ///
  /// Apple: `AVAsynchronousVideoCompositionRequest.finish(with:)`.
  open func finish(with error: any Error) {
    outcome.settle(.failure(error))
  }

  /// Says that the frame was not made, which ends the reading, export or playing.
  ///
  /// Apple: `AVAsynchronousVideoCompositionRequest.finishCancelledRequest()`.
  open func finishCancelledRequest() {
    outcome.settle(
      .failure(AVError(.operationCancelled, because: "A video compositor has cancelled a frame.")))
  }
}

extension AVVideoCompositionInstructionProtocol {
  /// The numbers of the tracks that the instruction needs, each once.
  var sourceTrackIDs: [CMPersistentTrackID] {
    (requiredSourceTrackIDs ?? []).reduce(into: []) { found, number in
      guard let number = (number as? NSNumber)?.int32Value, !found.contains(number) else { return }
      found.append(number)
    }
  }
}
