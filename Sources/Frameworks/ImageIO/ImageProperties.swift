/// The known keys of dictionaries of image properties.
package enum ImageProperties {
  /// The keys that may stand in a picture's own dictionary, those of Apple's CGImageProperties.h that have no constant here
  /// included; what stands in the dictionaries inside is not listed.
  package static let keys: Set<String> = [
    "{TIFF}", "{GIF}", "{JFIF}", "{Exif}", "{PNG}", "{IPTC}", "{GPS}", "{Raw}", "{CIFF}", "{8BIM}", "{DNG}",
    "{ExifAux}", "{OpenEXR}", "{HEIF}", "{HEICS}", "{AVIS}", "{WebP}", "{TGA}", "{FileContents}",
    "{MakerApple}", "{MakerCanon}", "{MakerFuji}", "{MakerMinolta}", "{MakerNikon}", "{MakerOlympus}",
    "{MakerPentax}", "FileSize", "PixelWidth", "PixelHeight", "DPIWidth", "DPIHeight", "Depth", "Orientation",
    "IsFloat", "IsIndexed", "HasAlpha", "ColorModel", "ProfileName", "NamedColorSpace", "PrimaryImage",
    "ImageCount", "Images", "ThumbnailImages", "AuxiliaryData", "AuxiliaryDataType", "Width", "Height",
    "BytesPerRow", "PixelFormat", "Headroom", "ImageIndex",
  ]
}
