public import CoreMedia
public import Foundation
public import GraphicsCore

extension AVPartialAsyncProperty where Root: AVAsset {
  /// `AVAsset.duration`.
  public static var duration: AVAsyncProperty<Root, CMTime> { AVAsyncProperty { $0.duration } }
  /// `AVAsset.tracks`.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { AVAsyncProperty { $0.tracks } }
  /// `AVAsset.metadata`.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { AVAsyncProperty { $0.metadata } }
  /// `AVAsset.commonMetadata`.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { $0.commonMetadata }
  }
  /// `AVAsset.availableMetadataFormats`.
  public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
    AVAsyncProperty { $0.availableMetadataFormats }
  }
  /// `AVAsset.creationDate`.
  public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
    AVAsyncProperty { $0.creationDate }
  }
  /// `AVAsset.preferredTransform`.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty { $0.preferredTransform }
  }
  /// `AVAsset.isPlayable`.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isPlayable } }
  /// `AVAsset.isReadable`.
  public static var isReadable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isReadable } }
  /// `AVAsset.isExportable`.
  public static var isExportable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isExportable } }
  /// `AVAsset.isComposable`.
  public static var isComposable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isComposable } }
  /// `AVAsset.hasProtectedContent`.
  public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.hasProtectedContent }
  }
  /// `AVAsset.providesPreciseDurationAndTiming`.
  public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.providesPreciseDurationAndTiming }
  }
  /// `AVAsset.preferredRate`.
  public static var preferredRate: AVAsyncProperty<Root, Float> { AVAsyncProperty { $0.preferredRate } }
  /// `AVAsset.preferredVolume`.
  public static var preferredVolume: AVAsyncProperty<Root, Float> { AVAsyncProperty { $0.preferredVolume } }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// `AVAssetTrack.formatDescriptions`, typed.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    AVAsyncProperty { $0.formatDescriptions.compactMap { $0 as? CMFormatDescription } }
  }
  /// `AVAssetTrack.segments`.
  public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> { AVAsyncProperty { $0.segments } }
  /// `AVAssetTrack.isDecodable`.
  public static var isDecodable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isDecodable } }
  /// `AVAssetTrack.isSelfContained`.
  public static var isSelfContained: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isSelfContained } }
  /// `AVAssetTrack.totalSampleDataLength`.
  public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
    AVAsyncProperty { $0.totalSampleDataLength }
  }
  /// `AVAssetTrack.extendedLanguageTag`.
  public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
    AVAsyncProperty { $0.extendedLanguageTag }
  }
  /// `AVAssetTrack.preferredVolume`.
  public static var preferredVolume: AVAsyncProperty<Root, Float> { AVAsyncProperty { $0.preferredVolume } }
  /// `AVAssetTrack.requiresFrameReordering`.
  public static var requiresFrameReordering: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.requiresFrameReordering }
  }
  /// `AVAssetTrack.timeRange`.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { AVAsyncProperty { $0.timeRange } }
  /// `AVAssetTrack.naturalTimeScale`.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    AVAsyncProperty { $0.naturalTimeScale }
  }
  /// `AVAssetTrack.naturalSize`.
  public static var naturalSize: AVAsyncProperty<Root, CGSize> { AVAsyncProperty { $0.naturalSize } }
  /// `AVAssetTrack.preferredTransform`.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty { $0.preferredTransform }
  }
  /// `AVAssetTrack.nominalFrameRate`.
  public static var nominalFrameRate: AVAsyncProperty<Root, Float> { AVAsyncProperty { $0.nominalFrameRate } }
  /// `AVAssetTrack.minFrameDuration`.
  public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { $0.minFrameDuration }
  }
  /// `AVAssetTrack.estimatedDataRate`.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.estimatedDataRate }
  }
  /// `AVAssetTrack.isEnabled`.
  public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isEnabled } }
  /// `AVAssetTrack.isPlayable`.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isPlayable } }
  /// `AVAssetTrack.languageCode`.
  public static var languageCode: AVAsyncProperty<Root, String?> { AVAsyncProperty { $0.languageCode } }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
  /// `AVMetadataItem.value`.
  public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
    AVAsyncProperty { $0.value }
  }
  /// `AVMetadataItem.stringValue`.
  public static var stringValue: AVAsyncProperty<Root, String?> { AVAsyncProperty { $0.stringValue } }
  /// `AVMetadataItem.numberValue`.
  public static var numberValue: AVAsyncProperty<Root, NSNumber?> { AVAsyncProperty { $0.numberValue } }
  /// `AVMetadataItem.dateValue`.
  public static var dateValue: AVAsyncProperty<Root, Date?> { AVAsyncProperty { $0.dateValue } }
  /// `AVMetadataItem.dataValue`.
  public static var dataValue: AVAsyncProperty<Root, Data?> { AVAsyncProperty { $0.dataValue } }
  /// `AVMetadataItem.extraAttributes`.
  public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: Any]?> {
    AVAsyncProperty { $0.extraAttributes }
  }
}
