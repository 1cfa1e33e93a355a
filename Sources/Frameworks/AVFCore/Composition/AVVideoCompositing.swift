public import Foundation

/// A client's class that makes the frames of a video composition from the frames of its tracks.
///
/// One object is made for each reader, export, player item or image generator, and asked for one frame after the other, on a queue
/// of its own.
///
/// - Note: Unlike AVFoundation, the protocol asks for `init()`, without which Swift on Linux makes no object of a class that it is
///   given: a class that is not final declares `required override init()`. Pending requests are not cancelled: the one that is under
///   way is waited for.
///
/// Apple: `AVVideoCompositing`.
public protocol AVVideoCompositing: NSObjectProtocol, SendableMetatype {
  /// A compositor for one reader, export, player item or image generator.
  init()

  /// How the sources' frames should be: a pixel format, or several of which the first counts, under
  /// `kCVPixelBufferPixelFormatTypeKey`; `nil` for no frames.
  ///
  /// Apple: `AVVideoCompositing.sourcePixelBufferAttributes`.
  var sourcePixelBufferAttributes: [String: any Sendable]? { get }
  /// How the buffers of the render context should be, in the same way.
  ///
  /// Apple: `AVVideoCompositing.requiredPixelBufferAttributesForRenderContext`.
  var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] { get }
  /// Says in which context frames are made from now on; called before the first one.
  ///
  /// Apple: `AVVideoCompositing.renderContextChanged(_:)`.
  func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext)
  /// Makes a frame, and finishes the request: at once or later, on any thread.
  ///
  /// Apple: `AVVideoCompositing.startRequest(_:)`.
  func startRequest(_ asyncVideoCompositionRequest: AVAsynchronousVideoCompositionRequest)
}
