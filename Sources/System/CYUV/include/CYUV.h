#ifndef CYUV_h
#define CYUV_h
#endif
