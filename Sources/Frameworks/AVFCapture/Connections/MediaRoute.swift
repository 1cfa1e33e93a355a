package import CaptureDevice

/// One way of a device's media: through a connection to a sink, as planned.
///
/// The session makes it, attaches the sink, and ends it when a commit or a stop takes the way away. Immutable but for its end.
package final class MediaRoute: DeliveryRoute {
  /// Where the media goes; weak, because sinks keep their routes.
  package weak let sink: (any MediaSink)?
  package let connection: AVCaptureConnection
  package let plan: ConnectionPlan
  /// What the device's samples are that come this way.
  package let media: MediaKind
  /// What is done once to every frame of the stream, for all sinks.
  package let stage: FrameStage
  /// Where to note which frames clients are shown; `nil` when nothing asks for it.
  package let shownFrames: (any ShownFrameLog)?
  /// Until when samples may reach the client.
  package let lifetime: RouteLifetime

  /// A route; `former` is the connection's route until now.
  package init(
    sink: any MediaSink, connection: AVCaptureConnection, plan: ConnectionPlan, stage: FrameStage,
    shownFrames: (any ShownFrameLog)? = nil, continuing former: MediaRoute? = nil
  ) {
    self.sink = sink
    self.connection = connection
    self.plan = plan
    media = connection.media
    self.stage = stage
    self.shownFrames = shownFrames
    let isContinued = former.map { $0.stage === stage && $0.plan.delivers(asIn: plan) } ?? false
    lifetime = isContinued ? former?.lifetime ?? RouteLifetime() : RouteLifetime()
  }

  package var isEnded: Bool { lifetime.isEnded }

  /// Whether samples of `other` are as good as those of this route, so that one does not end when the other begins.
  package func continues(_ other: MediaRoute) -> Bool { lifetime === other.lifetime }

  /// Whether `other` says the same: then it need not take this one's place.
  package func isEqual(to other: MediaRoute) -> Bool {
    sink === other.sink && connection === other.connection && plan == other.plan && stage === other.stage
      && shownFrames === other.shownFrames
  }
}

extension ConnectionPlan {
  /// Whether a client gets the same media under `other`; how often it comes does not count.
  fileprivate func delivers(asIn other: ConnectionPlan) -> Bool {
    var other = other
    other.stream.frameDuration = stream.frameDuration
    other.stream.bufferCount = stream.bufferCount
    other.history = history
    return other == self
  }
}
