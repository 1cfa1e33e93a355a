internal import Foundation
internal import FoundationExtras

/// The reason why part of a sample buffer cannot be had, as a status code.
struct SampleBufferFailure: Error {
  let status: OSStatus
}

extension CMSampleBuffer {
  /// A second sample buffer on the same data.
  func copy(timings: SampleTimings) -> CMSampleBuffer {
    let old = withState { $0 }
    let copy = CMSampleBuffer(
      data: old.data, image: image, format: format, sampleCount: sampleCount, timings: timings, sizes: sizes,
      packets: packets, readiness: old.readiness)
    let attachments = copied(old.sampleAttachments)
    copy.withState {
      $0.outputPresentationTimeStamp = old.outputPresentationTimeStamp
      $0.sampleAttachments = attachments
      if old.readiness == .notReady {
        $0.tracked = self
        $0.original = self
      }
    }
    copy.attachmentTable.copy(attachmentTable)
    return copy
  }

  /// A sample buffer on some samples, sharing the data.
  func part(_ range: Range<Int>) -> Result<CMSampleBuffer, SampleBufferFailure> {
    // A picture is one sample, so every range of it is the whole.
    if image != nil { return .success(copy(timings: timings)) }
    let old = withState { $0 }
    var data: CMBlockBuffer?
    if let whole = old.data {
      if case .none = sizes {
        return .failure(SampleBufferFailure(status: kCMSampleBufferError_BufferHasNoSampleSizes))
      }
      if let basic = format?.audio?.basic, basic.isNonInterleaved, basic.mChannelsPerFrame > 1 {
        return .failure(SampleBufferFailure(status: kCMSampleBufferError_CannotSubdivide))
      }
      let start = sizes.offset(of: range.lowerBound)
      let length = range.reduce(0) { $0 + sizes.size(at: $1) }
      let status = CMBlockBufferCreateWithBufferReference(
        allocator: kCFAllocatorDefault, referenceBuffer: whole, offsetToData: start, dataLength: length,
        flags: 0,
        blockBufferOut: &data)
      guard status == noErr else { return .failure(SampleBufferFailure(status: status)) }
    }
    let part = CMSampleBuffer(
      data: data, image: nil, format: format, sampleCount: range.count, timings: timings.part(range),
      sizes: sizes.part(range), packets: packets.map { $0.part(range) }, readiness: old.readiness)
    let attachments = copied(old.sampleAttachments.map { Array($0[range]) })
    part.withState { $0.sampleAttachments = attachments }
    part.attachmentTable.copy(attachmentTable)
    return .success(part)
  }

  private func copied(_ attachments: [NSMutableDictionary]?) -> [NSMutableDictionary]? {
    attachments?.map { ($0.mutableCopy() as? NSMutableDictionary) ?? NSMutableDictionary() }
  }
}

extension SampleTimings {
  fileprivate func part(_ range: Range<Int>) -> SampleTimings {
    if case .each(let timings) = self { return SampleTimings(Array(timings[range])) }
    return timing(at: range.lowerBound).map { .one($0) } ?? .none
  }
}

extension SampleSizes {
  fileprivate func part(_ range: Range<Int>) -> SampleSizes {
    if case .each(let sizes) = self { return SampleSizes(Array(sizes[range])) }
    return self
  }
}

extension PacketDescriptions {
  /// Some of the packets, counted from the start of their own data.
  fileprivate func part(_ range: Range<Int>) -> PacketDescriptions {
    let start = buffer[range.lowerBound].mStartOffset
    let packets = buffer[range].map { packet in
      var packet = packet
      packet.mStartOffset -= start
      return packet
    }
    return packets.withUnsafeBufferPointer { PacketDescriptions($0) }
  }
}
