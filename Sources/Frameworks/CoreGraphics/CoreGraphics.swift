/// The face of ``GraphicsCore``: Apple's module name over our core, and nothing more.
@_exported public import GraphicsCore
