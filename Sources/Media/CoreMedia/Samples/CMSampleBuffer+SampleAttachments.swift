internal import Foundation
public import FoundationExtras

extension CMSampleBuffer {
  /// The attachments of one sample; a dictionary that writes through.
  ///
  /// Apple: `PerSampleAttachmentsDictionary`.
  public struct PerSampleAttachmentsDictionary: Sequence {
    /// The key of a sample's attachment.
    ///
    /// Apple: `PerSampleAttachmentsDictionary.Key`.
    public struct Key: RawRepresentable, Sendable, Hashable {
      /// A `kCMSampleAttachmentKey_…`.
      public var rawValue: CFString

      /// The key with this name.
      public init(rawValue: CFString) {
        self.rawValue = rawValue
      }

      /// `CFBoolean`: decoding cannot begin here.
      public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
      /// `CFBoolean`: decoding can begin here with some damage.
      public static let partialSync = Key(rawValue: kCMSampleAttachmentKey_PartialSync)
      /// `CFBoolean`: the sample is coded more than once.
      public static let hasRedundantCoding = Key(rawValue: kCMSampleAttachmentKey_HasRedundantCoding)
      /// `CFBoolean`: other samples need this one.
      public static let isDependedOnByOthers = Key(rawValue: kCMSampleAttachmentKey_IsDependedOnByOthers)
      /// `CFBoolean`: this sample needs others; `false` for a key frame.
      public static let dependsOnOthers = Key(rawValue: kCMSampleAttachmentKey_DependsOnOthers)
      /// `CFBoolean`: later samples may be shown earlier.
      public static let earlierDisplayTimesAllowed = Key(
        rawValue: kCMSampleAttachmentKey_EarlierDisplayTimesAllowed)
      /// `CFBoolean`: show it when it comes, whatever its time.
      public static let displayImmediately = Key(rawValue: kCMSampleAttachmentKey_DisplayImmediately)
      /// `CFBoolean`: decode, but do not show.
      public static let doNotDisplay = Key(rawValue: kCMSampleAttachmentKey_DoNotDisplay)
      /// `CFDictionary`: the temporal layer.
      public static let hevcTemporalLevelInfo = Key(rawValue: kCMSampleAttachmentKey_HEVCTemporalLevelInfo)
      /// `CFBoolean`: a temporal layer can be entered here.
      public static let hevcTemporalSubLayerAccess = Key(
        rawValue: kCMSampleAttachmentKey_HEVCTemporalSubLayerAccess)
      /// `CFBoolean`: the next temporal layer can be entered here.
      public static let hevcStepwiseTemporalSubLayerAccess = Key(
        rawValue: kCMSampleAttachmentKey_HEVCStepwiseTemporalSubLayerAccess)
      /// Number: the unit type of a key frame.
      public static let hevcSyncSampleNALUnitType = Key(
        rawValue: kCMSampleAttachmentKey_HEVCSyncSampleNALUnitType)
      /// Number: samples to decode before audio is right.
      public static let audioIndependentSampleDecoderRefreshCount = Key(
        rawValue: kCMSampleAttachmentKey_AudioIndependentSampleDecoderRefreshCount)
    }

    let dictionary: NSMutableDictionary

    /// A name and what is said under it.
    public typealias Element = (key: Key, value: Any)

    /// Walks over what is said, in no order.
    public func makeIterator() -> IndexingIterator<[Element]> {
      dictionary.compactMap { entry in
        (entry.key as? String).map { (key: Key(rawValue: $0), value: entry.value) }
      }.makeIterator()
    }

    /// The attachment under a key; setting `nil` removes it.
    public subscript(key: Key) -> Any? {
      get { dictionary.object(forKey: key.rawValue) }
      nonmutating set {
        if let newValue {
          dictionary.setObject(BoxedNumbers.boxed(newValue), forKey: key.rawValue)
        } else {
          dictionary.removeObject(forKey: key.rawValue)
        }
      }
    }
  }

  /// The attachments of all samples in a buffer: a dictionary for each.
  ///
  /// Apple: `SampleAttachmentsArray`.
  public struct SampleAttachmentsArray: Collection {
    let dictionaries: [NSMutableDictionary]

    /// 0.
    public var startIndex: Int { 0 }
    /// How many samples there are.
    public var endIndex: Int { dictionaries.count }
    /// The sample behind another.
    public func index(after i: Int) -> Int { i + 1 }
    /// The attachments of one sample; writes through, as `buffer.sampleAttachments[0][.notSync] = true`.
    public subscript(sample: Int) -> PerSampleAttachmentsDictionary {
      PerSampleAttachmentsDictionary(dictionary: dictionaries[sample])
    }
  }

  /// The attachments of each sample; the first access allocates them.
  ///
  /// Not for use from several threads at once, unlike the rest.
  public var sampleAttachments: SampleAttachmentsArray {
    SampleAttachmentsArray(dictionaries: sampleDictionaries(makingRoom: true) ?? [])
  }

  func sampleDictionaries(makingRoom: Bool) -> [NSMutableDictionary]? {
    withState { state in
      if state.sampleAttachments == nil, makingRoom, sampleCount > 0 {
        state.sampleAttachments = (0..<sampleCount).map { _ in NSMutableDictionary() }
      }
      return state.sampleAttachments
    }
  }
}

/// Gives one `CFMutableDictionary` for each sample, by `kCMSampleAttachmentKey_…`; `nil` when nothing was said.
///
/// - Parameter createIfNecessary: Make empty ones when nothing was said.
public func CMSampleBufferGetSampleAttachmentsArray(_ sbuf: CMSampleBuffer, createIfNecessary: Bool)
  -> CFArray?
{
  sbuf.sampleDictionaries(makingRoom: createIfNecessary)
}
