public import FoundationExtras

// What a raw picture's numbers mean, as DNG files have it.

/// The dictionary of a DNG file's own properties.
public let kCGImagePropertyDNGDictionary: CFString = "{DNG}"
/// The numbers that are black: one, or four as the upper left four pixels lie.
public let kCGImagePropertyDNGBlackLevel: CFString = "BlackLevel"
/// The number that is as bright as can be.
public let kCGImagePropertyDNGWhiteLevel: CFString = "WhiteLevel"
/// Red, green and blue as the sensor sees the scene's white, the largest 1.
public let kCGImagePropertyDNGAsShotNeutral: CFString = "AsShotNeutral"
/// Nine numbers, row by row, from CIE XYZ to the sensor's colours, under the light of `kCGImagePropertyDNGCalibrationIlluminant1`.
public let kCGImagePropertyDNGColorMatrix1: CFString = "ColorMatrix1"
/// The light of the first matrix, as EXIF numbers it: 17 is a lamp of 2856 K, 21 is D65.
public let kCGImagePropertyDNGCalibrationIlluminant1: CFString = "CalibrationIlluminant1"
/// As the first matrix, under another light.
public let kCGImagePropertyDNGColorMatrix2: CFString = "ColorMatrix2"
/// The light of the second matrix.
public let kCGImagePropertyDNGCalibrationIlluminant2: CFString = "CalibrationIlluminant2"
/// For each colour, or once for all, two numbers: how much the variance grows with light, and what it is in the dark.
public let kCGImagePropertyDNGNoiseProfile: CFString = "NoiseProfile"
/// Stops by which the picture shall be brighter than its numbers say.
public let kCGImagePropertyDNGBaselineExposure: CFString = "BaselineExposure"
/// The camera's name, as no other model has it.
public let kCGImagePropertyDNGUniqueCameraModel: CFString = "UniqueCameraModel"
