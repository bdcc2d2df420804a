/* browser.h - the browsers of this machine. */
#ifndef SN_VIEW_BROWSER_H
#define SN_VIEW_BROWSER_H

#include <stdbool.h>
#include <sys/types.h>

/* Addresses have keys in them, and everybody can read the arguments of a program: a browser is given a page in `folder`
 * (a folder of the user alone) that leads there. */

/* Ask the desktop to show an address; false: there is no desktop. */
bool sn_browser_show(const char *folder, const char *address);

/* The program of a browser that can draw without a window, from SINEW_BROWSER or the search path; NULL: none. */
const char *sn_browser_find(void);
/* Start it there without a window, with a profile of its own in `folder`. Returns its process; -1: it does not start.
 */
pid_t sn_browser_start(const char *program, const char *folder, const char *address);
/* Remove the folder and what is in it. */
void sn_browser_forget(const char *folder);
/* The same after some seconds, by a process of its own: the caller may end. */
void sn_browser_forget_later(const char *folder, unsigned seconds);
bool sn_browser_runs(pid_t process);
/* End it with all its processes. */
void sn_browser_stop(pid_t process);

#endif
