public import AVFCore
public import Foundation
internal import FoundationExtras
internal import MediaFiles

/// A client's settings of a Live Photo's movie.
struct LivePhotoWishes: @unchecked Sendable {  // Safe because the items are copies that do not change.
  var fileURL: URL?
  var codec = AVVideoCodecType.h264
  var metadata: [AVMetadataItem] = []
}

extension AVCapturePhotoSettings {
  /// The file for the movie of a Live Photo, which must not be there yet; `nil`, as at first, for a photo without one.
  ///
  /// The movie shows a second and a half before and after the press, with sound where the session has a microphone. A file needs the
  /// output's `isLivePhotoCaptureEnabled`, which must not be suspended, and is not for brackets; else the capture is a programming
  /// mistake, as it is for a URL that names no file. A raw picture comes with a movie as any other does, alone and beside a processed one,
  /// and its file has the movie's name, too. The delegate implements
  /// `photoOutput(_:didFinishProcessingLivePhotoToMovieFileAt:duration:photoDisplayTime:resolvedSettings:error:)`.
  ///
  /// - Note: Unlike AVFoundation, where a press with a file that cannot be made raises an exception, the photo is taken, and that call
  ///   has the error.
  ///
  /// Apple: `AVCapturePhotoSettings.livePhotoMovieFileURL`.
  public var livePhotoMovieFileURL: URL? {
    get { features.live.fileURL }
    set { features.live.fileURL = newValue }
  }

  /// How the movie's pictures are coded: one of the output's `availableLivePhotoVideoCodecTypes`; H.264 at first.
  ///
  /// Apple: `AVCapturePhotoSettings.livePhotoVideoCodecType`.
  public var livePhotoVideoCodecType: AVVideoCodecType {
    get { features.live.codec }
    set { features.live.codec = newValue }
  }

  /// What the movie says of itself beside the camera's own; empty at first, and after `nil`.
  ///
  /// The items are copied. The identifier that pairs movie and photo is the camera's: an item with it is a programming mistake, and
  /// leaves the property as it was.
  ///
  /// Apple: `AVCapturePhotoSettings.livePhotoMovieMetadata`.
  public var livePhotoMovieMetadata: [AVMetadataItem]! {
    get { features.live.metadata }
    set {
      let items = newValue ?? []
      guard !items.contains(where: \.isContentIdentifier) else {
        return ProgrammingMistake.report(
          rule:
            "livePhotoMovieMetadata cannot have a content identifier; the camera gives photo and movie theirs."
        )
      }
      features.live.metadata = items.map { item in
        item.fileItem.map { AVMetadataItem($0) } ?? item
      }
    }
  }
}

extension AVMetadataItem {
  /// Whether it names a pair of photo and movie, with or without a value.
  fileprivate var isContentIdentifier: Bool {
    let own = "mdta/\(StillImageTime.identifierKey)"
    return identifier?.rawValue == own || fileItem.map { "\($0.keySpace.rawValue)/\($0.key)" } == own
  }
}
