# FindKLU - the sparse LU solver KLU and the orderings it uses; gives the target KLU::KLU.
# KLU is LGPL, the orderings are BSD. The GPL parts of SuiteSparse (CHOLMOD supernodal, UMFPACK, SPQR) stay out.
include(FindPackageHandleStandardArgs)

set(KLU_LIBRARIES "")
set(KLU_NEEDED KLU_INCLUDE_DIR)
find_path(KLU_INCLUDE_DIR suitesparse/klu.h)
foreach(library klu amd colamd btf suitesparseconfig)
  find_library(KLU_${library}_LIBRARY ${library})
  list(APPEND KLU_NEEDED KLU_${library}_LIBRARY)
  list(APPEND KLU_LIBRARIES ${KLU_${library}_LIBRARY})
endforeach()
mark_as_advanced(${KLU_NEEDED})
find_package_handle_standard_args(KLU REQUIRED_VARS ${KLU_NEEDED})

if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU INTERFACE IMPORTED)
  set_target_properties(KLU::KLU PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES "${KLU_LIBRARIES}")
endif()
