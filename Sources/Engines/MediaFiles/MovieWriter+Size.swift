internal import CoreMedia

/// Predicts the sizes of files.
extension MovieWriter {
  /// Bytes of the file so far.
  package var fileSize: Int { file.size }

  /// Bytes of the file if it were finished now, with tables and all that waits: never fewer than it will have, and a few thousand more
  /// at most.
  ///
  /// Costs a look at each sample that waits.
  package var finishedSize: Int {
    var (media, fragment, tables) = (0, Self.fragmentSize(tracks.count), max(headerSize, 1024))
    for track in tracks {
      // What only the header of a plain movie has, the duration of a picture that is held, and chunks of two fragments.
      tables += 200 + track.table.size(before: track.pending) + 2 * Self.chunkSize
      for sample in track.pending {
        media += sample.data.dataLength
        // Equal samples have a part of their own.
        fragment += sample.count > 1 ? Self.partSize : 16
        tables += SampleTable.sampleSize + (sample.count > 1 ? Self.chunkSize : 0)
      }
    }
    let filling = Self.fillingSize(at: file.size, before: min(fragment, Self.page))
    // The newest samples may need a fragment of their own, at a place that is not known yet.
    return file.size + filling + fragment + media + Self.page + 8 + Self.fragmentSize(tracks.count) + 32
      + tables
  }

  /// How much one more sample adds at most to ``finishedSize`` beside its data, unless it is the first that is not as large as all
  /// before it.
  package static let sampleSize = SampleTable.sampleSize + chunkSize + partSize

  private static let chunkSize = 20
  private static let partSize = 80

  /// Of the header of a fragment without samples.
  private static func fragmentSize(_ tracks: Int) -> Int { 32 + tracks * partSize }
}
