#ifndef CVideo4Linux_h
#define CVideo4Linux_h
#endif
