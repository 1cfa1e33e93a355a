"""Computes every filter from its definition, and writes what Tests/ImageCoreTests/EveryFilterTests.swift compares with.

Usage: .build/filters/peers/bin/python Benchmarks/Filters/every.py FOLDER   (Benchmarks/Filters/setup makes the environment)
The folder gets cases.json, each case with its filter and inputs; inputs.png and inputs-alpha.png, the pictures that the filters are
given; and results.png and results-alpha.png, what comes of them: cells of 48 by 36 pixels, eight in a row, colours premultiplied.
"""
import base64
import json
import os
import sys

import numpy as np
from PIL import Image

import definitions
import shapes  # noqa: F401, which adds to definitions.ALL
from planes import HEIGHT, WIDTH, inputs, of_bytes, to_bytes

COLUMNS = 8
TURN = [1.2 * np.cos(0.3), 1.2 * np.sin(0.3), -1.2 * np.sin(0.3), 1.2 * np.cos(0.3), 9, -6]
RED, TEAL, SAND = {"color": [0.9, 0.15, 0.1, 1]}, {"color": [0.1, 0.5, 0.55, 1]}, {"color": [0.95, 0.85, 0.6, 1]}


def cube(side):
    steps = np.linspace(0, 1, side)
    blue, green, red = np.meshgrid(steps, steps, steps, indexing="ij")
    colors = np.stack([0.9 * red + 0.08 * blue, green ** 1.5, 0.15 + 0.8 * blue * (1 - 0.3 * red), np.ones(red.shape)], -1)
    return {"inputCubeDimension": side, "inputCubeData": {"data": base64.b64encode(colors.astype(np.float32).tobytes()).decode()}}


def case(name, image="picture", **values):
    """A filter whose `inputImage` is a picture of that name, and other inputs: numbers, lists, names of pictures, or a kind and a value."""
    return {"filter": "CI" + name, "inputs": ({"inputImage": image} if image else {}) | values}


def patterns(**values):
    return {"image": None, "inputColor0": SAND, "inputColor1": TEAL, **values}


MIXTURES = ["SourceOverCompositing", "SourceInCompositing", "SourceOutCompositing", "SourceAtopCompositing", "AdditionCompositing",
            "MultiplyCompositing", "MaximumCompositing", "MinimumCompositing"]
CASES = [
    case("ColorControls", inputSaturation=1.4, inputBrightness=0.05, inputContrast=1.2), case("ExposureAdjust", inputEV=-0.6),
    case("GammaAdjust", inputPower=0.6), case("HueAdjust", inputAngle=0.8), case("Vibrance", inputAmount=0.8),
    case("ColorMatrix", "sticker", inputRVector=[0.7, 0.2, 0, 0], inputGVector=[0, 0.8, 0.1, 0], inputBVector=[0.3, 0, 0.9, 0],
         inputAVector=[0, 0, 0, 0.8], inputBiasVector=[0.02, 0, 0.05, 0.05]),
    case("ColorClamp", inputMinComponents=[0.1, 0.05, 0.2, 0], inputMaxComponents=[0.6, 0.7, 0.5, 1]),
    case("WhitePointAdjust", inputColor=SAND), case("TemperatureAndTint", inputNeutral=[5000, 20], inputTargetNeutral=[7500, -10]),
    case("ToneCurve", inputPoint0=[0, 0.05], inputPoint1=[0.25, 0.2], inputPoint2=[0.5, 0.55], inputPoint3=[0.75, 0.85], inputPoint4=[1, 0.95]),
    case("ColorInvert", "sticker"), case("SepiaTone", inputIntensity=0.7), case("SepiaTone", "sticker", inputIntensity=1),
    case("ColorMonochrome", inputColor=TEAL, inputIntensity=0.8), case("FalseColor", inputColor0=TEAL, inputColor1=SAND),
    case("ColorPosterize", inputLevels=5), case("MaximumComponent"), case("MinimumComponent", "sticker"), case("MaskToAlpha", "sticker"),
    *[case("PhotoEffect" + look) for look in definitions.LOOKS], case("PhotoEffectProcess", "sticker"), case("Thermal"), case("XRay"),
    case("ColorCube", **cube(5)), case("ColorCubeWithColorSpace", inputColorSpace={"space": "sRGB"}, **cube(9)),
    case("HighlightShadowAdjust", inputRadius=0, inputShadowAmount=0.7, inputHighlightAmount=0.5),
    case("HighlightShadowAdjust", inputRadius=4, inputShadowAmount=0.5, inputHighlightAmount=0.4), case("ComicEffect"),
    case("Vignette", inputRadius=0.8, inputIntensity=0.9), case("VignetteEffect", inputCenter=[20, 20], inputRadius=14, inputIntensity=0.8, inputFalloff=0.6),
    case("GaussianBlur", inputRadius=2.5), case("GaussianBlur", "sticker", inputRadius=6), case("GaussianBlur", inputRadius=15),
    case("BoxBlur", inputRadius=3), case("Bloom", inputRadius=5, inputIntensity=0.7), case("UnsharpMask", inputRadius=2, inputIntensity=0.8),
    case("UnsharpMask", "sticker", inputRadius=5, inputIntensity=0.5), case("Edges", inputIntensity=3),
    case("Pixellate", inputCenter=[5, 7], inputScale=6),
    *[case(name, "sticker", inputBackgroundImage="background") for name in MIXTURES],
    *[case(name, "picture", inputBackgroundImage="sticker") for name in ["SourceOutCompositing", "SourceAtopCompositing"]],
    *[case(name + "BlendMode", "sticker", inputBackgroundImage="background") for name in shapes.BLENDS],
    *[case(name + "BlendMode", "picture", inputBackgroundImage="sticker") for name in ["Overlay", "SoftLight"]],
    case("BlendWithMask", inputBackgroundImage="background", inputMaskImage="mask"),
    case("BlendWithAlphaMask", inputBackgroundImage="background", inputMaskImage="sticker"),
    case("DissolveTransition", "sticker", inputTargetImage="background", inputTime=0.3),
    case("AffineTransform", inputTransform={"transform": TURN}), case("Crop", inputRectangle=[5, 4, 30, 20]),
    case("StraightenFilter", inputAngle=0.15), case("LanczosScaleTransform", inputScale=0.75, inputAspectRatio=4 / 3),
    case("LanczosScaleTransform", "sticker", inputScale=1.5, inputAspectRatio=1),
    case("BicubicScaleTransform", inputScale=1.5, inputAspectRatio=1, inputB=0.3, inputC=0.4),
    case("AffineClamp", inputTransform={"transform": [1, 0, 0, 1, 11, 8]}), case("AffineTile", inputTransform={"transform": TURN}),
    case("PerspectiveCorrection", inputTopLeft=[6, 33], inputTopRight=[44, 29], inputBottomRight=[40, 5], inputBottomLeft=[2, 3]),
    case("TwirlDistortion", inputCenter=[22, 17], inputRadius=15, inputAngle=2), case("BumpDistortion", inputCenter=[22, 17], inputRadius=15, inputScale=0.6),
    case("PinchDistortion", inputCenter=[22, 17], inputRadius=15, inputScale=0.4),
    case("Kaleidoscope", inputCount=5, inputCenter=[22, 17], inputAngle=0.3),
    case("GlassDistortion", inputTexture="mask", inputCenter=[20, 20], inputScale=80),
    case("StripesGenerator", **patterns(inputCenter=[3, 0], inputWidth=7, inputSharpness=0.4)),
    case("CheckerboardGenerator", **patterns(inputCenter=[3, 5], inputWidth=9, inputSharpness=0.7)),
    case("LinearGradient", **patterns(inputPoint0=[4, 3], inputPoint1=[40, 30])),
    case("RadialGradient", **patterns(inputCenter=[20, 15], inputRadius0=4, inputRadius1=18)),
    case("ConstantColorGenerator", None, inputColor=RED), case("RandomGenerator", None),
    case("AreaAverage", "sticker", inputExtent=[10, 5, 30, 20]), case("AreaHistogram", inputExtent=[4, 4, 40, 30], inputScale=1, inputCount=40),
]


def value(found, pictures):
    """An input as the definitions take it."""
    if isinstance(found, str):
        return pictures[found]
    return next(iter(found.values())) if isinstance(found, dict) else found


def write(folder, name, cells):
    """Cells of premultiplied bytes as a sheet of colours, and one of alpha."""
    rows = -(-len(cells) // COLUMNS)
    sheet = np.zeros((rows * HEIGHT, COLUMNS * WIDTH, 4), np.uint8)
    for index, cell in enumerate(cells):
        y, x = index // COLUMNS * HEIGHT, index % COLUMNS * WIDTH
        sheet[y:y + HEIGHT, x:x + WIDTH] = cell
    Image.fromarray(sheet[..., :3]).save(os.path.join(folder, name + ".png"), optimize=True)
    Image.fromarray(sheet[..., 3]).save(os.path.join(folder, name + "-alpha.png"), optimize=True)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    given = inputs()
    pictures = {name: of_bytes(found) for name, found in given.items()}
    results = []
    for found in CASES:
        values = {key: value(item, pictures) for key, item in found["inputs"].items()}
        results.append(to_bytes(definitions.ALL[found["filter"]](**values)))
    write(folder, "inputs", list(given.values()))
    write(folder, "results", results)
    with open(os.path.join(folder, "cases.json"), "w") as file:
        lines = ",\n".join(json.dumps(found) for found in CASES)
        file.write(f'{{"pictures": {json.dumps(list(given))},\n"cases": [\n{lines}\n]}}\n')


main(sys.argv[1])
