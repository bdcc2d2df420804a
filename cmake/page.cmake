# Builds the viewer in WEB with NPM and writes OUTPUT, a C file that holds it (src/view/page.h). Without NPM, or when that
# fails, the page is empty; then FAILED is touched after OUTPUT, so that the next build tries again.
cmake_path(GET OUTPUT PARENT_PATH folder)
set(page ${folder}/page/index.html)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WEB} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(status)
    message("${said}")
    message("The viewer could not be built (${ARGN}): sinew is built without it. Try again, or configure with -DSINEW_VIEWER=OFF.")
    set(NPM "" PARENT_SCOPE)
    set(failure TRUE PARENT_SCOPE)
  endif()
endfunction()

if(NPM AND (NOT EXISTS ${WEB}/node_modules/.package-lock.json OR
            ${WEB}/package-lock.json IS_NEWER_THAN ${WEB}/node_modules/.package-lock.json))
  run(${NPM} ci --no-audit --no-fund --loglevel=error)
endif()
if(NPM)
  file(REMOVE ${page})
  run(${NPM} run --silent build -- --outDir ${folder}/page --emptyOutDir --logLevel warn)
endif()

set(size 0)
set(bytes "0")
if(NPM)
  file(READ ${page} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REPEAT "[0-9a-f]" 64 line)
  string(REGEX REPLACE "(${line})" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
endif()
file(WRITE ${OUTPUT}
  "#include \"view/page.h\"\n\nconst size_t sn_page_size = ${size};\nconst unsigned char sn_page[] = {\n${bytes}\n};\n")
if(failure)
  file(TOUCH ${FAILED})
endif()
