import Foundation
import ImageIO

/// A photograph of a person, of the tests' pictures.
func photograph() throws -> CGImage {
  let file = URL(fileURLWithPath: "../Tests/Portraits/Pictures/astronaut.jpg")
  guard let source = CGImageSourceCreateWithURL(file as CFURL, nil),
    let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
  else { throw BenchmarkError("\(file.path) cannot be read; run this in Benchmarks.") }
  return image
}
