internal import AVFCore
internal import CameraFrames
internal import CaptureDevice
public import CoreMedia
public import CoreVideo

extension AVCaptureDeviceInput {
  /// Writes a changed picture into a buffer.
  ///
  /// Called on any thread, also for several frames at once, and once for each frame, whatever number of outputs shows it.
  ///
  /// - Parameters:
  ///   - picture: The camera's picture, which lies as the sensor does; to be read only.
  ///   - target: A buffer of the same size and pixel format, whose pixels are all to be written.
  ///   - time: The frame's time on the session's clock.
  public typealias PictureChange =
    @Sendable (_ picture: CVPixelBuffer, _ target: CVPixelBuffer, _ time: CMTime) throws -> Void

  /// Changes all pictures of the camera from now on, before any output or preview gets them: preview layers, video data outputs,
  /// movies, photos with their previews and thumbnails, and the search for codes and faces.
  ///
  /// A frame whose change throws is a lost frame; a photo of it fails with that error. Sizes and times stay, and with them
  /// intrinsics and depth maps. A photo that is finished later has the effect of its press. What a camera codes itself
  /// (H.264, HEVC, JPEG) is coded anew for a movie, unless that had begun before, and stays as it is for video data outputs whose
  /// `videoSettings` ask for it. Between
  /// `beginConfiguration()` and `commitConfiguration()` the change comes with the commit.
  ///
  /// - Parameters:
  ///   - pixelFormats: Those that `change` takes; pictures of others are converted into the first of them, and back. One that a
  ///     video data output cannot give is a programming mistake as the first, and so is an input that is no camera's.
  ///   - change: `nil` for the camera's own pictures, which are then not copied.
  ///
  /// - Note: Unlike AVFoundation, which lets each output's client filter for itself.
  public func setPictureChange(
    pixelFormats: [OSType] = [kCVPixelFormatType_32BGRA], _ change: PictureChange?
  ) {
    let isConvertible = pixelFormats.first.map(VideoDataSettings.pixelFormats.contains) ?? false
    guard device.hasMediaType(.video), isConvertible else {
      return ProgrammingMistake.report(
        rule: "setPictureChange(pixelFormats:_:) is for cameras, and its first pixel format is one that "
          + "AVCaptureVideoDataOutput can give.")
    }
    effect = change.map { change in
      FrameEffect(pixelFormats: pixelFormats) { picture, target, time in
        try change(picture, target, CMTime(time))
      }
    }
  }
}

extension AVCaptureConnection {
  /// Whether its pictures are changed on their way: now, or once it streams.
  var hasEffect: Bool {
    stillFeed?.feed.processor.hasEffect
      ?? inputPorts.contains { port in
        guard let input = port.input as? AVCaptureDeviceInput else { return false }
        return input.effect != nil || input.device.videoEffects.effect(of: input.device) != nil
      }
  }
}
