package import AVFoundation
package import Foundation
import FoundationExtras
package import Linux
package import PhotoProcessing
package import SimulatedDevices
import Testing

/// A session that takes photos which may be finished later, with a store in a folder of its own.
package final class DeferredStage {
  package let stage: SessionStage
  package let output: AVCapturePhotoOutput
  package let delegate = ProxyDelegate()
  package let folder: URL
  package let store: DeferredPhotoStore

  package init(
    isDeferring: Bool = true, byteLimit: Int = DeferredPhotoStore.usualByteLimit,
    load: PhotoPipeline.Load? = nil, background: SceneBackground = SceneBackground()
  ) throws {
    stage = SessionStage(background: background)
    output = AVCapturePhotoOutput(load: load)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
    store = DeferredPhotoStore(folder: folder.path, byteLimit: byteLimit)
    let own = store
    output.deferredPhotos.withLock { $0 = own }
    output.maxPhotoQualityPrioritization = .quality
    stage.session.sessionPreset = .photo
    stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
    stage.session.addOutput(output)
    output.isAutoDeferredPhotoDeliveryEnabled = isDeferring
    stage.session.startRunning()
    stage.pass(frames: 3)
  }

  deinit {
    stage.session.stopRunning()
    try? FileManager.default.removeItem(at: folder)
  }

  package static func settings(
    _ codec: AVVideoCodecType = .hevc, _ prioritization: AVCapturePhotoOutput.QualityPrioritization = .quality
  ) -> AVCapturePhotoSettings {
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
    settings.photoQualityPrioritization = prioritization
    return settings
  }

  /// Takes a photo; whether it has ended.
  @discardableResult
  package func take(_ settings: AVCapturePhotoSettings = settings()) -> Bool {
    let count = delegate.ended.withLock { $0 }
    output.capturePhoto(with: settings, delegate: delegate)
    stage.pass(frames: 3)
    return delegate.wait(for: count + 1)
  }
}

/// A delegate that takes proxies, and writes down what it gets.
package final class ProxyDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  package let steps = Locked<[String]>([])
  package let proxies = Locked<[AVCaptureDeferredPhotoProxy]>([])
  package let photos = Locked<[AVCapturePhoto]>([])
  package let settings = Locked<[AVCaptureResolvedPhotoSettings]>([])
  package let ended = Monitor(0)

  package func photoOutput(
    _ output: AVCapturePhotoOutput, willBeginCaptureFor resolved: AVCaptureResolvedPhotoSettings
  ) { note("willBegin", resolved) }

  package func photoOutput(
    _ output: AVCapturePhotoOutput, willCapturePhotoFor resolved: AVCaptureResolvedPhotoSettings
  ) { note("willCapture", resolved) }

  package func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolved: AVCaptureResolvedPhotoSettings
  ) { note("didCapture", resolved) }

  package func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?
  ) {
    guard let deferredPhotoProxy, error == nil else { return note("no proxy", nil) }
    proxies.withLock { $0.append(deferredPhotoProxy) }
    note("proxy", deferredPhotoProxy.resolvedSettings)
  }

  package func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    photos.withLock { $0.append(photo) }
    note(error == nil ? "photo" : "failed", photo.resolvedSettings)
  }

  package func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolved: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    note("end", resolved)
    ended.withLock { $0 += 1 }
  }

  private func note(_ step: String, _ resolved: AVCaptureResolvedPhotoSettings?) {
    steps.withLock { $0.append(step) }
    if let resolved { settings.withLock { $0.append(resolved) } }
  }

  package func wait(for count: Int) -> Bool {
    ended.wait(
      until: MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000), for: { $0 >= count },
      then: { _ in true }) ?? false
  }

  /// The sizes of the proxies that the settings of all steps promised.
  package var promises: [Int32] { settings.withLock { $0.map(\.deferredPhotoProxyDimensions.width) } }
}
