package import CameraFrames
package import CaptureDevice

/// A route of a device's media through a connection to a sink, as planned.
///
/// The session makes it, attaches the sink, and ends it when a commit or a stop takes the way away. Immutable but for its end.
package final class MediaRoute: DeliveryRoute {
  /// The sink of the media; weak, because sinks keep their routes.
  package weak let sink: (any MediaSink)?
  package let connection: AVCaptureConnection
  package let plan: ConnectionPlan
  /// The kind of the device's samples that come this way.
  package let media: MediaKind
  /// The way from the stream's frames to their pictures, for all sinks.
  package let processor: FrameProcessor
  /// The log of the frames that clients are shown; `nil` when nothing asks for it.
  package let shownFrames: (any ShownFrameLog)?
  /// Until when samples may reach the client.
  package let lifetime: RouteLifetime

  /// A route; `former` is the connection's route until now.
  package init(
    sink: any MediaSink, connection: AVCaptureConnection, plan: ConnectionPlan, processor: FrameProcessor,
    shownFrames: (any ShownFrameLog)? = nil, continuing former: MediaRoute? = nil
  ) {
    self.sink = sink
    self.connection = connection
    self.plan = plan
    media = connection.media ?? .video
    self.processor = processor
    self.shownFrames = shownFrames
    let isContinued =
      former.map { $0.plan.delivers(asIn: plan) && $0.processor.isOfStream(processor) } ?? false
    lifetime = isContinued ? former?.lifetime ?? RouteLifetime() : RouteLifetime()
  }

  package var isEnded: Bool { lifetime.isEnded }

  /// Whether frames come as the camera codes them.
  var isCoded: Bool { plan.stream.format.encoding.isCoded }

  package func noteDelivered(holding token: (any AnyObject & Sendable)?) {
    lifetime.noteDelivered(holding: token)
  }

  /// Whether samples of `other` are as good as those of this route, so that one does not end when the other begins.
  package func continues(_ other: MediaRoute) -> Bool { lifetime === other.lifetime }

  /// Whether `other` says the same: then it need not take this one's place.
  package func isEqual(to other: MediaRoute) -> Bool {
    sink === other.sink && connection === other.connection && plan == other.plan
      && processor === other.processor
      && shownFrames === other.shownFrames
  }
}

extension ConnectionPlan {
  /// Whether a client gets the same media under `other`; how often it comes, and how it is stabilized, does not count.
  fileprivate func delivers(asIn other: ConnectionPlan) -> Bool {
    var other = other
    other.stream.frameDuration = stream.frameDuration
    other.stream.stabilization = stream.stabilization
    other.stream.bufferCount = stream.bufferCount
    other.stream.laterBufferCount = stream.laterBufferCount
    other.history = history
    return other == self
  }
}
