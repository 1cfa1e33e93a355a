public import AVFoundation

extension LiveStream {
  /// How a live stream is coded and sent.
  public struct Settings: Sendable {
    /// `.h264`, which every server takes, or `.hevc`, which RTMP does not carry.
    public var codec = AVVideoCodecType.h264
    /// Bits of video in a second; `nil` goes by size and rate.
    public var bitRate: Int?
    /// Seconds from one key frame to the next: as long as a viewer waits for the first picture at most.
    public var keyFrameInterval = 1.0
    /// Bits of audio in a second.
    public var audioBitRate = 128_000
    /// Whether pictures are turned as the camera is held; otherwise as ``LiveStream/videoOutput``'s connection says.
    public var isLevel = true
    /// What the server asks for beside the address: `name:password` of RTSP, the stream key of RTMP, the passphrase of SRT; never part of
    /// a log, an error or a description.
    public var secret: String?
    /// The file of certificates, in PEM, by which a server's is checked over TLS; `nil` for those of the machine.
    public var certificates: URL?
    /// Whether any certificate is taken over TLS, which tells no server from one that plays it.
    public var trustsAnyCertificate = false

    /// H.264 with a key frame each second.
    public init() {}
  }

  /// A container that needs no end, for pipes.
  public enum Container: String, Sendable, CaseIterable {
    /// MPEG-TS, which can be joined at any key frame.
    case ts
    /// Matroska.
    case mkv

    var name: String { self == .ts ? "mpegts" : "matroska" }
  }

  /// What a stream has sent so far.
  public struct Statistics: Sendable, Hashable {
    /// Video frames that were handed to the network.
    public var frames = 0
    /// Video frames that came while there was no connection, or that the network was too slow for; whole groups of pictures.
    public var droppedFrames = 0
    /// Video frames that this machine was too slow to code.
    public var lateFrames = 0
    /// Bytes of coded video and audio that were handed to the network.
    public var bytes: Int64 = 0
    /// Connections that were made, the present one among them.
    public var connections = 0
  }

  /// What happens to a stream.
  public enum Report: Sendable, Hashable {
    /// A connection stands, and begins with a key frame.
    case connected
    /// There is no connection, for the reason in half a sentence; the next try comes after so many seconds.
    case disconnected(reason: String, retryAfter: Double)
    /// The stream is over, because the reader of its pipe has hung up.
    case ended
    /// The stream is over: it cannot be coded; one sentence.
    case failed(String)
  }
}

/// An address or settings that no stream can have; one sentence without a secret.
public struct LiveStreamError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
