// The loops, compiled once for each kind of processor.
#include "CEffects.h"
#include "Variants.h"

#pragma STDC FP_CONTRACT OFF
// Vectors are passed between functions that are inlined, where no calling convention plays a part.
#pragma clang diagnostic ignored "-Wpsabi"

#include "Lanes.h"
#include "Fields.h"
#include "Guided.h"
#include "Disc.h"
#include "Rows.h"
#include "Matte.h"
#include "Composing.h"
