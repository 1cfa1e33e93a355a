package import CaptureDevice
internal import Linux

/// The structure of a session as a plain value: inputs, outputs, connections, preset, and each device's settings.
///
/// The session makes one from its objects whenever something is committed; ``GraphPlanner`` turns it into a
/// ``CapturePlan``. Nodes are named by the numbers of ``NodeID``.
package struct CaptureGraph: Sendable, Hashable {
  /// An input that stands for one device.
  package struct Input: Sendable, Hashable {
    /// The input's number.
    package var id: NodeID
    /// Which device it stands for.
    package var deviceID: String
    /// Which of its ports are switched on.
    package var enabledMedia: Set<MediaKind>
    /// Whether it delivers audio and no pictures.
    package var isMicrophone: Bool
    /// No frame needs to be shorter than this; `nil` when nothing is said.
    package var shortestFrameDuration: FrameDuration?
    /// Whether Portrait is on, which goes by the depth of a camera that measures it.
    package var blursByDepth: Bool
    /// Whether its pictures are changed before outputs get them.
    package var changesPictures = false

    /// An input of the device.
    package init(
      id: NodeID, deviceID: String, enabledMedia: Set<MediaKind>, isMicrophone: Bool = false,
      shortestFrameDuration: FrameDuration? = nil, blursByDepth: Bool = false
    ) {
      self.blursByDepth = blursByDepth
      self.shortestFrameDuration = shortestFrameDuration
      self.id = id
      self.deviceID = deviceID
      self.enabledMedia = enabledMedia
      self.isMicrophone = isMicrophone
    }
  }

  /// An output with what it asks for.
  package struct Output: Sendable, Hashable {
    /// The output's number.
    package var id: NodeID
    /// The requirements of the output.
    package var requirements: OutputRequirements

    /// An output that asks for `requirements`.
    package init(id: NodeID, requirements: OutputRequirements) {
      self.id = id
      self.requirements = requirements
    }
  }

  /// A way from an input's port to an output.
  package struct Connection: Sendable, Hashable {
    /// The connection's number.
    package var id: NodeID
    /// The input that frames come from.
    package var input: NodeID
    /// The output that frames go to.
    package var output: NodeID
    /// The kind of media.
    package var media: MediaKind
    /// Switches and turns of the connection.
    package var settings: ConnectionSettings

    /// A way for `media` from `input` to `output`.
    package init(id: NodeID, input: NodeID, output: NodeID, media: MediaKind, settings: ConnectionSettings) {
      self.id = id
      self.input = input
      self.output = output
      self.media = media
      self.settings = settings
    }
  }

  /// The settings of a device that a client has made.
  package struct DeviceSettings: Sendable, Hashable {
    /// Index of the active format in the facts' formats.
    package var format: Int
    /// The shortest frame duration, or `nil` for the format's default.
    package var minimumFrameDuration: FrameDuration?
    /// The longest frame duration, or `nil` for the format's default.
    package var maximumFrameDuration: FrameDuration?
    /// Whether colours are P3.
    package var usesP3: Bool
    /// How depth shall be measured; `nil` for the format's own choice.
    package var depthFormat: DepthStreamFormat?
    /// The shortest time between two maps, or `nil` for the frames'.
    package var minimumDepthDuration: FrameDuration?
    /// Whether the client has set the rate of depth maps to 0.
    package var measuresNoDepth = false

    /// The settings of a device that no client has touched: its first format.
    package init(
      format: Int = 0, minimumFrameDuration: FrameDuration? = nil, maximumFrameDuration: FrameDuration? = nil,
      usesP3: Bool = false
    ) {
      self.format = format
      self.minimumFrameDuration = minimumFrameDuration
      self.maximumFrameDuration = maximumFrameDuration
      self.usesP3 = usesP3
    }

    /// The active format; `nil` when the device has none of that index.
    package func format(of facts: DeviceFacts?) -> StreamFormat? {
      guard let facts, facts.formats.indices.contains(format) else { return nil }
      return facts.formats[format]
    }

    /// The same settings for another format: its rates are kept when both formats have the same.
    package func moved(to format: Int, in formats: [StreamFormat]) -> DeviceSettings {
      guard format != self.format else { return self }
      let keepsRates =
        formats.indices.contains(self.format) && formats.indices.contains(format)
        && formats[self.format].size == formats[format].size
        && formats[self.format].frameDurations == formats[format].frameDurations
      var moved = DeviceSettings(
        format: format, minimumFrameDuration: keepsRates ? minimumFrameDuration : nil,
        maximumFrameDuration: keepsRates ? maximumFrameDuration : nil, usesP3: usesP3)
      if let depthFormat, formats.indices.contains(format) {
        moved.depthFormat = formats[format].depthFormat(like: depthFormat)
        if moved.depthFormat?.frameDurations == depthFormat.frameDurations {
          moved.minimumDepthDuration = minimumDepthDuration
        }
      }
      return moved
    }
  }

  /// The inputs in the order in which they were added.
  package var inputs: [Input] = []
  /// The outputs in the order in which they were added.
  package var outputs: [Output] = []
  /// The connections in the order in which they were made.
  package var connections: [Connection] = []
  /// The preset.
  package var preset: AVCaptureSessionPreset = .high
  /// The settings of each input's device.
  package var devices: [String: DeviceSettings] = [:]
  /// Whether the session chooses P3 where the format has it.
  package var choosesWideColor = true
  /// The outputs whose start is deferred, and has not been run yet.
  ///
  /// Formats, sizes and rates are planned for them, too, so that nothing restarts when they are started. What they alone need waits:
  /// microphones, buffers, the ways of their media. Photo and movie outputs get the camera's frames all the same, for a press may
  /// come before.
  package var heldBack: Set<NodeID> = []

  /// An empty graph.
  package init() {}

  /// Whether there are pictures without `input`: a microphone is not needed for them, nor is a camera beside another one that is
  /// plugged in.
  func hasPictures(without input: Input, _ facts: [String: DeviceFacts]) -> Bool {
    inputs.contains { other in
      !other.isMicrophone && (input.isMicrophone || other.id != input.id && facts[other.deviceID] != nil)
    }
  }
}

/// The number of an input, output, or connection; never used twice in a process.
package struct NodeID: Sendable, Hashable {
  private let number: Int

  private static let last = Locked(0)

  /// A number that no other node has.
  package init() {
    number = NodeID.last.withLock { last in
      last += 1
      return last
    }
  }
}

/// Switches and turns of a connection.
package struct ConnectionSettings: Sendable, Hashable {
  /// Whether frames flow.
  package var isEnabled = true
  /// Degrees clockwise by which the sensor's picture is turned: 0, 90, 180, or 270.
  package var rotation = 0
  /// Whether the turned picture is mirrored left to right.
  package var isMirrored = false
  /// Whether the session decides about mirroring.
  package var mirrorsAutomatically = false
  /// The preferred mode of video stabilization.
  package var stabilization = AVCaptureVideoStabilizationMode.off
  /// Whether frames carry what the lens projects where.
  package var deliversIntrinsics = false
  /// How many times photos are enlarged about their middle.
  package var enlargement = 1.0

  /// Frames flow as the sensor sees them.
  package init() {}
}
