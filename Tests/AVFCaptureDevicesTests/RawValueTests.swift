import AVFoundation
import Testing

/// The numbers and texts that programs store, send, and compare; as in Apple's headers.
@Suite("Raw values")
struct RawValueTests {
  @Test
  func `controls of a camera have Apple's numbers`() {
    #expect(AVCaptureDevice.Position(rawValue: 2) == .front)
    #expect(AVCaptureDevice.ExposureMode(rawValue: 3) == .custom)
    #expect(AVCaptureDevice.FlashMode(rawValue: 2) == .auto)
    #expect(AVCaptureDevice.TorchMode(rawValue: 1) == .on)
    #expect(AVCaptureDevice.AutoFocusRangeRestriction(rawValue: 2) == .far)
    #expect(AVCaptureDevice.Format.AutoFocusSystem(rawValue: 1) == .contrastDetection)
    #expect(AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior(rawValue: 3) == .locked)
    #expect(
      AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions(rawValue: 1)
        == .videoZoomChanged)
    #expect(AVCaptureDevice.SystemPressureState.Factors(rawValue: 2) == .peakPower)
    #expect(AVCaptureColorSpace(rawValue: 1) == .P3_D65)
    #expect(AVCaptureVideoStabilizationMode(rawValue: 3) == .cinematicExtended)
    #expect(AVCaptureVideoOrientation(rawValue: 3) == .landscapeRight)
  }

  @Test
  func `answers of outputs have Apple's numbers`() {
    #expect(AVAuthorizationStatus(rawValue: 1) == .restricted)
    #expect(AVCaptureOutput.DataDroppedReason(rawValue: 0) == AVCaptureOutput.DataDroppedReason.none)
    #expect(AVCapturePhotoOutput.CaptureReadiness(rawValue: 1) == .ready)
    #expect(AVCapturePhotoOutput.QualityPrioritization(rawValue: 3) == .quality)
    #expect(AVDepthData.Accuracy(rawValue: 0) == .relative)
    #expect(AVDepthData.Quality(rawValue: 1) == .high)
  }

  @Test
  func `names of media, devices, codes and files are Apple's`() {
    #expect(AVMediaType(rawValue: "vide") == .video)
    #expect(
      AVCaptureDevice.DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
        == .builtInWideAngleCamera)
    #expect(AVMetadataObject.ObjectType.microPDF417.rawValue == "org.iso.MicroPDF417")
    #expect(AVFileType.heif.rawValue == "public.heif")
    #expect(AVVideoCodecJPEG == AVVideoCodecType.jpeg.rawValue)
    #expect(AVVideoMaxKeyFrameIntervalKey == "MaxKeyFrameInterval")
    #expect(AVVideoProfileLevelH264High40 == "H264_High_4_0")
    #expect(AVVideoCodecH264 == AVVideoCodecType.h264.rawValue)
  }

  @Test
  func `the largest rectangle of a shape lies in the middle`() {
    let rect = AVMakeRect(
      aspectRatio: CGSize(width: 16, height: 9), insideRect: CGRect(x: 10, y: 20, width: 160, height: 160))
    #expect(rect == CGRect(x: 10, y: 55, width: 160, height: 90))
  }
}
