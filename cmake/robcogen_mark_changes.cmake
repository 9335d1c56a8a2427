# Run after the generator. Build tools look at files they were not told of once, before the generator runs; so the
# files they were told of are marked whenever the text of any generated file changed, and only then.
#
#   DIRECTORY  what the generator wrote, in include/ and src/
#   DIGEST     file that changes with any of its texts
#   HEADERS    headers that code of others includes, marked too

file(GLOB_RECURSE files LIST_DIRECTORIES FALSE RELATIVE "${DIRECTORY}"
  "${DIRECTORY}/include/*" "${DIRECTORY}/src/*")
set(digest "")
foreach(file IN LISTS files)
  file(SHA256 "${DIRECTORY}/${file}" hash)
  string(APPEND digest "${hash} ${file}\n")
endforeach()
set(before "")
if(EXISTS "${DIGEST}")
  file(READ "${DIGEST}" before)
endif()
if(NOT digest STREQUAL before)
  file(WRITE "${DIGEST}" "${digest}")
  file(TOUCH_NOCREATE ${HEADERS})
endif()
