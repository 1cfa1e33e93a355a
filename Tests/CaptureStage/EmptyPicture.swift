package import CoreVideo
import Testing

/// A picture whose pixels are of no interest.
package func emptyPicture(width: Int, height: Int, _ format: OSType) throws -> CVPixelBuffer {
  var buffer: CVPixelBuffer?
  CVPixelBufferCreate(nil, width, height, format, nil, &buffer)
  return try #require(buffer)
}

/// The result of `body`; an error fails the test and gives `nil`.
///
/// For fakes, which are called by what they test: an error that they threw would go there.
package func failing<Result>(_ body: () throws -> Result) -> Result? {
  do {
    return try body()
  } catch {
    Issue.record(error)
    return nil
  }
}
