public import FoundationExtras

extension CMFormatDescription {
  /// The extensions of a format description: a collection of named entries.
  ///
  /// Apple: `CMFormatDescription.Extensions`.
  public struct Extensions {
    var base: [CFString: CFPropertyList]

    /// No extensions.
    public init() {
      base = [:]
    }

    /// The extensions of a dictionary.
    public init(base: [CFString: CFPropertyList]?) {
      self.base = base ?? [:]
    }

    /// The name of an entry.
    public struct Key: RawRepresentable, Sendable, Hashable {
      /// A `kCMFormatDescriptionExtension_…`.
      public var rawValue: CFString

      /// The entry with this name.
      public init(rawValue: CFString) {
        self.rawValue = rawValue
      }
    }

    /// The value of an entry: a property list.
    public struct Value {
      /// The property list.
      public var propertyListRepresentation: CFPropertyList

      /// Takes a property list as it is, but numbers as `NSNumber`.
      public init(_ plist: CFPropertyList) {
        propertyListRepresentation = BoxedNumbers.boxed(plist)
      }

      /// A number.
      public static func number<T>(_ value: T) -> Value where T: Numeric { Value(value) }

      /// A text.
      public static func string(_ value: String) -> Value { Value(value) }
    }

    /// The value of an entry; setting `nil` removes it.
    public subscript(key: Key) -> Value? {
      get { base[key.rawValue].map { Value($0) } }
      set { base[key.rawValue] = newValue?.propertyListRepresentation }
    }

    /// The property list of an entry; setting `nil` removes it.
    public subscript(key: CFString) -> CFPropertyList? {
      get { base[key] }
      set { base[key] = newValue }
    }
  }
}

extension CMFormatDescription.Extensions.Value: Hashable {
  /// Whether both are the same property list.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    propertyListsAreEqual(lhs.propertyListRepresentation, rhs.propertyListRepresentation)
  }

  /// Feeds nothing of a nested value, which has no order: only texts are distinguished.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(propertyListRepresentation as? String)
  }
}

extension CMFormatDescription.Extensions: Collection {
  /// The place of an entry.
  public struct Index: Comparable, Hashable {
    fileprivate let place: Dictionary<CFString, CFPropertyList>.Index

    /// Whether the left place comes first.
    public static func < (lhs: Index, rhs: Index) -> Bool { lhs.place < rhs.place }
  }

  /// The first place.
  public var startIndex: Index { Index(place: base.startIndex) }
  /// The place behind the last.
  public var endIndex: Index { Index(place: base.endIndex) }
  /// The entry at a place.
  public subscript(position: Index) -> (key: CFString, value: CFPropertyList) { base[position.place] }
  /// The place behind another.
  public func index(after i: Index) -> Index { Index(place: base.index(after: i.place)) }
}

extension CMFormatDescription.Extensions: Hashable {
  /// Whether both say the same.
  public static func == (lhs: Self, rhs: Self) -> Bool { propertyListsAreEqual(lhs.base, rhs.base) }

  /// Feeds the names.
  public func hash(into hasher: inout Hasher) { hasher.combine(Set(base.keys)) }
}

extension CMFormatDescription.Extensions.Key {
  /// `CFDictionary`: a compressor's settings.
  public static let originalCompressionSettings = Self(
    rawValue: kCMFormatDescriptionExtension_OriginalCompressionSettings)
  /// `CFDictionary` of atom type to `Data`: what a movie file says beside.
  public static let sampleDescriptionExtensionAtoms = Self(
    rawValue: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
  /// `Data`: the sample description of a movie file, byte for byte.
  public static let verbatimSampleDescription = Self(
    rawValue: kCMFormatDescriptionExtension_VerbatimSampleDescription)
  /// `Data`: the sample entry of an MP4 file, byte for byte.
  public static let verbatimISOSampleEntry = Self(
    rawValue: kCMFormatDescriptionExtension_VerbatimISOSampleEntry)
  /// `CFString`: a name for people.
  public static let formatName = Self(rawValue: kCMFormatDescriptionExtension_FormatName)
  /// Number: bits a pixel; 32 with alpha, 40 for 8-bit grey.
  public static let depth = Self(rawValue: kCMFormatDescriptionExtension_Depth)
  /// `CFDictionary`: the part of the picture that is meant to be seen.
  public static let cleanAperture = Self(rawValue: kCMFormatDescriptionExtension_CleanAperture)
  /// Number: 1 for progressive, 2 for interlaced.
  public static let fieldCount = Self(rawValue: kCMFormatDescriptionExtension_FieldCount)
  /// `CFString`: the order of the fields.
  public static let fieldDetail = Self(rawValue: kCMFormatDescriptionExtension_FieldDetail)
  /// `CFDictionary`: the shape of the pixels.
  public static let pixelAspectRatio = Self(rawValue: kCMFormatDescriptionExtension_PixelAspectRatio)
  /// `CFString`: which red, green and blue.
  public static let colorPrimaries = Self(rawValue: kCMFormatDescriptionExtension_ColorPrimaries)
  /// `CFString`: how light becomes numbers.
  public static let transferFunction = Self(rawValue: kCMFormatDescriptionExtension_TransferFunction)
  /// Number: the exponent, where the transfer function is `UseGamma`.
  public static let gammaLevel = Self(rawValue: kCMFormatDescriptionExtension_GammaLevel)
  /// `CFString`: how red, green and blue become luma and chroma.
  public static let yCbCrMatrix = Self(rawValue: kCMFormatDescriptionExtension_YCbCrMatrix)
  /// `CFBoolean`: whether luma uses 0 to 255 instead of 16 to 235.
  public static let fullRangeVideo = Self(rawValue: kCMFormatDescriptionExtension_FullRangeVideo)
  /// `Data`: a colour profile.
  public static let iccProfile = Self(rawValue: kCMFormatDescriptionExtension_ICCProfile)
  /// Number: the stride of uncompressed pictures in one plane.
  public static let bytesPerRow = Self(rawValue: kCMFormatDescriptionExtension_BytesPerRow)
  /// `CFString`: where chroma was sampled; the top field's, or the picture's.
  public static let chromaLocationTopField = Self(
    rawValue: kCMFormatDescriptionExtension_ChromaLocationTopField)
  /// `CFString`: where chroma of the bottom field was sampled.
  public static let chromaLocationBottomField = Self(
    rawValue: kCMFormatDescriptionExtension_ChromaLocationBottomField)
  /// Number, as QuickTime writes it.
  public static let temporalQuality = Self(rawValue: kCMFormatDescriptionExtension_TemporalQuality)
  /// Number, as QuickTime writes it.
  public static let spatialQuality = Self(rawValue: kCMFormatDescriptionExtension_SpatialQuality)
  /// Number: the version of the sample description.
  public static let version = Self(rawValue: kCMFormatDescriptionExtension_Version)
  /// Number: the revision of the sample description.
  public static let revisionLevel = Self(rawValue: kCMFormatDescriptionExtension_RevisionLevel)
  /// `CFString` of four characters: who wrote the compressor.
  public static let vendor = Self(rawValue: kCMFormatDescriptionExtension_Vendor)
  /// `Data` of 24 bytes: the display that the colours were chosen on.
  public static let masteringDisplayColorVolume = Self(
    rawValue: kCMFormatDescriptionExtension_MasteringDisplayColorVolume)
  /// `Data` of 4 bytes: the brightest pixel and the brightest average.
  public static let contentLightLevelInfo = Self(
    rawValue: kCMFormatDescriptionExtension_ContentLightLevelInfo)
  /// Number: the transfer function that HEVC prefers.
  public static let alternativeTransferCharacteristics = Self(
    rawValue: kCMFormatDescriptionExtension_AlternativeTransferCharacteristics)
  /// `CFString`: what an auxiliary picture is.
  public static let auxiliaryTypeInfo = Self(rawValue: kCMFormatDescriptionExtension_AuxiliaryTypeInfo)
  /// `CFString`: whether colours are multiplied with alpha.
  public static let alphaChannelMode = Self(rawValue: kCMFormatDescriptionExtension_AlphaChannelMode)
  /// `CFBoolean`: whether there is alpha.
  public static let containsAlphaChannel = Self(rawValue: kCMFormatDescriptionExtension_ContainsAlphaChannel)
  /// `CFDictionary`: the keys of boxed metadata by local number.
  public static let metadataKeyTable = Self(rawValue: kCMFormatDescriptionExtension_MetadataKeyTable)
}
