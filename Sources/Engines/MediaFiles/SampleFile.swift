package import CoreMedia

/// The target of the samples that tracks write: a file, or segments.
package protocol SampleFile: AnyObject {
  /// Adds a track; before the first sample.
  ///
  /// - Returns: Its number, by which samples are appended.
  /// - Throws: ``MovieFileError``: `unsuitable` when the container cannot hold the format.
  func addTrack(_ settings: MovieTrackSettings) throws(MovieFileError) -> Int
  /// Says that a track belongs to another one; before the first sample.
  ///
  /// - Parameter type: What it is to the other one, such as `tmcd` for its time codes.
  func associate(_ other: Int, with number: Int, as type: String)
  /// Whether a sample that is to be coded is wanted: not where it lies outside of what is kept.
  func takes(_ sample: CMSampleBuffer) -> Bool
  /// Appends a sample buffer.
  ///
  /// Samples of a track come in the order of decoding. The data is not copied and must not change.
  ///
  /// - Throws: ``MovieFileError``: `unsuitable` for other media than the track's and for times that go back; `system`.
  func append(_ sample: CMSampleBuffer, to number: Int) throws(MovieFileError)
  /// Says that no samples come for a track any more.
  func finishTrack(_ number: Int)
}

extension SampleFile {
  /// All are: a file hides what is shown outside of its session.
  package func takes(_ sample: CMSampleBuffer) -> Bool { true }
}
