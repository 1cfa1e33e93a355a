internal import Foundation

/// The options of a fetch: the objects to find, and their order.
///
/// Apple: `PHFetchOptions`.
open class PHFetchOptions: NSObject, NSCopying {
  /// The condition that an object must meet; `nil` takes all.
  ///
  /// Of assets the keys are `localIdentifier`, `creationDate`, `modificationDate`, `addedDate`, `mediaType`, `mediaSubtypes`,
  /// `duration`, `pixelWidth`, `pixelHeight`, `isFavorite`, `isHidden`, `burstIdentifier` and `SELF`; of collections
  /// `localIdentifier`, `localizedTitle` (or `title`), `startDate`, `endDate`, `estimatedAssetCount` and `SELF`. Predicates of blocks
  /// are programming mistakes, as on Apple.
  open var predicate: NSPredicate?
  /// The order; without one, assets come by creation date and the contents of albums as they lie there.
  open var sortDescriptors: [NSSortDescriptor]?
  /// Whether hidden assets are among them.
  open var includeHiddenAssets = false
  /// Whether all photos of a burst are among them, and not only those that stand for it.
  open var includeAllBurstAssets = false
  /// The sources that assets may come from; all when empty.
  open var includeAssetSourceTypes: PHAssetSourceType = []
  /// How many objects at most; 0 is no bound.
  open var fetchLimit = 0
  /// Whether changes of the result are worked out one by one; otherwise change details have only the new result.
  open var wantsIncrementalChangeDetails = true

  /// Options that take everything that is not hidden.
  public override init() {}

  /// Options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHFetchOptions()
    copy.predicate = predicate
    copy.sortDescriptors = sortDescriptors
    copy.includeHiddenAssets = includeHiddenAssets
    copy.includeAllBurstAssets = includeAllBurstAssets
    copy.includeAssetSourceTypes = includeAssetSourceTypes
    copy.fetchLimit = fetchLimit
    copy.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
    return copy
  }
}
