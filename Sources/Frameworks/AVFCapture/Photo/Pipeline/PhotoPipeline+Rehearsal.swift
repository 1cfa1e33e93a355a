internal import AVFCore
package import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux
package import PhotoProcessing

extension PhotoPipeline {
  /// Takes a still of each size and makes of it what each request asks for; nothing is delivered.
  ///
  /// Holds one full-size frame at a time beside those of photos. `completion` is called once, with the first error, and with
  /// what makes a manual clock wait.
  package func rehearse(
    _ requests: [(size: FrameSize, processing: PhotoProcessingRequest)], with source: StillSource,
    completion: @escaping @Sendable ((any Error)?, (any AnyObject & Sendable)?) -> Void
  ) {
    guard let size = requests.first?.size else { return completion(nil, nil) }
    let (now, later) = (requests.filter { $0.size == size }, requests.filter { $0.size != size })
    source.captureStill(StillRequest(size: size)) { [self] result in
      developingQueue.carry { [self] in
        do {
          let frame = try result.get()
          for request in now {
            _ = try processor.process([frame], for: request.processing, by: source.processor)
          }
          if later.isEmpty { return completion(nil, frame.inFlight) }
        } catch {
          return completion(error, nil)
        }
        rehearse(later, with: source, completion: completion)
      }
    }
  }
}
