package import CaptureDevice

/// The plan for a ``CaptureGraph``: the streams of the devices, and the treatment of the frames on each connection.
///
/// Two plans are compared to find what must restart; whatever is equal goes on undisturbed.
package struct CapturePlan: Sendable, Hashable {
  /// How each device that has something to deliver streams, by the device's unique identifier.
  package var streams: [String: StreamConfiguration] = [:]
  /// The plan of each enabled connection, by the connection's number.
  package var connections: [NodeID: ConnectionPlan] = [:]
  /// Why enabled connections bring nothing, by the connection's number: half a sentence, see
  /// ``OutputRequirements/refusal(of:through:)``.
  package var refused: [NodeID: String] = [:]
  /// The active format of each video device, by the device's unique identifier: its index in the facts' formats.
  package var formats: [String: Int] = [:]
  /// Whether each video device's colours are P3.
  package var usesP3: [String: Bool] = [:]
  /// The devices that are planned without because they are not plugged in, by unique identifier.
  package var missing: Set<String> = []

  /// A plan in which nothing happens.
  package init() {}
}

/// The plan of a connection: the stream of its device, and the treatment of the frames.
package struct ConnectionPlan: Sendable, Hashable {
  /// The device's unique identifier.
  package var deviceID: String
  /// How the device's frames come, and how large.
  package var stream: StreamConfiguration
  /// The size in which the output shall deliver before it is turned: the stream's, or smaller for preview-sized buffers.
  package var size: FrameSize
  /// Degrees clockwise by which the picture is turned: 0, 90, 180, or 270.
  package var rotation: Int
  /// Whether the turned picture is mirrored left to right.
  package var isMirrored: Bool
  /// Whether the frames carry the camera's intrinsics; never stabilized frames, which are cut out of an
  /// unknown place.
  package var deliversIntrinsics: Bool
  /// How a photo output may have its photos of the past; `nil` where it cannot, and for other outputs.
  package var history: HistoryPlan?

  /// Frames as the stream delivers them, or turned and scaled.
  package init(
    deviceID: String, stream: StreamConfiguration, size: FrameSize? = nil, rotation: Int = 0,
    isMirrored: Bool = false, deliversIntrinsics: Bool = false
  ) {
    self.deviceID = deviceID
    self.stream = stream
    self.size = size ?? stream.size
    self.rotation = rotation
    self.isMirrored = isMirrored
    self.deliversIntrinsics = deliversIntrinsics
  }

  /// ``size`` after turning: what a client gets when it asks for no other size.
  package var turnedSize: FrameSize {
    rotation % 180 == 0 ? size : FrameSize(width: size.height, height: size.width)
  }
}

/// A deviation of a plan from what was asked, with the reason.
package struct PlanAdjustment: Sendable, Hashable, CustomStringConvertible {
  /// One sentence: what is done instead, and why.
  package var description: String

  /// An adjustment with its reason.
  package init(_ description: String) {
    self.description = description
  }
}

/// The reason why there is no plan.
package enum PlanRefusal: Sendable, Hashable, CustomStringConvertible {
  /// No such device is plugged in.
  case deviceMissing(String)
  /// The device has no format for the preset.
  case presetUnsupported(device: String, preset: AVCaptureSessionPreset)
  /// The active format's index is none of the device's.
  case formatMissing(device: String)
  /// No output that is connected to the device can make anything of its active format, for this reason.
  case formatUnusable(device: String, reason: String)
  /// A connection names a node that is not in the graph.
  case looseConnection

  /// One sentence: what cannot be, and what to do.
  package var description: String {
    switch self {
    case .deviceMissing(let name):
      "The device \(name) is not connected; plug it in, or remove its input."
    case .presetUnsupported(let device, let preset):
      "\(device) has no format for the preset \(preset.rawValue); choose another preset, or ask canSetSessionPreset(_:) first."
    case .formatMissing(let device):
      "\(device) no longer has the format that was active; choose another one of its formats."
    case .formatUnusable(let device, let reason):
      "\(device) cannot be used in its active format: \(reason)."
    case .looseConnection:
      "A connection leads from or to something that is not in the session; add its input and output first."
    }
  }
}

/// The answer of ``GraphPlanner``: valid, adjusted with reasons, or invalid with a reason.
package enum PlanVerdict: Sendable, Hashable {
  /// Everything as asked.
  case valid(CapturePlan)
  /// A plan that differs from what was asked.
  case adjusted(CapturePlan, [PlanAdjustment])
  /// No plan.
  case invalid(PlanRefusal)

  /// The plan, unless there is none.
  package var plan: CapturePlan? {
    switch self {
    case .valid(let plan), .adjusted(let plan, _): plan
    case .invalid: nil
    }
  }
}
