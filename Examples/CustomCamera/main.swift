import AVFoundation

/// Waits for the photo and keeps it.
final class Shot: NSObject, AVCapturePhotoCaptureDelegate {
  let done = DispatchSemaphore(value: 0)

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    guard let data = photo.fileDataRepresentation() else {
      return print("no photo: \(error?.localizedDescription ?? "")")
    }
    let name = "custom-\(photo.resolvedSettings.uniqueID).heic"
    _ = FileManager.default.createFile(atPath: name, contents: data)
    print(name)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor settings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    done.signal()
  }
}

guard AVCaptureDevice.default(for: .video) != nil else {
  print("There is no camera; run this with OBSCURA_DEVICES=simulated.")
  exit(3)
}
let (camera, shot) = (try CustomCamera(position: .back), Shot())
camera.session.startRunning()
try camera.focus(at: CGPoint(x: 195, y: 422))
try camera.zoom(to: 2)
try camera.whiteBalance(kelvin: 5000)
print("half a stop brighter from \(try await camera.bias(0.5).seconds) s on")
camera.takePhoto(shot)
shot.done.wait()

try camera.switchCamera()
try camera.torch(true)
camera.takePhoto(shot)
shot.done.wait()
camera.session.stopRunning()
