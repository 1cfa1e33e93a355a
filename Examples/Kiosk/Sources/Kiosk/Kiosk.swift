import AVFoundation

/// A kiosk at a door: reads the tickets that are held before its camera, and answers each.
///
/// A ticket that stays in view is answered once, and again after it was away for two seconds.
public final class Kiosk: NSObject, AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable {
  // Safe because what changes is used on `queue` only.
  private let session = AVCaptureSession()
  private let output = AVCaptureMetadataOutput()
  private let queue = DispatchQueue(label: "kiosk")
  private let answer: @Sendable (String, TicketDesk.Answer) -> Void
  private var desk: TicketDesk
  private var lastSeen: [String: CMTime] = [:]

  /// A kiosk with a camera; `answer` is called on the kiosk's queue for each ticket.
  public init(
    camera: AVCaptureDevice, desk: TicketDesk,
    answer: @escaping @Sendable (_ ticket: String, TicketDesk.Answer) -> Void
  ) throws {
    self.desk = desk
    self.answer = answer
    super.init()
    #if os(Linux)
      // A plug that was touched, or a camera that stood still, ends no evening.
      session.startsAgainWhenDevicesReturn = true
    #endif
    session.beginConfiguration()
    if session.canSetSessionPreset(.vga640x480) { session.sessionPreset = .vga640x480 }
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    output.setMetadataObjectsDelegate(self, queue: queue)
    output.metadataObjectTypes = [.qr]
    session.commitConfiguration()
  }

  /// Begins to read tickets; returns when the camera runs.
  public func start() { session.startRunning() }

  /// Stops the camera.
  public func stop() { session.stopRunning() }

  /// The number of guests who have come.
  public var guestCount: Int { queue.sync { desk.guestCount } }

  /// Takes the codes of a frame; called by the output.
  public func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    for case let code as AVMetadataMachineReadableCodeObject in metadataObjects {
      guard let ticket = code.stringValue else { continue }
      lastSeen = lastSeen.filter { code.time - $0.value < CMTime(value: 2, timescale: 1) }
      let isInView = lastSeen.updateValue(code.time, forKey: ticket) != nil
      if isInView { continue }
      answer(ticket, desk.take(ticket))
    }
  }
}
