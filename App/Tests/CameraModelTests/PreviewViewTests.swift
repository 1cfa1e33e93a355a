import AVFoundation
import GTKLayers
import SimulatedDevices
import Testing

/// The camera in a view of layers, read from the view's pictures: no window is needed for that.
extension Screens {
  private static let red = CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1)

  @Test func `a preview fills its layer, below what lies above it, and its newest frame is reported once`()
    async throws
  {
    let clock = SimulatedClock()
    SimulatedDevices.install(scene: .builtIn, clock: clock)
    defer { SimulatedDevices.uninstall() }
    let device = try #require(AVCaptureDevice.default(for: .video))
    let session = AVCaptureSession()
    session.addInput(try AVCaptureDeviceInput(device: device))
    let preview = AVCaptureVideoPreviewLayer(session: session)
    preview.videoGravity = .resizeAspectFill
    let top = CALayer()
    top.backgroundColor = Self.red
    top.bounds.size = CGSize(width: 160, height: 90)
    let view = LayerView(top)
    preview.frame = CGRect(x: 80, y: 0, width: 80, height: 90)
    view.layer.addSublayer(preview)
    let mark = CALayer()
    mark.frame = CGRect(x: 150, y: 80, width: 10, height: 10)
    mark.backgroundColor = .white
    view.layer.addSublayer(mark)
    var pictures: [LayerPicture] = []
    view.onPicture = { pictures.append($0) }
    #expect(try view.colors([(120, 40)]) == [[255, 0, 0]], "without a frame the background is seen")
    session.startRunning()
    defer { session.stopRunning() }
    for _ in 0..<40 where preview.frames.takeNewest() == nil {
      clock.advance(by: .milliseconds(34))
      try await Task.sleep(for: .milliseconds(5))
    }
    let seen = try view.colors([(40, 40), (120, 40), (155, 85)])
    #expect(seen[0] == [255, 0, 0] && seen[1] != [255, 0, 0] && seen[2] == [255, 255, 255])
    let whole = try view.colors((80..<160).map { ($0, 20) })
    #expect(Set(whole).count > 20, "a picture has many colours")
    let picture = try #require(pictures.last)
    let size = CMVideoFormatDescriptionGetDimensions(device.activeFormat.formatDescription)
    // The sensor of a phone lies on its side.
    #expect(picture.layer === preview && picture.rotationAngle == 90)
    #expect(picture.size == CGSize(width: Int(size.height), height: Int(size.width)))
    #expect(view.counts.shown == pictures.count && view.counts.made >= view.counts.shown)
  }

  @Test func `a picture that fills its layer is cut, one that fits leaves the background`() async throws {
    let clock = SimulatedClock()
    SimulatedDevices.install(scene: Scene(devices: [.webcam]), clock: clock)
    defer { SimulatedDevices.uninstall() }
    let session = AVCaptureSession()
    session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
    let preview = AVCaptureVideoPreviewLayer(session: session)
    let view = LayerView(preview)
    preview.backgroundColor = Self.red
    preview.bounds = CGRect(x: 0, y: 0, width: 40, height: 160)
    session.startRunning()
    defer { session.stopRunning() }
    for _ in 0..<40 where preview.frames.takeNewest() == nil {
      clock.advance(by: .milliseconds(34))
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try view.colors([(20, 5), (20, 155)]) == [[255, 0, 0], [255, 0, 0]])
    #expect(try view.colors([(20, 80)]) != [[255, 0, 0]])
    preview.videoGravity = .resizeAspectFill
    #expect(try !view.colors([(20, 2), (20, 80), (20, 157)]).contains([255, 0, 0]))
    let filled = try view.colors((0..<160).map { (20, $0) })
    preview.bounds = CGRect(x: 0, y: 0, width: 400, height: 160)
    preview.videoGravity = .resizeAspect
    // A picture as high as the layer has the same column in its middle.
    let fitted = try view.colors((0..<160).map { (200, $0) })
    let differences = zip(filled, fitted).map { abs($0[1] - $1[1]) }
    #expect(differences.reduce(0, +) / differences.count <= 6)
  }
}
