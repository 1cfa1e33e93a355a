/// The container format of a movie file: a dialect of the boxes.
package enum MovieContainer: Sendable, Hashable {
  /// QuickTime: `.mov`.
  case quickTime
  /// MPEG-4: `.mp4`.
  case mpeg4
  /// Apple's MPEG-4 video: `.m4v`.
  case appleVideo
  /// Apple's MPEG-4 audio: `.m4a`.
  case appleAudio
}
