internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The delegate of all outputs of a synchronizer: brings together what they deliver.
///
/// All calls come on one serial queue that leads to the client's.
final class SynchronizerCollector: NSObject, FreshDelegate, @unchecked Sendable {
  // Safe because `backlog` is used on `queue` alone, and the rest is constant.
  private let outputs: [AVCaptureOutput]
  private let queue: DispatchQueue
  private let deliver: @Sendable (AVCaptureSynchronizedDataCollection) -> Void
  private var backlog: SynchronizerBacklog<AVCaptureSynchronizedData>

  static func canSynchronize(_ output: AVCaptureOutput) -> Bool {
    output is AVCaptureVideoDataOutput || output is AVCaptureAudioDataOutput
      || output is AVCaptureDepthDataOutput || output is AVCaptureMetadataOutput
  }

  init(
    _ outputs: [AVCaptureOutput], on queue: DispatchQueue,
    deliver: @escaping @Sendable (AVCaptureSynchronizedDataCollection) -> Void
  ) {
    self.outputs = outputs
    self.queue = DispatchQueue(label: "obscura.synchronizer", target: queue)
    self.deliver = deliver
    backlog = SynchronizerBacklog(streams: outputs.count)
    super.init()
  }

  /// Takes the place of the outputs' delegates.
  func attach() {
    for output in outputs {
      switch output {
      case let output as AVCaptureVideoDataOutput: output.setSampleBufferDelegate(self, queue: queue)
      case let output as AVCaptureAudioDataOutput: output.setSampleBufferDelegate(self, queue: queue)
      case let output as AVCaptureDepthDataOutput: output.setDelegate(self, callbackQueue: queue)
      case let output as AVCaptureMetadataOutput: output.setMetadataObjectsDelegate(self, queue: queue)
      default: break
      }
    }
  }

  /// Gives the places up that it still has.
  func detach() {
    for output in outputs {
      switch output {
      case let output as AVCaptureVideoDataOutput where output.sampleBufferDelegate === self:
        output.setSampleBufferDelegate(nil, queue: nil)
      case let output as AVCaptureAudioDataOutput where output.sampleBufferDelegate === self:
        output.setSampleBufferDelegate(nil, queue: nil)
      case let output as AVCaptureDepthDataOutput where output.delegate === self:
        output.setDelegate(nil, callbackQueue: nil)
      case let output as AVCaptureMetadataOutput where output.metadataObjectsDelegate === self:
        output.setMetadataObjectsDelegate(nil, queue: nil)
      default: break
      }
    }
  }

  private func take(_ data: AVCaptureSynchronizedData, from output: AVCaptureOutput) {
    guard let stream = outputs.firstIndex(where: { $0 === output }) else { return }
    for items in backlog.push(.init(time: data.timestamp, payload: data), from: stream) {
      deliver(
        AVCaptureSynchronizedDataCollection(
          zip(outputs, items).compactMap { output, item in item.map { (output, $0.payload) } }))
    }
  }
}

extension SynchronizerCollector: AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate
{
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    take(AVCaptureSynchronizedSampleBufferData(sampleBuffer), from: output)
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    let name =
      CMGetAttachment(
        sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil) as? String
    let reason: AVCaptureOutput.DataDroppedReason =
      switch name {
      case kCMSampleBufferDroppedFrameReason_FrameWasLate?: .lateData
      case kCMSampleBufferDroppedFrameReason_OutOfBuffers?: .outOfBuffers
      default: .discontinuity
      }
    take(AVCaptureSynchronizedSampleBufferData(sampleBuffer, droppedReason: reason), from: output)
  }
}

extension SynchronizerCollector: AVCaptureDepthDataOutputDelegate {
  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {
    take(AVCaptureSynchronizedDepthData(depthData, timestamp: timestamp), from: output)
  }

  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection, reason: AVCaptureOutput.DataDroppedReason
  ) {
    take(
      AVCaptureSynchronizedDepthData(depthData, timestamp: timestamp, droppedReason: reason), from: output)
  }
}

extension SynchronizerCollector: AVCaptureMetadataOutputObjectsDelegate {
  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    // That nothing is in view any more has no time of its own.
    guard let time = metadataObjects.first?.time else { return }
    take(AVCaptureSynchronizedMetadataObjectData(metadataObjects, timestamp: time), from: output)
  }
}
