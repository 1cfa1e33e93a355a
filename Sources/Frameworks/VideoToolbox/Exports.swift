// Clients of VideoToolbox use these types without importing them, as on Apple.
@_exported public import CoreMedia
@_exported public import CoreVideo
@_exported public import FoundationExtras
@_exported public import GraphicsCore
