import Photos
import Testing

@Suite("One import of Photos")
struct PhotosImportTests {
  @Test func `brings the times of movies along`() {
    let half = CMTime(value: 1, timescale: 2)
    #expect(half + half == CMTime(seconds: 1, preferredTimescale: 600))
  }
}
