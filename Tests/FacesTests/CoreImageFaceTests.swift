import CoreImage
import Foundation
import Testing

@Suite("CoreImage: the face")
struct CoreImageFaceTests {
  @Test func `a test that imports it beside Testing compiles and renders`() throws {
    let square = CIImage(color: CIColor(red: 1, green: 0, blue: 0))
      .cropped(to: CGRect(x: 0, y: 0, width: 2, height: 3))
    #expect(square.extent == CGRect(x: 0, y: 0, width: 2, height: 3))
    let image = CIContext().createCGImage(square, from: square.extent)
    #expect(image?.width == 2 && image?.height == 3)
  }
}
