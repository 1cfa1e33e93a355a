import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import GraphicsCore
import ImageCore
import Linux
import PixelTransforms
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// How near developed raw photos come to the scene, beside what another program makes of the same file.
  @Suite("Raw photos and the scene's truth")
  struct RawTruth {
    private static let size = FrameSize(width: 512, height: 384)

    /// Bytes of red, green and blue, row by row.
    private struct Picture {
      var width: Int
      var height: Int
      var bytes: [UInt8]

      init(width: Int, height: Int, bytes: [UInt8]) {
        (self.width, self.height, self.bytes) = (width, height, bytes)
      }

      /// A PPM file.
      init?(_ file: Data) {
        let words = file.prefix(40).split(whereSeparator: { [0x20, 0x0A].contains($0) }).prefix(4)
        guard words.count == 4, let end = words.last?.endIndex else { return nil }
        let numbers = words.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3, numbers[2] == 255, file.count >= end + 1 + 3 * numbers[0] * numbers[1]
        else {
          return nil
        }
        self.init(width: numbers[0], height: numbers[1], bytes: Array(file[(end + 1)...]))
      }

      init(_ buffer: CVPixelBuffer) throws {
        let picture = try PixelTransformer().apply(
          FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: buffer)
        self.init(width: picture.width, height: picture.height, bytes: [])
        for y in 0..<height {
          let row = picture.planes[0].row(y)
          for x in 0..<width { bytes += [row[4 * x + 2], row[4 * x + 1], row[4 * x]] }
        }
      }

      /// Decibels of the difference in the middle; the other may lack some pixels at each edge.
      func quality(_ truth: Picture) -> Double {
        let (left, top) = ((truth.width - width) / 2, (truth.height - height) / 2)
        var sum = 0.0
        for y in 12..<height - 12 {
          for place in 36..<3 * width - 36 {
            let other = truth.bytes[3 * ((y + top) * truth.width + left) + place]
            sum += pow(Double(bytes[3 * y * width + place]) - Double(other), 2)
          }
        }
        return 10 * log10(255 * 255 * Double((height - 24) * (3 * width - 72)) / max(sum, 1e-9))
      }
    }

    private static let dcraw = ["/usr/bin/dcraw_emu", "/usr/local/bin/dcraw_emu"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    private func developed(_ file: Data, quality: Int) throws -> Picture {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("raw-\(UUID()).dng")
      try file.write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try #require(Self.dcraw))
      process.arguments = [
        "-w", "-o", "1", "-W", "-g", "2.4", "12.92", "-c", "0", "-t", "0", "-q", "\(quality)", "-Z", "-",
        url.path,
      ]
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return try #require(Picture(data))
    }

    @Test(.enabled(if: dcraw != nil)) func `ours comes at least as near to the scene as LibRaw`() throws {
      var scene = Scene.builtIn
      scene.isStamped = false
      let model = SimulatedDeviceModel.camera(uniqueID: "raw.truth", sizes: [Self.size])
      let rig = try CaptureRig(model, scene: scene)
      let (output, delegate) = (AVCapturePhotoOutput(), RecordingPhotoDelegate())
      rig.session.addOutput(output)
      rig.session.startRunning()
      // Exposure and white balance settle.
      rig.advance(frames: 60)
      let format = try #require(output.availableRawPhotoPixelFormatTypes.first)
      output.capturePhoto(with: AVCapturePhotoSettings(rawPixelFormatType: format), delegate: delegate)
      rig.advance(frames: 3)
      try #require(delegate.wait())
      let photo = try #require(delegate.photos.withLock { $0.first })
      let file = try #require(photo.fileDataRepresentation())
      let device = try #require(rig.provider.devices().first as? SimulatedDevice)
      let frame = try #require(photo.frameSequenceNumber)
      var controls = try #require(photo.controls)
      controls.isGloballyToneMapped = false
      controls.isHDR = false
      let truth = try Picture(
        device.truth(
          at: Double(frame) / 30, size: Self.size, conditions: FrameConditions(controls), sequence: frame
        ).picture)
      let filter = try #require(CIRAWFilter(imageData: file, identifierHint: nil))
      filter.boostAmount = 0
      filter.orientation = .up
      let image = try #require(filter.outputImage)
      let (width, height) = (Int(image.extent.width), Int(image.extent.height))
      var pixels = [UInt8](repeating: 0, count: 4 * width * height)
      pixels.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        CIContext().render(
          image, toBitmap: base, rowBytes: 4 * width, bounds: image.extent, format: .RGBA8,
          colorSpace: CGColorSpace(name: CGColorSpace.sRGB))
      }
      let colors = pixels.indices.filter { $0 % 4 != 3 }.map { pixels[$0] }
      let own = Picture(width: width, height: height, bytes: colors)
      let ours = own.quality(truth)
      #expect(ours > 28, "\(ours)")
      // Linear, VNG, PPG, AHD, DCB, DHT and AAHD.
      for quality in [0, 1, 2, 3, 4, 11, 12] {
        let theirs = try developed(file, quality: quality).quality(truth)
        #expect(ours >= theirs, "\(quality): \(ours) \(theirs)")
      }
    }
  }
}
