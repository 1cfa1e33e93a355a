import AVFoundation

/// A shutter that can be pressed again while the photos before are still being made.
final class ResponsiveCamera: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  // Safe because what changes is used under `lock`.
  private let session = AVCaptureSession()
  private let output = AVCapturePhotoOutput()
  private let lock = NSLock()
  private var sizes: [Int] = []
  private var observer: (any NSObjectProtocol)?
  let done = DispatchSemaphore(value: 0)

  init(camera: AVCaptureDevice, isDeferring: Bool) throws {
    super.init()
    #if os(Linux)
      session.startsAgainWhenDevicesReturn = true
    #endif
    // A camera that sends nothing for five seconds ends the session.
    observer = NotificationCenter.default.addObserver(
      forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil
    ) { [session] news in
      let error = news.userInfo?[AVCaptureSessionErrorKey] as? AVError
      print("The camera: \(error?.localizedDescription ?? "unknown error")")
      if error?.code == .noDataCaptured || error?.code == .mediaServicesWereReset { session.startRunning() }
    }
    session.beginConfiguration()
    session.sessionPreset = .photo
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    // The photo is of what the viewfinder showed at the press.
    output.isZeroShutterLagEnabled = output.isZeroShutterLagSupported
    // The next press need not wait until this photo is processed.
    output.isResponsiveCaptureEnabled = output.isResponsiveCaptureSupported
    // When presses come faster than quality allows, quality gives way.
    output.isFastCapturePrioritizationEnabled = output.isFastCapturePrioritizationSupported
    output.maxPhotoQualityPrioritization = .quality
    // Slow processing is left for later: the delegate gets a proxy at once.
    output.isAutoDeferredPhotoDeliveryEnabled = isDeferring && output.isAutoDeferredPhotoDeliverySupported
    session.commitConfiguration()
  }

  func start() { session.startRunning() }

  func stop() {
    if let observer { NotificationCenter.default.removeObserver(observer) }
    session.stopRunning()
  }

  /// A button asks this before it looks enabled; a coordinator reports changes on the main queue.
  var isReady: Bool { output.captureReadiness == .ready }

  func press() {
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    settings.photoQualityPrioritization = .quality
    output.capturePhoto(with: settings, delegate: self)
  }

  /// The sizes of the files so far.
  var photos: [Int] { lock.withLock { sizes } }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    guard let file = photo.fileDataRepresentation() else { return }
    lock.withLock { sizes.append(file.count) }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?
  ) {
    // A photo library takes this file as a `.photoProxy`, and finishes the photo when it is wanted.
    guard let file = deferredPhotoProxy?.fileDataRepresentation() else { return }
    lock.withLock { sizes.append(file.count) }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor settings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    if let error { print("A photo was not taken: \(error.localizedDescription)") }
    done.signal()
  }
}

guard let camera = AVCaptureDevice.default(for: .video) else {
  print("There is no camera; run this with OBSCURA_DEVICES=simulated.")
  exit(3)
}
let isDeferring = CommandLine.arguments.contains("--deferred")
let shutter = try ResponsiveCamera(camera: camera, isDeferring: isDeferring)
shutter.start()
let deadline = Date(timeIntervalSinceNow: 60)
// What a camera that stood still or was unplugged has cost is taken again.
while shutter.photos.count < 3, Date() < deadline {
  let presses = 3 - shutter.photos.count
  var pressed = 0
  while pressed < presses, Date() < deadline {
    if shutter.isReady {
      shutter.press()
      pressed += 1
    } else {
      Thread.sleep(forTimeInterval: 0.005)
    }
  }
  for _ in 0..<pressed { shutter.done.wait() }
}
guard shutter.photos.count == 3 else {
  print("The camera took no three photos within a minute; plug it in, and try again.")
  exit(1)
}
print("3 \(isDeferring ? "proxies" : "photos") of \(shutter.photos) bytes")
shutter.stop()
