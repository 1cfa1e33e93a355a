/// The face of ``ImageCore``: Apple's module name over our core, and nothing more.
@_exported public import ImageCore
