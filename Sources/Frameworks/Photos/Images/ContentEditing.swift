internal import Foundation
internal import FoundationExtras
internal import ImageCore
internal import ImageIO

/// A number that names a request for what an editor needs, to cancel it.
///
/// Apple: `PHContentEditingInputRequestID`.
public typealias PHContentEditingInputRequestID = Int

/// Whether the request was cancelled: a Boolean in the handler's dictionary.
public let PHContentEditingInputCancelledKey = "PHContentEditingInputCancelledKey"
/// Why there is nothing to edit: an error in the handler's dictionary.
public let PHContentEditingInputErrorKey = "PHContentEditingInputErrorKey"

/// Gathers what editors need.
enum ContentEditing {
  static let requests = ImageRequests()

  /// What was changed; `nil` when nothing was.
  static func adjustment(of asset: PHAsset, _ store: LibraryStore) -> PHAdjustmentData? {
    let found = try? store.read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT format, version, data FROM adjustment WHERE asset = ?", [SQLValue(asset.key)]
      ) { row in
        PHAdjustmentData(
          formatIdentifier: row.text(0) ?? "", formatVersion: row.text(1) ?? "", data: row.data(2) ?? Data())
      }
    }
    return found?.first
  }

  static func input(
    _ asset: PHAsset, canHandle: ((PHAdjustmentData) -> Bool)?
  ) throws(PHPhotosError) -> PHContentEditingInput {
    var files = try AssetFiles(asset)
    if files.picture(.original)?.type == .photoProxy,
      let finisher = DeferredFinishing.finisher
    {
      _ = try ProxyJournal(files.store, finisher).finish(asset.key)
      files = try AssetFiles(asset)
    }
    let adjustment = adjustment(of: asset, files.store)
    let understands = adjustment.map { canHandle?($0) ?? false } ?? false
    if asset.mediaType == .image {
      let row = files.picture(understands ? .unadjusted : .current)
      let path = try files.path(row)
      let source = CGImageSourceCreateWithURL(URL(fileURLWithPath: path), nil)
      let properties = source.flatMap { CGImageSourceCopyPropertiesAtIndex($0, 0, nil) } ?? [:]
      let display = PictureSizing(CGSize(width: 2048, height: 2048), .aspectFit, nil).picture(ofFile: path)
      var live: PHLivePhoto?
      if let display, let pair = try? LivePhotoFiles(asset, understands ? .unadjusted : .current) {
        live = PHLivePhoto(display, pair.files, pair.resources)
      }
      return PHContentEditingInput(
        asset, row ?? ResourceRow(), path: path,
        orientation: LooseNumber.integer(properties[kCGImagePropertyOrientation]) ?? 1,
        display: display.map { UIImage(cgImage: $0) }, live: live,
        adjustment: understands ? adjustment : nil)
    }
    let row = files.film(understands ? .original : .current) ?? files.first([.audio])
    return PHContentEditingInput(
      asset, row ?? ResourceRow(), path: try files.path(row), orientation: 1, display: nil,
      adjustment: understands ? adjustment : nil)
  }
}

extension PHAsset {
  /// Gets what an editor needs.
  ///
  /// - Parameter completionHandler: Called on the main queue, with nothing and the reason in the dictionary when that fails.
  /// - Returns: A number for ``cancelContentEditingInputRequest(_:)``.
  @discardableResult
  public func requestContentEditingInput(
    with options: PHContentEditingInputRequestOptions?,
    completionHandler: @escaping (PHContentEditingInput?, [AnyHashable: Any]) -> Void
  ) -> PHContentEditingInputRequestID {
    let id = ContentEditing.requests.begin()
    let handler = QueueHandler<(PHContentEditingInput?, [AnyHashable: Any])> { completionHandler($0.0, $0.1) }
    let canHandle = QueueHandler<PHAdjustmentData?>.answering(options?.canHandleAdjustmentData)
    PHImageManager.work.addOperation(
      InFlight.carried {
        let result: Result<PHContentEditingInput, PHPhotosError>
        do throws(PHPhotosError) {
          result = .success(try ContentEditing.input(self, canHandle: canHandle.call))
        } catch {
          result = .failure(error)
        }
        DispatchQueue.main.async {
          guard ContentEditing.requests.end(id) else {
            handler.call((nil, [PHContentEditingInputCancelledKey: true]))
            return
          }
          switch result {
          case .success(let input): handler.call((input, [:]))
          case .failure(let error): handler.call((nil, [PHContentEditingInputErrorKey: error]))
          }
        }
      })
    return PHContentEditingInputRequestID(id)
  }

  /// Ends a request; its handler is called with `PHContentEditingInputCancelledKey`, unless it has been called.
  public func cancelContentEditingInputRequest(_ requestID: PHContentEditingInputRequestID) {
    ContentEditing.requests.end(PHImageRequestID(clamping: requestID))
  }
}

/// A client's question, asked from one operation.
struct AdjustmentQuestion: @unchecked Sendable {  // Safe because one operation asks it.
  let call: ((PHAdjustmentData) -> Bool)?
}

extension QueueHandler where Arguments == PHAdjustmentData? {
  static func answering(_ question: ((PHAdjustmentData) -> Bool)?) -> AdjustmentQuestion {
    AdjustmentQuestion(call: question)
  }
}
