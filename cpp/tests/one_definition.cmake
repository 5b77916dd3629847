# The objects that are compiled for the instruction set ISA define no function that other objects may define
# too, unless its name contains the namespace of that set: the linker would keep one of them for all.
# OBJECTS: separated by commas. NM: a tool that lists symbols, as of GNU binutils or LLVM.
if(NOT OBJECTS)
  message(FATAL_ERROR "there are no objects for ${ISA}")
endif()
string(REPLACE "," ";" OBJECTS "${OBJECTS}")
foreach(object ${OBJECTS})
  execute_process(COMMAND ${NM} -C ${object} OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[0-9a-f]+ [WVu] [^\n]*" merged "${listed}")
  foreach(symbol ${merged})
    if(NOT symbol MATCHES "apsp::[a-z_]+::${ISA}::")
      message(SEND_ERROR "${object} defines ${symbol}")
    endif()
  endforeach()
endforeach()
