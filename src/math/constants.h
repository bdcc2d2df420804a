/* constants.h - numbers of mathematics. */
#ifndef SN_CONSTANTS_H
#define SN_CONSTANTS_H

#define SN_PI 3.14159265358979323846
#define SN_E 2.71828182845904523536

#endif
