// manual.js - the search of a site that was opened as a file cannot fetch pages to quote from them.
if (location.protocol === 'file:') DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
