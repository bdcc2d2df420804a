# FindSUNDIALS - IDA, CVODE and ARKODE with serial vectors, sparse matrices and KLU; gives the target SUNDIALS::used.
# The package's own configuration asks for MPI, OpenMP and more, none of which these libraries need.
include(FindPackageHandleStandardArgs)

set(SUNDIALS_LIBRARIES "")
set(SUNDIALS_NEEDED SUNDIALS_INCLUDE_DIR SUNDIALS_KLU_INCLUDE_DIR)
find_path(SUNDIALS_INCLUDE_DIR ida/ida.h)
find_path(SUNDIALS_KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse) # its headers include it so
foreach(library ida cvode arkode sunlinsolklu sunmatrixsparse nvecserial)
  find_library(SUNDIALS_${library}_LIBRARY sundials_${library})
  list(APPEND SUNDIALS_NEEDED SUNDIALS_${library}_LIBRARY)
  list(APPEND SUNDIALS_LIBRARIES ${SUNDIALS_${library}_LIBRARY})
endforeach()
mark_as_advanced(${SUNDIALS_NEEDED})
find_package_handle_standard_args(SUNDIALS REQUIRED_VARS ${SUNDIALS_NEEDED})

if(SUNDIALS_FOUND AND NOT TARGET SUNDIALS::used)
  add_library(SUNDIALS::used INTERFACE IMPORTED)
  set_target_properties(SUNDIALS::used PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SUNDIALS_INCLUDE_DIR};${SUNDIALS_KLU_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${SUNDIALS_LIBRARIES}")
endif()
