package import CaptureDevice
internal import CoreVideo
internal import FoundationExtras

/// The cost of a plan, as shares of what can be had; pure functions, documented because Apple's are not.
///
/// *Hardware* is the reading of sensors: the pixels that the cameras' formats hold times the most frames a second that
/// they may have to deliver. The whole is ``hardwareBudget``; a binned format counts for a quarter, for it reads four
/// photosites at once. One camera alone always fits, because its driver has granted the format: its cost is cut off at 1.
/// A camera that streams to no output costs nothing; a virtual camera costs as much as one, for one of its cameras is read at
/// a time.
///
/// *System pressure* is the work of this machine's processors that follows from a plan, as a share of what they can do for
/// ever: pixels a second, weighted with what happens to them.
package enum SessionCost {
  /// Pixels that may be read in a second: 4032×3024 at 30 frames and 1920×1080 at 60 together, the camera systems of the
  /// years when several cameras at once came up.
  package static let hardwareBudget = 500_000_000.0

  /// Pixels that one processor core decodes from JPEG in a second: an estimate of a laptop's order, not a measurement.
  package static let pixelsOfCore = 125_000_000.0

  /// The share of ``hardwareBudget`` that the plan's cameras take.
  ///
  /// - Parameters:
  ///   - plan: What streams.
  ///   - shortest: The shortest frame duration that an input states as enough, by device.
  package static func hardware(_ plan: CapturePlan, shortest: [String: FrameDuration] = [:]) -> Float {
    var pixels = 0.0
    var cameras = 0
    for (device, stream) in plan.streams where !stream.isAudio {
      cameras += 1
      let highest = stream.format.highestRate
      let rate = shortest[device].map { min($0.rate, highest) } ?? highest
      let area = Double(stream.format.size.width * stream.format.size.height)
      pixels += area * max(rate, stream.frameDuration.rate) * (stream.format.isBinned ? 0.25 : 1)
    }
    let cost = Float(pixels / hardwareBudget)
    return cameras == 1 ? min(cost, 1) : cost
  }

  /// The share of the processors' time that the plan takes.
  ///
  /// Moving a frame costs a fiftieth of decoding it, turning, scaling or converting it a tenth; a decoded picture is made
  /// once for each output.
  ///
  /// - Parameters:
  ///   - plan: What streams, and what happens to it.
  ///   - requirements: What the outputs ask for, by connection.
  ///   - cores: How many processors there are.
  package static func systemPressure(
    _ plan: CapturePlan, requirements: [NodeID: OutputRequirements], cores: Int
  ) -> Float {
    var work = 0.0
    for (id, stream) in plan.streams where !stream.isAudio {
      work += 0.02 * pixels(stream)
      let isDecoded = plan.connections.values.contains {
        $0.deviceID == id && !$0.stream.isAudio && !$0.stream.format.encoding.isCoded
      }
      if stream.format.encoding.isCoded && isDecoded { work += pixels(stream) }
    }
    for (id, connection) in plan.connections where !connection.stream.isAudio {
      guard let output = requirements[id], output.deliversFrames else { continue }
      let encoding = connection.stream.format.encoding
      if encoding.needsDecoding {
        work += pixels(connection.stream)
      } else if let native = encoding.nativePixelFormat {
        let isConverted =
          connection.rotation != 0 || connection.isMirrored || connection.size != connection.stream.size
          || (output.pictureSize ?? connection.stream.size) != connection.stream.size
          || (output.pixelFormat ?? native) != native
        if isConverted { work += 0.1 * pixels(connection.stream) }
      }
    }
    return Float(work / (pixelsOfCore * Double(max(1, cores))))
  }

  private static func pixels(_ stream: StreamConfiguration) -> Double {
    Double(stream.size.width * stream.size.height) * stream.frameDuration.rate
  }
}

extension StreamConfiguration {
  /// Whether it is a microphone's: audio has no size.
  var isAudio: Bool { format.size.width == 0 }
}
