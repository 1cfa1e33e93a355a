internal import CoreImage
internal import Foundation

// Computes filters of Core Image as a program's own code does, and says how long it took: what Benchmarks/Filters/compare.py measures.

/// One line on standard error, and exit code 1.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("filter-frames: \(message)\n".utf8))
  exit(1)
}

func contents(_ path: String) -> Data {
  guard let contents = FileManager.default.contents(atPath: path) else { fail("\(path) cannot be read.") }
  return contents
}

let usage = """
  the arguments are pointwise|noir|blur|cube|live FRAMES WIDTH HEIGHT BGRA|420v REPEATS OUT [CUBE], noir-jpeg IN OUT REPEATS, \
  orient IN OUT REPEATS or strip OUT REPEATS IN…
  """

/// Prints the wall and CPU time of `body` in milliseconds.
func timed(_ remark: String = "", _ body: () throws -> Void) rethrows {
  let begun = (wall: DispatchTime.now().uptimeNanoseconds, cpu: clock())
  try body()
  let wall = Double(DispatchTime.now().uptimeNanoseconds - begun.wall) / 1e6
  let cpu = Double(clock() - begun.cpu) / Double(CLOCKS_PER_SEC) * 1000
  print("wall \(wall) cpu \(cpu) \(remark)")
}

// MARK: Chains

/// The output of a filter that is made anew, as it is for each frame in `captureOutput(_:didOutput:from:)`.
func filtered(_ image: CIImage, _ name: String, _ values: [String: Any] = [:]) -> CIImage {
  guard let filter = CIFilter(name: name) else { fail("there is no filter \(name).") }
  filter.setValue(image, forKey: kCIInputImageKey)
  for (key, value) in values { filter.setValue(value, forKey: key) }
  guard let output = filter.outputImage else { fail("\(name) has no output.") }
  return output
}

func pointwise(_ image: CIImage) -> CIImage {
  let controlled = filtered(
    image, "CIColorControls", [kCIInputSaturationKey: 1.2, kCIInputContrastKey: 1.1])
  let exposed = filtered(controlled, "CIExposureAdjust", [kCIInputEVKey: 0.3])
  return filtered(exposed, "CISepiaTone", [kCIInputIntensityKey: 0.6])
}

func blurred(_ image: CIImage, radius: Double) -> CIImage {
  filtered(image.clampedToExtent(), "CIGaussianBlur", [kCIInputRadiusKey: radius])
    .cropped(to: image.extent)
}

/// What `name` makes of a frame; `cube` is a table of floats, red, green, blue and alpha, red running fastest.
func changed(_ image: CIImage, _ name: String, cube: Data) -> CIImage {
  switch name {
  case "pointwise": return pointwise(image)
  case "noir": return filtered(image, "CIPhotoEffectNoir")
  case "blur": return blurred(image, radius: 10)
  case "live": return blurred(pointwise(image), radius: 4)
  case "cube":
    let side = Int(cbrt(Double(cube.count / 16)).rounded())
    return filtered(image, "CIColorCube", ["inputCubeDimension": side, "inputCubeData": cube])
  default: fail(usage)
  }
}

// MARK: Frames

/// Runs `body` on the pixels of each row, plane by plane; a row of half as many pairs has as many bytes.
func forEachRow(_ buffer: CVPixelBuffer, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
  CVPixelBufferLockBaseAddress(buffer, [])
  defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
  let isPlanar = CVPixelBufferIsPlanar(buffer)
  let bytes = CVPixelBufferGetWidth(buffer) * (isPlanar ? 1 : 4)
  for plane in 0..<(isPlanar ? 2 : 1) {
    let memory =
      isPlanar ? CVPixelBufferGetBaseAddressOfPlane(buffer, plane) : CVPixelBufferGetBaseAddress(buffer)
    guard let memory else { fail("a buffer has no memory.") }
    let stride =
      isPlanar ? CVPixelBufferGetBytesPerRowOfPlane(buffer, plane) : CVPixelBufferGetBytesPerRow(buffer)
    let rows = isPlanar ? CVPixelBufferGetHeightOfPlane(buffer, plane) : CVPixelBufferGetHeight(buffer)
    for row in 0..<rows {
      body(UnsafeMutableRawBufferPointer(start: memory + row * stride, count: bytes))
    }
  }
}

func makeBuffer(_ width: Int, _ height: Int, _ format: OSType) -> CVPixelBuffer {
  var made: CVPixelBuffer?
  CVPixelBufferCreate(nil, width, height, format, nil, &made)
  guard let buffer = made else { fail("no buffer of \(width)x\(height) can be made.") }
  return buffer
}

/// Renders the frames of a file in turn, and stores the last result.
func renderFrames(_ words: [String]) {
  let formats = [
    "BGRA": kCVPixelFormatType_32BGRA, "420v": kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
  ]
  guard 7...8 ~= words.count, let width = Int(words[2]), let height = Int(words[3]), width > 0, height > 0,
    let format = formats[words[4]], let repeats = Int(words[5]), repeats > 0
  else { fail(usage) }
  let file = contents(words[1])
  let cube = words.count > 7 ? contents(words[7]) : Data()
  var frames: [CVPixelBuffer] = []
  for start in stride(from: 0, through: file.count - 4 * width * height, by: 4 * width * height) {
    let frame = makeBuffer(width, height, kCVPixelFormatType_32BGRA)
    var offset = start
    forEachRow(frame) { row in
      file.copyBytes(to: row, from: offset..<offset + row.count)
      offset += row.count
    }
    frames.append(frame)
  }
  if frames.isEmpty { fail("\(words[1]) holds no frame of \(width)x\(height).") }

  let result = makeBuffer(width, height, format)
  if words[4] == "420v" {
    CVBufferSetAttachment(
      result, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
  }
  var context: CIContext?
  for index in 0..<repeats {
    timed {
      // The first image's time has the context's in it.
      let own = context ?? CIContext()
      context = own
      own.render(
        changed(CIImage(cvPixelBuffer: frames[index % frames.count]), words[0], cube: cube), to: result)
    }
  }
  var out = Data()
  forEachRow(result) { out.append(contentsOf: $0) }
  guard FileManager.default.createFile(atPath: words[6], contents: out) else {
    fail("\(words[6]) cannot be written.")
  }
}

// MARK: Photos

func photo(_ path: String, _ options: [CIImageOption: Any] = [:]) -> CIImage {
  guard let image = CIImage(contentsOf: URL(fileURLWithPath: path), options: options) else {
    fail("\(path) is no picture.")
  }
  return image
}

/// The image, so much smaller that its longer side has `length` pixels.
func scaled(_ image: CIImage, length: Double) -> CIImage {
  let scale = length / max(image.extent.width, image.extent.height)
  return image.transformed(by: CGAffineTransform(scaleX: scale, y: scale))
}

/// The photos under one another, each 600 pixels wide, and a caption below them, as a JPEG.
func strip(_ paths: [String]) -> Data {
  let format = UIGraphicsImageRendererFormat()
  format.opaque = true
  let size = CGSize(width: 600, height: 450 * paths.count + 100)
  return UIGraphicsImageRenderer(size: size, format: format).jpegData(withCompressionQuality: 0.9) {
    context in
    UIColor.white.setFill()
    context.fill(CGRect(origin: .zero, size: size))
    for (index, path) in paths.enumerated() {
      guard let photo = UIImage(contentsOfFile: path) else { fail("\(path) is no picture.") }
      photo.draw(in: CGRect(x: 0, y: 450 * index, width: 600, height: 450))
    }
    "A day of ours".draw(
      at: CGPoint(x: 20, y: size.height - 85), withAttributes: [.font: UIFont.systemFont(ofSize: 60)])
  }
}

func workOnPhotos(_ words: [String]) throws {
  guard words.count >= 4, let space = CGColorSpace(name: CGColorSpace.sRGB) else { fail(usage) }
  let context = CIContext()
  // The standard quality is 0.9, libjpeg's 90.
  func write(_ image: CIImage, _ path: String) throws {
    try context.writeJPEGRepresentation(of: image, to: URL(fileURLWithPath: path), colorSpace: space)
  }
  switch words[0] {
  case "noir-jpeg":
    for _ in 0..<(Int(words[3]) ?? 1) {
      try timed { try write(filtered(photo(words[1]), "CIPhotoEffectNoir"), words[2]) }
    }
  case "strip":
    for _ in 0..<(Int(words[2]) ?? 1) {
      try timed { try strip(Array(words[3...])).write(to: URL(fileURLWithPath: words[1])) }
    }
  default:
    for _ in 0..<(Int(words[3]) ?? 1) {
      for isUpright in [false, true] {
        timed(isUpright ? "upright" : "stored") {
          let small = scaled(photo(words[1], [.applyOrientationProperty: isUpright]), length: 1200)
          if context.createCGImage(small, from: small.extent) == nil { fail("nothing was rendered.") }
        }
      }
    }
    try write(scaled(photo(words[1], [.applyOrientationProperty: true]), length: 1200), words[2])
  }
}

let words = Array(CommandLine.arguments.dropFirst())
do {
  switch words.first {
  case "noir-jpeg", "strip", "orient": try workOnPhotos(words)
  default: renderFrames(words)
  }
} catch {
  fail("\(error)")
}
