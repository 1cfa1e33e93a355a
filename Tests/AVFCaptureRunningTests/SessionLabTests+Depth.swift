import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import DepthMaps
import Foundation
import Linux
import Testing
import Waiting

extension DeviceSuites.SessionLabTests {
  @Test func `a USB depth camera's distances reach the client in metres, beside its pictures`() throws {
    CaptureDeviceProviders.install(nil)
    let folder = "DeviceLab/.cache"
    let process = try Self.firstLine(
      "\(folder)/usb-webcam LAB0003 --depth 64x48 \(folder)/bars-640x480.jpg >/dev/null 2>&1 & echo $!")
    let id = "usb-1d6b:0102-LAB0003"
    // Its depth node comes a moment after the one with the pictures, and both are one device.
    let found = { AVCaptureDevice(uniqueID: id).flatMap { $0.activeDepthDataFormat == nil ? nil : $0 } }
    #expect(DeviceList.comes { found() != nil })
    let camera = try #require(found())
    #expect(
      CMFormatDescriptionGetMediaSubType(try #require(camera.activeDepthDataFormat).formatDescription)
        == kCVPixelFormatType_DepthFloat16)
    let session = AVCaptureSession()
    let news = SessionNews(session)
    session.addInput(try AVCaptureDeviceInput(device: camera))
    let pictures = AVCaptureVideoDataOutput()
    let counter = FrameCounter()
    counter.watch(pictures)
    session.addOutput(pictures)
    let output = AVCaptureDepthDataOutput()
    output.isFilteringEnabled = false
    // An emulated machine may be late with each map.
    output.alwaysDiscardsLateDepthData = false
    let delegate = RecordingDepthDelegate()
    output.setDelegate(delegate, callbackQueue: DispatchQueue(label: "depth"))
    session.addOutput(output)
    session.startRunning()
    #expect(
      delegate.maps.wait { $0.count >= 3 } && counter.wait(for: 2),
      "\(delegate.maps.withLock { $0.count }) maps, \(counter.frames) pictures, \(news.all), \(news.lastError?.localizedDescription ?? "no error")"
    )
    session.stopRunning()
    for depth in delegate.maps.withLock({ $0 }) {
      #expect(depth.depthDataType == kCVPixelFormatType_DepthFloat16)
      let map = try depth.numbers
      #expect(map.width == 64 && map.height == 48)
      // What usb-webcam.c paints, in halves: a slope in millimetres that moves away, and nothing on every eighth diagonal.
      let number = map.metres(x: 1, y: 0) * 1000 - 508
      let isRight = (0..<48 * 64).allSatisfy { index in
        let (x, y) = (index % 64, index / 64)
        let metres = map.metres(x: x, y: y)
        let expected = (Float(500 + 8 * x + 4 * y) + number) / 1000
        return (x + y) % 8 == 0 ? metres.isNaN : abs(metres - expected) < 0.002 * expected
      }
      #expect(isRight && number > -1)
    }
    _ = try Self.firstLine("kill -9 \(process); echo killed")
    #expect(DeviceList.comes { AVCaptureDevice(uniqueID: id) == nil || !camera.isConnected })
  }
}
