import AVFoundation

final class Shot: NSObject, AVCapturePhotoCaptureDelegate {
  let done = DispatchSemaphore(value: 0)

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    guard let data = photo.fileDataRepresentation() else {
      return print("no photo: \(error?.localizedDescription ?? "")")
    }
    _ = FileManager.default.createFile(atPath: "photo.jpg", contents: data)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor settings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    done.signal()
  }
}

guard let camera = AVCaptureDevice.default(for: .video) else {
  print("There is no camera; run this with OBSCURA_DEVICES=simulated.")
  exit(3)
}
let (session, output, shot) = (AVCaptureSession(), AVCapturePhotoOutput(), Shot())
session.sessionPreset = .photo
session.addInput(try AVCaptureDeviceInput(device: camera))
session.addOutput(output)
session.startRunning()
output.capturePhoto(
  with: AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]), delegate: shot)
shot.done.wait()
