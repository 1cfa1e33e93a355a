import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import ImageIO
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// An asymmetric chart through every way that pictures take out of a session.
  @Suite("Chart")
  struct ChartTests {
    struct Camera: Sendable, CustomTestStringConvertible {
      let position: DevicePosition
      let sensorRotation: Int
      let codec: AVVideoCodecType

      var testDescription: String { "\(position) camera, sensor at \(sensorRotation)°, \(codec.rawValue)" }
    }

    private static let cameras: [Camera] = [AVVideoCodecType.jpeg, .hevc].flatMap { codec in
      [DevicePosition.back, .front].flatMap { position in
        [90, 0].map { Camera(position: position, sensorRotation: $0, codec: codec) }
      }
    }

    /// How far the sensor's picture must turn, written down without the table: an upright machine shows the sensor's own
    /// turn; a machine turned right is seen turned left by cameras that look away, and the other way round by the others.
    private static func turn(_ orientation: AVCaptureVideoOrientation, _ camera: Camera) -> Int {
      let more =
        switch (orientation, camera.position == .front) {
        case (.portrait, _): 0
        case (.portraitUpsideDown, _): 180
        case (.landscapeRight, false), (.landscapeLeft, true): 270
        default: 90
        }
      return (camera.sensorRotation + more) % 360
    }

    @Test(arguments: cameras)
    func `preview, data output, photo and file agree`(_ camera: Camera) throws {
      let size = FrameSize(width: 96, height: 64)
      let rig = try CaptureRig(
        .camera(position: camera.position, sizes: [size], sensorRotation: camera.sensorRotation),
        scene: Chart.scene(), preset: .photo)
      let preview = AVCaptureVideoPreviewLayer(session: rig.session)
      let data = AVCaptureVideoDataOutput(), photo = AVCapturePhotoOutput()
      data.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
      let recorder = RecordingVideoDelegate(), photographer = RecordingPhotoDelegate()
      data.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "frames"))
      rig.session.addOutput(data)
      rig.session.addOutput(photo)
      let connections = try [
        #require(preview.connection), #require(data.connection(with: .video)),
        #require(photo.connection(with: .video)),
      ]
      rig.session.startRunning()
      for connection in connections { connection.automaticallyAdjustsVideoMirroring = false }

      for orientation in [
        AVCaptureVideoOrientation.portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft,
      ] {
        for isMirrored in [false, true] {
          for connection in connections {
            connection.videoOrientation = orientation
            connection.isVideoMirrored = isMirrored
          }
          rig.advance(frames: 2)
          let expected = Chart.Lie(quarterTurns: Self.turn(orientation, camera) / 90, isMirrored: isMirrored)

          let isTall = expected.quarterTurns % 2 == 1
          preview.bounds = CGRect(x: 0, y: 0, width: isTall ? 64 : 96, height: isTall ? 96 : 64)
          let drawn = try #require(try preview.makePicture())
          #expect(Chart.lie(of: Gray(drawn)) == expected, "preview")

          let sample = recorder.samples.withLock { samples in
            defer { samples = [] }
            return samples.last
          }
          let buffer = try #require(sample?.buffer.imageBuffer)
          #expect(CVPixelBufferGetWidth(buffer) == (isTall ? 64 : 96))
          #expect(Chart.lie(of: Gray(buffer)) == expected, "data output")

          let count = photographer.finishedCount.withLock { $0 }
          photo.capturePhoto(
            with: AVCapturePhotoSettings(format: [AVVideoCodecKey: camera.codec]), delegate: photographer)
          rig.advance(frames: 2)
          #expect(photographer.wait(for: count + 1))
          let taken = try #require(photographer.photos.withLock { $0.last })
          try checkFile(of: taken, expected)
        }
      }
    }

    /// Pixels and number of a photo's file together must show what the preview showed, and say so in every place.
    private func checkFile(of photo: AVCapturePhoto, _ expected: Chart.Lie) throws {
      let file = try #require(photo.fileDataRepresentation())
      let source = try #require(CGImageSourceCreateWithData(file, nil))
      let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
      let number = try #require(properties[kCGImagePropertyOrientation] as? Int)
      #expect(photo.metadata[kCGImagePropertyOrientation as String] as? Int == number)
      let stored = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
      let pixels = Chart.lie(of: Gray(stored))
      #expect(pixels == Chart.Lie(quarterTurns: 0, isMirrored: false), "photos keep the sensor's pixels")
      #expect(pixels.map { $0.shown(byNumber: number) } == expected, "EXIF \(number)")
      #expect(expected.isMirrored == [2, 4, 5, 7].contains(number), "a mirrored photo says so")
      let upright = try #require(
        CGImageSourceCreateThumbnailAtIndex(
          source, 0,
          [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true, kCGImageSourceThumbnailMaxPixelSize: 96,
          ]))
      #expect(Chart.lie(of: Gray(upright)) == expected, "a viewer's picture")
    }

    @Test func `unasked, a front camera's preview is a mirror and its photo is not`() throws {
      let size = FrameSize(width: 96, height: 64)
      let rig = try CaptureRig(
        .camera(position: .front, sizes: [size]), scene: Chart.scene(), preset: .photo)
      let preview = AVCaptureVideoPreviewLayer(session: rig.session)
      let photo = AVCapturePhotoOutput(), photographer = RecordingPhotoDelegate()
      rig.session.addOutput(photo)
      rig.session.startRunning()
      rig.advance(frames: 2)
      preview.bounds = CGRect(x: 0, y: 0, width: 64, height: 96)
      let drawn = try #require(try preview.makePicture())
      #expect(Chart.lie(of: Gray(drawn)) == Chart.Lie(quarterTurns: 1, isMirrored: true))
      photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photographer)
      rig.advance(frames: 2)
      #expect(photographer.wait(for: 1))
      let taken = try #require(photographer.photos.withLock { $0.last })
      #expect(taken.metadata[kCGImagePropertyOrientation as String] as? Int == 6)
    }
  }
}

/// A chart of six greys that no turn and no mirroring takes to itself, and how it lies in a picture.
enum Chart {
  /// One of the eight ways to lie: turned clockwise by quarter turns, then mirrored left to right.
  struct Lie: Hashable {
    let quarterTurns: Int
    let isMirrored: Bool

    static let all = (0..<4).flatMap { turns in
      [false, true].map { Lie(quarterTurns: turns, isMirrored: $0) }
    }

    /// The target of a point of the unit square.
    func moved(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      var (x, y) = (x, y)
      for _ in 0..<quarterTurns { (x, y) = (1 - y, x) }
      return (isMirrored ? 1 - x : x, y)
    }

    /// How a picture that lies unchanged is shown by a viewer that honours the number (EXIF 2.32, 4.6.4: the sides of the
    /// scene that row 0 and column 0 are).
    func shown(byNumber number: Int) -> Lie {
      // Where the stored corner (0, 0) and the stored corner (1, 0) are shown.
      let corners: [Int: ((Double, Double), (Double, Double))] = [
        1: ((0, 0), (1, 0)), 2: ((1, 0), (0, 0)), 3: ((1, 1), (0, 1)), 4: ((0, 1), (1, 1)),
        5: ((0, 0), (0, 1)), 6: ((1, 0), (1, 1)), 7: ((1, 1), (1, 0)), 8: ((0, 1), (0, 0)),
      ]
      return Lie.all.first { lie in
        guard let (origin, right) = corners[number] else { return false }
        return lie.moved(0, 0) == origin && lie.moved(1, 0) == right
      } ?? self
    }
  }

  private static let columns = 3, rows = 2
  private static let greys: [UInt8] = [235, 60, 130, 90, 180, 20]

  static func scene() throws -> Scene {
    let picture = try ScenePicture(
      width: columns * 16, height: rows * 16,
      rgba: (0..<rows * 16).flatMap { y in
        (0..<columns * 16).flatMap { x -> [UInt8] in
          let grey = greys[y / 16 * columns + x / 16]
          return [grey, grey, grey, 255]
        }
      })
    var scene = Scene(isStamped: false, isNoisy: false, background: SceneBackground(.picture(picture)))
    scene.isStill = true
    return scene
  }

  /// The one of the eight that `picture` matches; `nil` when none does clearly, or more than one.
  static func lie(of picture: Gray) -> Lie? {
    let matches = Lie.all.map { lie in (lie, correlation(picture, lie)) }.sorted { $0.1 > $1.1 }
    return matches[0].1 > 0.98 && matches[1].1 < 0.8 ? matches[0].0 : nil
  }

  private static func correlation(_ picture: Gray, _ lie: Lie) -> Double {
    let pairs = greys.indices.map { index -> (Double, Double) in
      let place = lie.moved(
        (Double(index % columns) + 0.5) / Double(columns), (Double(index / columns) + 0.5) / Double(rows))
      return (Double(greys[index]), picture.light(at: place))
    }
    let count = Double(pairs.count)
    let means = (pairs.map(\.0).reduce(0, +) / count, pairs.map(\.1).reduce(0, +) / count)
    let product = pairs.reduce(0) { $0 + ($1.0 - means.0) * ($1.1 - means.1) }
    let squares = (
      pairs.reduce(0) { $0 + pow($1.0 - means.0, 2) }, pairs.reduce(0) { $0 + pow($1.1 - means.1, 2) }
    )
    return squares.1 > 0 ? product / (squares.0 * squares.1).squareRoot() : 0
  }
}
