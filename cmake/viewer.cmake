# The viewer: web/ becomes one HTML file, which becomes part of the program (viewer_source). Without npm, or where what it
# needs cannot be fetched, the program is built without it and says so when it is asked for.
option(SINEW_VIEWER "Build the viewer (needs npm); OFF: sinew view, report and render are absent" ON)
find_program(NPM npm)

set(viewer_source ${PROJECT_BINARY_DIR}/viewer/page.c)
set(web ${PROJECT_SOURCE_DIR}/web)
set(viewer_files "")
set(viewer_npm "")
if(SINEW_VIEWER AND NPM)
  set(viewer_npm ${NPM})
  file(GLOB_RECURSE viewer_files CONFIGURE_DEPENDS ${web}/src/*)
  list(APPEND viewer_files ${web}/index.html ${web}/vite.config.ts ${web}/tsconfig.json ${web}/package.json
       ${web}/package-lock.json)
elseif(SINEW_VIEWER)
  message(STATUS "No npm: sinew is built without its viewer")
else()
  message(STATUS "SINEW_VIEWER is OFF: sinew is built without its viewer")
endif()
set(viewer_failed ${PROJECT_BINARY_DIR}/viewer/failed)
if(EXISTS ${viewer_failed})
  file(REMOVE ${viewer_failed} ${viewer_source}) # try again
endif()
add_custom_command(OUTPUT ${viewer_source}
  COMMAND ${CMAKE_COMMAND} -D NPM=${viewer_npm} -D WEB=${web} -D OUTPUT=${viewer_source} -D FAILED=${viewer_failed}
          -P ${CMAKE_CURRENT_LIST_DIR}/page.cmake
  DEPENDS ${viewer_files} ${CMAKE_CURRENT_LIST_DIR}/page.cmake COMMENT "Building the viewer" VERBATIM)
