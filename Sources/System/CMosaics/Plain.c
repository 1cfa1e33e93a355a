// The loops for every processor: the definition.
#include "Loops.h"

const mosaics_loops mosaics_plain_loops = ALL_LOOPS;
