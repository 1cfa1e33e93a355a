public import FoundationExtras

// The keys of what `CGImageSourceCopyPropertiesAtIndex` returns and `CGImageDestinationAddImage` takes.

/// What TIFF knows of the picture: maker, resolution, time; a dictionary.
public let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
/// How the picture was taken; a dictionary.
public let kCGImagePropertyExifDictionary: CFString = "{Exif}"
/// Where the picture was taken; a dictionary.
public let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
/// What the header of a JPEG says; a dictionary.
public let kCGImagePropertyJFIFDictionary: CFString = "{JFIF}"
/// What the chunks of a PNG say; a dictionary.
public let kCGImagePropertyPNGDictionary: CFString = "{PNG}"
/// Bytes of the file; an integer, of a source's own properties.
public let kCGImagePropertyFileSize: CFString = "FileSize"
/// Pixels along x as they are stored; an integer.
public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
/// Pixels along y as they are stored; an integer.
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
/// Dots per inch along x; a number.
public let kCGImagePropertyDPIWidth: CFString = "DPIWidth"
/// Dots per inch along y; a number.
public let kCGImagePropertyDPIHeight: CFString = "DPIHeight"
/// Bits of each component; an integer.
public let kCGImagePropertyDepth: CFString = "Depth"
/// How the stored pixels have to be laid; an integer, see ``CGImagePropertyOrientation``.
public let kCGImagePropertyOrientation: CFString = "Orientation"
/// Whether there is alpha; a truth value.
public let kCGImagePropertyHasAlpha: CFString = "HasAlpha"
/// What the components stand for; text.
public let kCGImagePropertyColorModel: CFString = "ColorModel"
/// What the colour profile calls itself; text.
public let kCGImagePropertyProfileName: CFString = "ProfileName"
/// Red, green and blue.
public let kCGImagePropertyColorModelRGB: CFString = "RGB"
/// Lightness.
public let kCGImagePropertyColorModelGray: CFString = "Gray"
/// Four inks.
public let kCGImagePropertyColorModelCMYK: CFString = "CMYK"
/// Dots along x; an integer.
public let kCGImagePropertyJFIFXDensity: CFString = "XDensity"
/// Dots along y; an integer.
public let kCGImagePropertyJFIFYDensity: CFString = "YDensity"
/// The unit of the density: 0 none, 1 inch, 2 cm; an integer.
public let kCGImagePropertyJFIFDensityUnit: CFString = "DensityUnit"
/// Whether the picture comes in refining scans; a truth value.
public let kCGImagePropertyJFIFIsProgressive: CFString = "IsProgressive"
/// Pixels along x for each metre; an integer.
public let kCGImagePropertyPNGXPixelsPerMeter: CFString = "XPixelsPerMeter"
/// Pixels along y for each metre; an integer.
public let kCGImagePropertyPNGYPixelsPerMeter: CFString = "YPixelsPerMeter"
