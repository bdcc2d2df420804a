# Kernels: the files where the time goes, compiled once per instruction set (src/base/isa.h). They hold no data that
# changes, and what is not a kernel may call their functions but not read their tables: a table is had from a function.
# Everything else is compiled for any machine of its kind.
file(GLOB kernel_sources CONFIGURE_DEPENDS
  src/body/*_element.c src/body/normalization.c src/joint/primitive.c src/joint/relation.c
  src/sparse/ldl_factor.c src/sparse/ldl_links.c src/sparse/ldl_complex.c src/sparse/matrix.c src/sparse/components*.c src/sparse/articulated.c
  src/contact/*.c
  src/system/evaluate.c src/system/iteration_matrix.c src/system/discrete_step.c src/system/advance.c src/system/impulses.c
  src/system/tree_motion.c src/system/tree_loops.c)
# Kinds: they export tables.
list(FILTER kernel_sources EXCLUDE REGEX "/(law|surface|solid)(_[a-z]*)?\\.c$")

# What each set adds to plain x86-64; src/base/isa.c asks the processor for the same.
set(kernel_sets sse2 avx2 avx512)
set(flags_sse2 "")
set(flags_avx2 -mavx2 -mfma -mbmi -mbmi2)
set(flags_avx512 ${flags_avx2} -mavx512f -mavx512vl -mavx512dq -mavx512bw)

list(REMOVE_ITEM library_sources ${kernel_sources})
foreach(set ${kernel_sets})
  add_library(kernels_${set} OBJECT ${kernel_sources})
  target_compile_options(kernels_${set} PRIVATE ${flags_${set}})
  target_link_libraries(kernels_${set} PRIVATE sinew_flags PkgConfig::LAPACKE)
  set_target_properties(kernels_${set} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  set(object ${PROJECT_BINARY_DIR}/kernels/${set}.o)
  set(names ${PROJECT_BINARY_DIR}/kernels/names_${set}.h)
  add_custom_command(
    OUTPUT ${object} ${names}
    COMMAND ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER} NM=${CMAKE_NM} OBJCOPY=${CMAKE_OBJCOPY} OBJDUMP=${CMAKE_OBJDUMP}
            sh ${PROJECT_SOURCE_DIR}/cmake/kernels.sh ${set} ${object} ${names} $<TARGET_OBJECTS:kernels_${set}>
    DEPENDS $<TARGET_OBJECTS:kernels_${set}> cmake/kernels.sh
    COMMENT "Joining the kernels for ${set}" COMMAND_EXPAND_LISTS VERBATIM)
  list(APPEND kernel_objects ${object})
  if(NOT set STREQUAL sse2) # tools that read them need each file once
    set_target_properties(kernels_${set} PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
  endif()
endforeach()
list(APPEND library_sources ${PROJECT_BINARY_DIR}/kernels/names_sse2.h) # the same for all sets; isa.c includes it
