import AVFoundation
import Glibc
import SimulatedDevices

// The cost of the built-in scene in a debug build, such as a client's tests: seconds on the clock, and of CPU time, which
// other programs on the machine do not stretch.

func cpuSeconds() -> Double {
  var usage = rusage()
  getrusage(RUSAGE_SELF.rawValue, &usage)
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

func measure(_ name: String, _ body: () throws -> Void) rethrows {
  let (wall, cpu) = (DispatchTime.now().uptimeNanoseconds, cpuSeconds())
  try body()
  let seconds = Double(DispatchTime.now().uptimeNanoseconds - wall) / 1e9
  print(String(format: "%@ %.2f s, %.2f s of CPU time", name, seconds, cpuSeconds() - cpu))
}

/// Reads each frame, so that it is painted.
final class Reader: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  // Safe because the delegate is called on one serial queue.
  private(set) var frames = 0

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard let picture = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    if CVPixelBufferGetBaseAddressOfPlane(picture, 0) != nil { frames += 1 }
    CVPixelBufferUnlockBaseAddress(picture, .readOnly)
  }
}

final class Shot: NSObject, AVCapturePhotoCaptureDelegate {
  let done = DispatchSemaphore(value: 0)

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor settings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    done.signal()
  }
}

func run(_ preset: AVCaptureSession.Preset, _ name: String) throws {
  let clock = SimulatedClock()
  SimulatedDevices.install(scene: .builtIn, clock: clock)
  guard let camera = AVCaptureDevice.default(for: .video) else { return print("There is no camera.") }
  let (session, video, photos, reader) = (
    AVCaptureSession(), AVCaptureVideoDataOutput(), AVCapturePhotoOutput(), Reader()
  )
  try measure("debug.\(name).first-frame") {
    session.sessionPreset = preset
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(video)
    video.setSampleBufferDelegate(reader, queue: DispatchQueue(label: "reader"))
    if preset == .photo { session.addOutput(photos) }
    session.startRunning()
    clock.advance(by: .milliseconds(40))
  }
  for _ in 0..<3 { measure("debug.\(name).second") { clock.advance(by: .seconds(1)) } }
  print("\(reader.frames) frames were read")
  if preset == .photo {
    // The first also paints what stands still in the scene.
    for place in ["first", "next"] {
      let shot = Shot()
      measure("debug.photo.\(place)") {
        measure("debug.photo.\(place).press") {
          photos.capturePhoto(
            with: AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]), delegate: shot)
        }
        clock.advance(by: .milliseconds(200))
        shot.done.wait()
      }
    }
  }
  session.stopRunning()
}

try run(.hd1920x1080, "1080p")
try run(.photo, "photo-preset")
