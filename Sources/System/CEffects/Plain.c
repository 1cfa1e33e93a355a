// The loops for every processor: the definition.
#include "Loops.h"

const effects_loops effects_plain_loops = ALL_LOOPS;
