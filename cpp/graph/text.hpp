// Lines of numbers -> columns. A line that does not fit the rules stops the scan: the caller gets the
// position and the reason, and everything before that line is already in the columns.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/control.hpp"

namespace apsp::graph {

enum class Fault { none, missing, extra, tag, vertex, usual, vertex_range, integer, number, finite, range };

const char* fault_name(Fault fault);

// How a line is read.
struct LineRules {
  // One letter per field: v vertex (lowest..highest), u vertex in the usual notation of integers (7, not 07
  // or +7), i integer, f float, n integer or float by its text, s skipped.
  std::string columns;
  std::string tag;       // if not empty, the line starts with this word and a blank
  std::string comments;  // a line whose first visible character is one of these is skipped
  std::string blanks = " \t\r\v\f";
  char delimiter = '\0';  // fields are separated by these; '\0': by blanks
  bool more = false;      // further fields may follow; they are not read
  std::int64_t lowest = INT64_MIN, highest = INT64_MAX;
};

// One field of all lines; an n column turns from integers to floats at the first fraction.
struct Column {
  bool floats = false;
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
};

struct Scan {
  std::vector<Column> columns;  // one for each letter but s
  std::int64_t rows = 0;
  std::int64_t end = 0;    // the scan stopped in front of this byte: a line's start, or the end of the text
  std::int64_t lines = 0;  // line ends passed
  std::int64_t comments = 0;  // lines that are comments
  Fault fault = Fault::none;
  std::int64_t fault_at = 0;  // the invalid byte, if fault is not none
};

// Reads the lines of text from byte `start` on; the last one may lack its line end. At most `limit` rows.
// Throws std::invalid_argument for invalid rules.
Scan scan_columns(std::string_view text, std::int64_t start, std::int64_t limit, const LineRules& rules,
                  const Control& control);

// Lines of any number of integers (METIS): the integers one after the other, and their number per line.
// Lines that start with a comment character are skipped, empty lines are not. The only faults are integer and
// range.
struct IntegerLines {
  std::vector<std::int64_t> integers;
  std::vector<std::int64_t> lengths;
  std::int64_t lines = 0;
  Fault fault = Fault::none;
  std::int64_t fault_at = 0;
};

IntegerLines scan_rows(std::string_view text, char comment, const Control& control);

}  // namespace apsp::graph
