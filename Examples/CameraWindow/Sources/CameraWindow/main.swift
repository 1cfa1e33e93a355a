import AVFoundation
import CGTK
import GTKLayers

/// The camera's picture, and a white frame around its middle.
final class Viewfinder: CALayer {
  private let preview: AVCaptureVideoPreviewLayer
  private let mark = CALayer()

  init(_ session: AVCaptureSession) {
    preview = AVCaptureVideoPreviewLayer(session: session)
    super.init()
    backgroundColor = .black
    preview.videoGravity = .resizeAspectFill
    mark.borderWidth = 3
    mark.borderColor = .white
    mark.cornerRadius = 12
    addSublayer(preview)
    addSublayer(mark)
  }

  override func layoutSublayers() {
    preview.frame = bounds
    let side = min(bounds.width, bounds.height) / 2
    mark.frame = CGRect(x: bounds.midX - side / 2, y: bounds.midY - side / 2, width: side, height: side)
  }
}

/// Opens a window that shows the camera as long as it is open.
@MainActor
func openWindow(of application: UnsafeMutablePointer<GtkApplication>) throws {
  guard let camera = AVCaptureDevice.default(for: .video) else {
    print("There is no camera. Plug one in, or set OBSCURA_DEVICES=simulated.")
    return
  }
  let session = AVCaptureSession()
  session.addInput(try AVCaptureDeviceInput(device: camera))
  // The window holds the widget, the widget its layer, and the preview layer its session.
  let view = LayerView(Viewfinder(session))
  guard let widget = gtk_application_window_new(application) else { return }
  let window = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkWindow.self)
  gtk_window_set_title(window, camera.localizedName)
  gtk_window_set_default_size(window, 960, 540)
  gtk_window_set_child(window, view.widget.assumingMemoryBound(to: GtkWidget.self))
  gtk_window_present(window)
  // A camera takes its time to start, and the window must not wait for it.
  DispatchQueue.global().async { session.startRunning() }
}

guard let application = gtk_application_new("org.example.CameraWindow", G_APPLICATION_NON_UNIQUE) else {
  exit(1)
}
runMainQueueInMainLoop()
let activate: @convention(c) (UnsafeMutablePointer<GtkApplication>, gpointer?) -> Void = { application, _ in
  nonisolated(unsafe) let application = application
  MainActor.assumeIsolated {
    do { try openWindow(of: application) } catch { print(error.localizedDescription) }
  }
}
g_signal_connect_data(
  application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
exit(
  g_application_run(UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self), 0, nil))
