internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The timed metadata of a recording, on its queue.
extension Recording {
  /// Takes metadata of an input; from any thread, in the order of its times.
  func offer(_ metadata: TimedMetadata, of input: NodeID) {
    guard let index = plan.timed.firstIndex(where: { $0.input == input }) else { return }
    // Clocks are compared as they are now.
    let start = devicesTime(metadata.start, metadata.clock)
    let end = metadata.end.flatMap { devicesTime($0, metadata.clock) }
    guard let start else { return }
    queue.carry { [self] in
      makeFile()
      guard !isFinished, let nothing = try? BoxedMetadata.data(of: [], in: plan.timed[index].format) else {
        return
      }
      timed[index].hold(metadata.data, from: start, to: end, then: nothing)
    }
  }

  private func devicesTime(_ time: CMTime, _ clock: CMClock) -> Int64? {
    let converted = CMSyncConvertTime(time, from: clock, to: plan.clock)
    return converted.isNumeric ? converted.convertScale(1_000_000_000, method: .default).value : nil
  }

  /// Writes the metadata of which it is decided where in the movie it begins.
  ///
  /// - Parameter moment: How far the leading media has come; `nil` when no more comes.
  func releaseMetadata(until moment: Int64?) {
    adoptOrders()
    for index in timed.indices {
      for (time, data) in timed[index].release(until: moment, on: timeline) {
        guard let file else { return }
        let sample = CMSampleBuffer(
          data: data.withUnsafeBytes { CMBlockBuffer(copying: $0) },
          formatDescription: plan.timed[index].format,
          sampleCount: 1, sampleSize: data.count,
          timing: CMSampleTimingInfo(
            duration: .invalid, presentationTimeStamp: CMTime(nanoseconds: time), decodeTimeStamp: .invalid))
        write { try file.append(metadata: sample, to: index) }
      }
    }
  }
}

extension AVCaptureMovieFileOutput: TimedMetadataReceiver {
  func receive(_ metadata: TimedMetadata, over connection: AVCaptureConnection) {
    guard let input = connection.inputPorts.first?.input else { return }
    for recording in state.withLock({ $0.recordings }) { recording.offer(metadata, of: input.id) }
  }
}

extension AVCaptureFileOutput {
  /// Has the inputs of metadata say again what holds now, for a recording that has just begun.
  func offerNewestMetadata(of connections: [AVCaptureConnection]) {
    for connection in connections {
      (self as? AVCaptureMovieFileOutput)?.noteOrientation(of: connection)
      (connection.inputPorts.first?.input as? AVCaptureMetadataInput)?.offerNewest(over: connection)
    }
  }
}

extension AVCaptureConnection {
  /// The track that a movie has for what comes through here; `nil` for media of devices.
  var timedTrack: RecordingPlan.Timed? {
    (inputPorts.first?.input as? AVCaptureMetadataInput).map {
      RecordingPlan.Timed(input: $0.id, format: $0.format)
    }
  }
}
