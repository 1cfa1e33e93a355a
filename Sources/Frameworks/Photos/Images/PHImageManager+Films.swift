internal import AVFCore
internal import Foundation
internal import FoundationExtras

extension PHImageManager {
  /// Gets the video of an asset; its progress handler is called once, as the file is on this machine.
  ///
  /// - Parameter resultHandler: Called once, on a thread of the manager's; gets the video, and an audio mix where it needs one: `nil`,
  ///   for videos here are single files. Without a video the dictionary has `PHImageErrorKey` or `PHImageCancelledKey`.
  /// - Returns: A number for ``cancelImageRequest(_:)``.
  ///
  /// Apple: `PHImageManager.requestAVAsset(forVideo:options:resultHandler:)`.
  @discardableResult
  public func requestAVAsset(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: @escaping @Sendable (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestFilm(asset, options, { film throws(PHPhotosError) in film }) { resultHandler($0, nil, $1) }
  }

  /// Gets an item for a player, with the video of an asset; the handler is called as that of
  /// ``requestAVAsset(forVideo:options:resultHandler:)``.
  ///
  /// Apple: `PHImageManager.requestPlayerItem(forVideo:options:resultHandler:)`.
  @discardableResult
  public func requestPlayerItem(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: @escaping @Sendable (AVPlayerItem?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestFilm(
      asset, options, { film throws(PHPhotosError) in AVPlayerItem(asset: film) }, resultHandler)
  }

  /// Gets an export of the video of an asset, to be given its file and type and then begun; the handler is called as that of
  /// ``requestAVAsset(forVideo:options:resultHandler:)``.
  ///
  /// - Parameter exportPreset: A name of AVFoundation's, such as `AVAssetExportPresetPassthrough`.
  ///
  /// Apple: `PHImageManager.requestExportSession(forVideo:options:exportPreset:resultHandler:)`.
  @discardableResult
  public func requestExportSession(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?, exportPreset: String,
    resultHandler: @escaping @Sendable (AVAssetExportSession?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let make = { @Sendable (film: AVURLAsset) throws(PHPhotosError) -> AVAssetExportSession in
      guard let session = AVAssetExportSession(asset: film, presetName: exportPreset) else {
        throw PHPhotosError(
          .requestNotSupportedForAsset,
          because:
            "There is no export preset \(exportPreset); choose one of AVAssetExportSession.allExportPresets()."
        )
      }
      return session
    }
    return requestFilm(asset, options, make, resultHandler)
  }

  private func requestFilm<Result>(
    _ asset: PHAsset, _ options: PHVideoRequestOptions?,
    _ make: @escaping @Sendable (AVURLAsset) throws(PHPhotosError) -> Result,
    _ resultHandler: @escaping @Sendable (Result?, [AnyHashable: Any]) -> Void
  ) -> PHImageRequestID {
    let version = options?.version ?? .current
    let progress = options?.progressHandler
    let id = Self.requests.begin()
    Self.work.addOperation(
      InFlight.carried {
        do throws(PHPhotosError) {
          let files = try AssetFiles(asset)
          let film = try AVURLAsset(url: URL(fileURLWithPath: files.path(files.film(version))))
          var stops = ObjCBool(false)
          progress?(1, nil, &stops, Self.information(id, isDegraded: nil))
          if stops.boolValue { Self.requests.end(id) }
          let result = try make(film)
          guard Self.requests.end(id) else { return resultHandler(nil, Self.cancelled(id)) }
          resultHandler(result, Self.information(id, isDegraded: nil))
        } catch {
          let isActive = Self.requests.end(id)
          resultHandler(nil, isActive ? Self.failed(id, error) : Self.cancelled(id))
        }
      })
    return id
  }
}
