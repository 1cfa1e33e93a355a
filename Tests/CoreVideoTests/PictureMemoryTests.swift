import CoreVideo
import Linux
import Testing

/// A driver with one buffer, which notes what comes back.
private final class Driver: PictureOwner {
  let returned = Locked<[Int]>([])

  func pictureEnded(in memory: PictureMemory) {
    returned.withLock { $0.append(memory.tag) }
  }
}

@Suite("PictureMemory: the same memory for one picture after the other")
struct PictureMemoryTests {
  private let driver = Driver()
  private let pixels: CVPixelBuffer
  private let memory: PictureMemory

  init() throws {
    pixels = try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 32, height: 16)
    memory = PictureMemory(
      planes: pixels.planes, format: pixels.format, width: 32, height: 16,
      attachments: BufferAttachments(
        propagating: [kCVImageBufferYCbCrMatrixKey: kCVImageBufferYCbCrMatrix_ITU_R_709_2]), tag: 3)
  }

  @Test func `a picture shows the memory and carries what was prepared`() {
    memory.owner = driver
    let picture = CVPixelBuffer(showing: memory)
    #expect(CVPixelBufferGetWidth(picture) == 32)
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    #expect(CVPixelBufferGetBaseAddressOfPlane(picture, 1) == pixels.planes[1].baseAddress)
    CVPixelBufferUnlockBaseAddress(picture, .readOnly)
    var mode = CVAttachmentMode.shouldNotPropagate
    let matrix = CVBufferCopyAttachment(picture, kCVImageBufferYCbCrMatrixKey, &mode) as? String
    #expect(matrix == kCVImageBufferYCbCrMatrix_ITU_R_709_2 as String)
    #expect(mode == .shouldPropagate)
  }

  @Test func `the owner is called once for each picture`() {
    for count in 1...3 {
      memory.owner = driver
      do {
        let picture = CVPixelBuffer(showing: memory)
        #expect(picture.width == 32)
        #expect(driver.returned.withLock { $0.count } == count - 1)
      }
      #expect(driver.returned.withLock { $0 } == Array(repeating: 3, count: count))
      #expect(memory.owner == nil)
    }
  }

  @Test func `what a client attaches to one picture is not on the next`() {
    memory.owner = driver
    do {
      let picture = CVPixelBuffer(showing: memory)
      CVBufferSetAttachment(picture, "mine", 1, .shouldPropagate)
      CVBufferRemoveAttachment(picture, kCVImageBufferYCbCrMatrixKey)
      #expect(CVBufferHasAttachment(picture, "mine"))
      #expect(!CVBufferHasAttachment(picture, kCVImageBufferYCbCrMatrixKey))
    }
    memory.owner = driver
    let next = CVPixelBuffer(showing: memory)
    #expect(!CVBufferHasAttachment(next, "mine"))
    #expect(CVBufferHasAttachment(next, kCVImageBufferYCbCrMatrixKey))
  }
}
