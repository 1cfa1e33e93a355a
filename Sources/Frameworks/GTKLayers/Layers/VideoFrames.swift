#if GTKLayers
  internal import AVFCapture
  internal import AVFCore
  internal import CoreMedia
  internal import CoreVideo
  internal import Foundation
  internal import QuartzCore

  /// A frame of a camera or a movie, and how it shall lie.
  struct VideoFrame: Sendable {
    var pixels: CVPixelBuffer
    var time: CMTime
    var rotationAngle: Int
    var isMirrored: Bool
    /// The size in which the turned picture is shown.
    var size: CGSize
  }

  /// The frames of a layer that shows video.
  protocol VideoFrames: AnyObject, Sendable {
    /// The newest frame; `nil` before the first one.
    func newestFrame() -> VideoFrame?
    /// Calls `handler` after another frame has come; `nil` ends it.
    func setFrameHandler(_ handler: (@Sendable () -> Void)?)
  }

  extension PreviewFrames: VideoFrames {
    func newestFrame() -> VideoFrame? {
      takeNewest().map { frame in
        let (width, height) = (CVPixelBufferGetWidth(frame.pixels), CVPixelBufferGetHeight(frame.pixels))
        let isTurned = frame.rotationAngle % 180 != 0
        return VideoFrame(
          pixels: frame.pixels, time: frame.timestamp, rotationAngle: frame.rotationAngle,
          isMirrored: frame.isMirrored,
          size: isTurned ? CGSize(width: height, height: width) : CGSize(width: width, height: height))
      }
    }
  }

  extension PlayerFrames: VideoFrames {
    func newestFrame() -> VideoFrame? {
      takeNewest().map { frame in
        VideoFrame(
          pixels: frame.pixels, time: frame.itemTime, rotationAngle: frame.rotationAngle,
          isMirrored: frame.isMirrored, size: frame.presentationSize)
      }
    }
  }

  extension CALayer {
    /// The frames that the layer shows, and how they fill it; `nil` of a layer that shows no video.
    var video: (frames: any VideoFrames, gravity: AVLayerVideoGravity)? {
      switch self {
      case let layer as AVCaptureVideoPreviewLayer: (layer.frames, layer.videoGravity)
      case let layer as AVPlayerLayer: (layer.frames, layer.videoGravity)
      case let layer as AVSampleBufferDisplayLayer: (layer.frames, layer.videoGravity)
      default: nil
      }
    }
  }
#endif
