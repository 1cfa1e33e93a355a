public import CoreMedia
public import GraphicsCore

extension AVAssetImageGenerator {
  /// Pictures that are made as they are asked for.
  ///
  /// Apple: `AVAssetImageGenerator.Images`.
  public struct Images: AsyncSequence, Sendable {
    let generator: AVAssetImageGenerator
    let times: [CMTime]

    /// A picture, or the error in its place.
    ///
    /// Apple: `AVAssetImageGenerator.Images.Element`.
    public enum Element: Sendable {
      /// A picture.
      case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
      /// Why there is none.
      case failure(requestedTime: CMTime, error: any Error)

      /// The picture.
      ///
      /// Throws why there is none.
      public var image: CGImage {
        get throws {
          switch self {
          case .success(_, let image, _): return image
          case .failure(_, let error): throw error
          }
        }
      }

      /// The picture's own time.
      ///
      /// Throws why there is none.
      public var actualTime: CMTime {
        get throws {
          switch self {
          case .success(_, _, let time): return time
          case .failure(_, let error): throw error
          }
        }
      }

      /// The time that was asked for.
      public var requestedTime: CMTime {
        switch self {
        case .success(let time, _, _), .failure(let time, _): time
        }
      }
    }

    /// Makes one picture after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let generator: AVAssetImageGenerator
      var times: ArraySlice<CMTime>

      /// The next picture; `nil` behind the last one and when the task is cancelled.
      public mutating func next() async -> Element? {
        guard !Task.isCancelled, let time = times.popFirst() else { return nil }
        do {
          let made = try await generator.image(at: time)
          return .success(requestedTime: time, image: made.image, actualTime: made.actualTime)
        } catch {
          return .failure(requestedTime: time, error: error)
        }
      }
    }

    /// Begins with the first time.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(generator: generator, times: times[...])
    }
  }
}
