public import AVFCore
internal import CaptureDevice
internal import CoreVideo
public import Dispatch
internal import Foundation
public import FoundationExtras
internal import Linux

/// Hands every frame of a camera to a delegate.
///
/// The picture of a sample buffer is the device's own memory wherever ``videoSettings``, the connection's turn and the buffer
/// dimensions ask for no other than the device sends: nothing is copied then. Its time is the device's own stamp on the
/// session's `synchronizationClock`; its duration is invalid, for a nominal frame rate says nothing of one frame. It carries
/// ``FrameAttachments/sequenceNumber`` and, under `{Exif}`, how the frame was exposed, as attachments that propagate.
///
/// Every frame the device counts is either delivered or dropped, and each drop that happens while there is a delegate is
/// reported. Thread-safe; everything may be called from inside the delegate's callbacks.
///
/// Source: [AVCaptureVideoDataOutput](https://developer.apple.com/documentation/avfoundation/avcapturevideodataoutput).
open class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {
  // Safe because what changes is under `state`, or has a lock of its own.

  private struct State {
    var settings = VideoDataSettings.standard
    var configuresDimensions = true
    var wantsPreviewSized = false
    var route: VideoDataRoute?

    private var lifetime = RouteLifetime()

    /// Takes `route` with the present settings; frames that are under way with others do not reach the delegate any more.
    ///
    /// What is returned dies outside the lock.
    mutating func setRoute(_ route: MediaRoute?) -> VideoDataRoute? {
      let old = self.route
      if old?.connection !== route?.connection || old?.settings != settings {
        lifetime.end()
        lifetime = RouteLifetime()
      }
      self.route = route.map { VideoDataRoute($0, settings: settings, lifetime: lifetime) }
      return old
    }
  }

  private let state = Locked(State())
  private let preservesHDR = Locked(false)
  private let slot = DelegateSlot<any AVCaptureVideoDataOutputSampleBufferDelegate>()
  private let delivery = DeliveryQueue<CapturedFrame, VideoDataRoute>()

  /// An output without a delegate, in the default uncompressed format.
  ///
  /// Apple: `AVCaptureVideoDataOutput.init()`.
  public init() {
    super.init(number: ())
  }

  // MARK: Delegate

  /// The delegate; `nil` when there is none, or it is gone.
  ///
  /// Apple: `AVCaptureVideoDataOutput.sampleBufferDelegate`.
  open var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? { slot.delegate }

  /// The queue on which the delegate is called.
  ///
  /// Apple: `AVCaptureVideoDataOutput.sampleBufferCallbackQueue`.
  open var sampleBufferCallbackQueue: DispatchQueue? { slot.queue }

  /// Sets who gets the frames, and where.
  ///
  /// The delegate is not retained. After this returns, no further call to the former delegate begins; one may be under way. What is
  /// set already changes nothing.
  ///
  /// - Parameters:
  ///   - sampleBufferDelegate: The delegate, or `nil` to get no frames.
  ///   - sampleBufferCallbackQueue: A serial queue; `nil` only together with a `nil` delegate. The calls come one at a time
  ///     and in order on a concurrent queue, too.
  ///
  /// Apple: `AVCaptureVideoDataOutput.setSampleBufferDelegate(_:queue:)`.
  open func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) {
    slot.set(
      sampleBufferDelegate, on: sampleBufferCallbackQueue,
      weakly: { [weak sampleBufferDelegate] in sampleBufferDelegate }, serve: serve)
  }

  private func serve(_ recipient: Recipient<any AVCaptureVideoDataOutputSampleBufferDelegate>) {
    delivery.setClient(
      recipient.client { queue in
        DeliveryQueue.Client(
          queue: queue,
          deliver: { [weak self] call in
            let route = call.route
            guard let self, let delegate = recipient.delegate,
              let sample = route.sampleBuffer(for: call.sample)
            else { return .unwanted }
            return call.begin {
              route.route.shownFrames?.noteShown(call.sample.sequence)
              delegate.captureOutput(self, didOutput: sample, from: route.connection)
            }
          },
          lose: { [weak self] lost, route in
            guard let self, let delegate = recipient.delegate, let sample = route.sampleBuffer(for: lost)
            else {
              return
            }
            delegate.captureOutput(self, didDrop: sample, from: route.connection)
          })
      })
  }

  /// Whether frames that come while the delegate is busy are dropped, or wait for it; `true` at first.
  ///
  /// When they wait, they hold the device's buffers; once all are held, the device drops frames as out of buffers.
  ///
  /// Frames of H.264 build on each other: after one that was dropped, for whatever reason, those up to the next key frame are
  /// dropped as well, as a discontinuity. A client that records them sets this to `false`.
  ///
  /// Apple: `AVCaptureVideoDataOutput.alwaysDiscardsLateVideoFrames`.
  open var alwaysDiscardsLateVideoFrames: Bool {
    get { delivery.policy == .dropWhileBusy }
    set { delivery.policy = newValue ? .dropWhileBusy : .keepAll }
  }

  /// Whether frames keep what their camera says of their dynamic range; `false` at first.
  ///
  /// No camera here says anything of it; what a driver attaches to a frame is kept either way.
  ///
  /// Apple: `AVCaptureVideoDataOutput.preservesDynamicHDRMetadata`.
  open var preservesDynamicHDRMetadata: Bool {
    get { preservesHDR.withLock { $0 } }
    set { preservesHDR.withLock { $0 = newValue } }
  }

  // MARK: Format

  /// How the pictures of the sample buffers are made.
  ///
  /// `kCVPixelBufferPixelFormatTypeKey` names one of ``availableVideoPixelFormatTypes``;
  /// `kCVPixelBufferWidthKey` and `kCVPixelBufferHeightKey`, which only come together, the buffers' size. It has the shape of the
  /// active format's pictures as the connection turns them, is no larger, and is not named while
  /// ``deliversPreviewSizedOutputBuffers`` is `true`; else it is a programming mistake. Whether that is so is known once a camera
  /// is connected; where a size does not fit what the session brings later, the buffers have the stream's own. `[:]` is the
  /// device's native format (frames that a device sends as JPEG are
  /// decoded; H.264 and HEVC come as they are: sample buffers with a data buffer instead of a picture, in which each NAL unit
  /// stands behind its length, with the parameter sets in the format description; where the connection turns, mirrors or scales
  /// them, they are decoded, too). `AVVideoCodecKey` with `AVVideoCodecType.h264` or `.hevc`, alone, asks
  /// for them by name, which only a device has that can send them. `nil`, the value at first, is a default uncompressed format: 4:2:0 in two planes, in the range the device has;
  /// reading it then gives the format and size in use. Any other key is a programming mistake.
  ///
  /// Apple: `AVCaptureVideoDataOutput.videoSettings`.
  open var videoSettings: [String: Any]! {
    get { currentSettings }
    set { setSettings(newValue) }
  }

  private var currentSettings: [String: Any] {
    let (settings, plan) = state.withLock { ($0.settings, $0.route?.plan) }
    if case .coded(let form) = settings, let codec = form.codecType { return [AVVideoCodecKey: codec] }
    if settings == .native, let codec = plan?.stream.format.encoding.form.codecType {
      return [AVVideoCodecKey: codec]
    }
    let format = plan.flatMap { settings.pixelFormat(for: $0.stream.format.encoding) } ?? settings.pixelFormat
    let named = plan.map { settings.size(fitting: $0) ?? $0.turnedSize } ?? settings.size
    let size = settings.size == nil && settings != .standard ? nil : named
    var dictionary: [String: Any] = [:]
    if let format = format ?? (settings == .standard ? VideoDataSettings.pixelFormats[0] : nil) {
      dictionary[kCVPixelBufferPixelFormatTypeKey as String] = format
    }
    if let size {
      dictionary[kCVPixelBufferWidthKey as String] = size.width
      dictionary[kCVPixelBufferHeightKey as String] = size.height
    }
    return BoxedNumbers.boxed(dictionary)
  }

  private func setSettings(_ dictionary: [String: Any]?) {
    // What any format of the device allows: the active one may change in the same configuration.
    let codecs = Set((cameraFacts?.formats ?? []).map(\.encoding.form))
    guard let settings = VideoDataSettings(dictionary, pixelFormats: pixelFormats, codecs: codecs) else {
      ProgrammingMistake.report(
        rule: """
          videoSettings takes a pixel format of availableVideoPixelFormatTypes and a width with a height, nothing else; \
          given was \(dictionary ?? [:]).
          """)
      return
    }
    if let size = settings.size, let plan = presentConnectionPlan,
      let rule = VideoDataSettings.mistake(in: size, for: plan)
    {
      return ProgrammingMistake.report(
        rule: "The width and height of videoSettings \(rule); given was \(size).")
    }
    let (isChanged, old) = state.withLock { state -> (Bool, VideoDataRoute?) in
      guard state.settings != settings else { return (false, nil) }
      state.settings = settings
      // The session plans sizes and formats of streams; what is made of them is decided here.
      return (true, state.setRoute(state.route?.route))
    }
    withExtendedLifetime(old) {}
    if isChanged { requirementsDidChange() }
  }

  /// The pixel formats that ``videoSettings`` may name: those that cost the least first.
  ///
  /// The connected device's own formats lead; 420v, 420f and BGRA are always there.
  ///
  /// Apple: `AVCaptureVideoDataOutput.availableVideoPixelFormatTypes`.
  open var availableVideoPixelFormatTypes: [OSType] { pixelFormats }

  private var cameraFacts: DeviceFacts? { connections.flatMap(\.inputPorts).firstResult(\.cameraFacts) }

  /// The codec of the connected camera's active format; `nil` where that sends pictures.
  private var sentCodec: AVVideoCodecType? {
    let port = connections.flatMap(\.inputPorts).first { $0.cameraFacts != nil }
    return port?.device?.settings.format(of: port?.cameraFacts)?.encoding.form.codecType
  }

  private var pixelFormats: [OSType] {
    let native = (cameraFacts?.formats ?? []).compactMap { format -> OSType? in
      guard case .pixels(let type) = format.encoding else { return nil }
      return type
    }
    var types: [OSType] = []
    for type in native + VideoDataSettings.pixelFormats where !types.contains(type) { types.append(type) }
    return types
  }

  /// Codecs in which frames can be had: H.264 or HEVC while that is the device's active format, else none.
  ///
  /// Nothing is encoded here.
  ///
  /// Apple: `AVCaptureVideoDataOutput.availableVideoCodecTypes`.
  open var availableVideoCodecTypes: [AVVideoCodecType] { sentCodec.map { [$0] } ?? [] }

  /// The buffers' size that ``videoSettings`` names, where it fits.
  func requestedSize(under plan: ConnectionPlan) -> FrameSize? {
    state.withLock { $0.settings }.size(fitting: plan)
  }

  // MARK: Size

  /// Whether the session chooses the size of the buffers; `true` at first.
  ///
  /// It then delivers preview-sized buffers under the preset `.photo`, whose full size no screen shows.
  ///
  /// Apple: `AVCaptureVideoDataOutput.automaticallyConfiguresOutputBufferDimensions`.
  open var automaticallyConfiguresOutputBufferDimensions: Bool {
    get { state.withLock { $0.configuresDimensions } }
    set {
      let isChanged = state.withLock { state in
        defer { state.configuresDimensions = newValue }
        return state.configuresDimensions != newValue
      }
      if isChanged { requirementsDidChange() }
    }
  }

  /// Whether buffers are about as large as a screen, whatever the camera streams.
  ///
  /// May be set only while ``automaticallyConfiguresOutputBufferDimensions`` is off.
  ///
  /// Apple: `AVCaptureVideoDataOutput.deliversPreviewSizedOutputBuffers`.
  open var deliversPreviewSizedOutputBuffers: Bool {
    get {
      state.withLock { state in
        guard state.configuresDimensions else { return state.wantsPreviewSized }
        guard let plan = state.route?.plan else { return false }
        return plan.size != plan.stream.format.size
      }
    }
    set {
      let isAllowed = state.withLock { state in
        guard !state.configuresDimensions else { return false }
        state.wantsPreviewSized = newValue
        return true
      }
      guard isAllowed else {
        ProgrammingMistake.report(
          rule: """
            deliversPreviewSizedOutputBuffers follows the session while automaticallyConfiguresOutputBufferDimensions \
            is true; set that to false first.
            """)
        return
      }
      requirementsDidChange()
    }
  }

  // MARK: Session

  /// What became of every frame until now.
  package var statistics: DeliveryStatistics { delivery.statistics }

  package override var requirements: OutputRequirements {
    state.withLock { state in
      let sizing: OutputRequirements.PreviewSizing =
        state.configuresDimensions ? .automatic : state.wantsPreviewSized ? .on : .off
      var requirements = OutputRequirements(
        role: .videoData(
          pixelFormat: state.settings.pixelFormat, size: state.settings.size, previewSizing: sizing),
        media: [.video])
      requirements.accepts = state.settings.accepts
      return requirements
    }
  }

  package override func attach(_ route: MediaRoute) {
    let old = state.withLock { $0.setRoute(route) }
    withExtendedLifetime(old) {}
  }

  package override func connectionsDidChange() {
    let connections = connections
    let old = state.withLock { state -> VideoDataRoute? in
      guard let route = state.route, !connections.contains(where: { $0 === route.connection }) else {
        return nil
      }
      return state.setRoute(nil)
    }
    withExtendedLifetime(old) {}
  }

  package override func receive(_ sample: MediaSample, over route: MediaRoute) {
    guard let own = state.withLock({ $0.route }), own.connection === route.connection else {
      return delivery.refuse(asDiscontinuity: true)
    }
    switch sample {
    case .frame(let frame): delivery.offer(frame, over: own, preparation: own.preparation)
    case .lost(let drop): delivery.offer(drop, over: own)
    case .audio, .depth: break
    }
  }

  package override func endCaptures(with error: AVError) {
    delivery.flush()
  }
}
