internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// An object of a client's compositor class, asked for one frame after the other.
///
/// Not thread-safe.
final class CustomCompositor {
  /// The client's object on its way to its queue, where all that it does is done.
  private struct Client: @unchecked Sendable {  // Safe because only the queue calls it.
    let compositor: any AVVideoCompositing
  }

  private let client: Client
  private let context: AVVideoCompositionRenderContext
  private let transformer: PixelTransformer
  private let size: PixelSize
  /// The format of the tracks' frames; `nil` when the compositor asks for none.
  private let sourceFormat: OSType?
  private let queue = DispatchQueue(label: "obscura.video-compositor")

  /// - Returns: `nil` for a composition without such a class.
  init?(_ composition: AVVideoComposition, size: PixelSize, transformer: PixelTransformer) {
    guard let type = composition.customVideoCompositorClass else { return nil }
    self.transformer = transformer
    self.size = size
    func format(_ attributes: [String: any Sendable]) -> OSType {
      PixelFormatChoice.codes(attributes[kCVPixelBufferPixelFormatTypeKey]).first ?? kCVPixelFormatType_32BGRA
    }
    (client, sourceFormat, context) = queue.sync {
      let compositor = type.init()
      let context = AVVideoCompositionRenderContext(
        composition, size: size, format: format(compositor.requiredPixelBufferAttributesForRenderContext),
        transformer: transformer)
      compositor.renderContextChanged(context)
      return (Client(compositor: compositor), compositor.sourcePixelBufferAttributes.map(format), context)
    }
  }

  /// Whether the compositor asks for the frames of the tracks.
  var wantsFrames: Bool { sourceFormat != nil }

  /// The frame that the compositor makes.
  ///
  /// - Parameters:
  ///   - frames: What the tracks show, in whatever format.
  ///   - pixelFormat: The format of the result.
  func frame(
    at time: CMTime, by instruction: any AVVideoCompositionInstructionProtocol,
    of frames: [CMPersistentTrackID: CVPixelBuffer], as pixelFormat: OSType
  ) throws -> CVPixelBuffer {
    let sources = try frames.mapValues {
      try transformer.apply(FrameTransform(pixelFormat: sourceFormat), to: $0)
    }
    let outcome = FrameOutcome<CVPixelBuffer>()
    // Made there, so that only the compositor keeps it.
    queue.async { [client, context] in
      client.compositor.startRequest(
        AVAsynchronousVideoCompositionRequest(
          context, time: time, instruction: instruction, frames: sources, outcome: outcome))
    }
    let made = try outcome.wait()
    return try transformer.apply(FrameTransform(size: size, pixelFormat: pixelFormat), to: made)
  }
}
