#include "graph/text.hpp"

#include <locale.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#ifdef __APPLE__
#include <xlocale.h>
#endif

namespace apsp::graph {
namespace {

constexpr std::int64_t kCheckEvery = 1 << 16;  // lines or fields between two checks of the control

// The meaning of each byte under the rules, looked up once per byte.
class Alphabet {
 public:
  Alphabet(const std::string& blanks, char delimiter) {
    for (const char c : blanks) kind_[static_cast<unsigned char>(c)] = kBlank;
    if (delimiter != '\0') kind_[static_cast<unsigned char>(delimiter)] = kEnd;
    kind_[static_cast<unsigned char>('\n')] = kEnd;
  }
  bool blank(char c) const { return kind_[static_cast<unsigned char>(c)] == kBlank; }
  bool ends_field(char c) const { return kind_[static_cast<unsigned char>(c)] != 0; }

 private:
  static constexpr unsigned char kBlank = 1, kEnd = 2;
  std::array<unsigned char, 256> kind_{};
};

// Reads [-+]digits at `at`; leaves `at` after them, or at the invalid byte.
Fault read_integer(const char*& at, const char* end, std::int64_t& value) {
  const char* const start = at;
  const bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  const char* const digits = at;
  std::uint64_t magnitude = 0;
  while (at < end && static_cast<unsigned char>(*at - '0') < 10) magnitude = magnitude * 10 + (*at++ - '0');
  if (at == digits) return at = start, Fault::integer;
  if (at - digits > 18) {  // may exceed 63 bits: let the library decide
    const char* from = negative ? start : digits;
    if (std::from_chars(from, at, value).ec != std::errc()) return at = start, Fault::range;
    return Fault::none;
  }
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  return Fault::none;
}

// The slow conversion to a double, in the C locale: if from_chars has no floats, and for values beyond the
// normal range. Not by a stream: beside a package with a C++ library of its own, such as PyTorch, its locale
// ends the process.
Fault read_rare_float(const char* start, const char* stop, double& value) {
#if defined(_WIN32)
  static const _locale_t plain = _create_locale(LC_ALL, "C");
#else
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
#endif
  const std::string text(start, stop);
  char* end = nullptr;
#if defined(_WIN32)
  value = _strtod_l(text.c_str(), &end, plain);
#else
  value = strtod_l(text.c_str(), &end, plain);
#endif
  return end == text.c_str() + text.size() && std::isfinite(value) ? Fault::none : Fault::range;
}

#ifndef __cpp_lib_to_chars
const char* behind_digits(const char* at, const char* end) {
  while (at < end && static_cast<unsigned char>(*at - '0') < 10) ++at;
  return at;
}

// The end of the longest number that begins at `at`, as std::from_chars reads it; `at` if there is none.
const char* end_of_float(const char* const at, const char* end) {
  const char* const whole = at + (at < end && *at == '-');
  const char* stop = behind_digits(whole, end);
  std::ptrdiff_t digits = stop - whole;
  if (stop < end && *stop == '.') {
    const char* const part = stop + 1;
    const char* const behind = behind_digits(part, end);
    digits += behind - part;
    stop = behind;
  }
  if (digits == 0) return at;
  if (stop < end && (*stop == 'e' || *stop == 'E')) {
    const char* exponent = stop + 1;
    if (exponent < end && (*exponent == '-' || *exponent == '+')) ++exponent;
    const char* const behind = behind_digits(exponent, end);
    if (behind > exponent) stop = behind;
  }
  return stop;
}

// Whether an infinity or a NaN begins here.
bool is_no_finite_float(const char* at, const char* end) {
  if (at < end && *at == '-') ++at;
  std::string word(at, end - at < 3 ? end : at + 3);
  for (char& letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return word == "inf" || word == "nan";
}
#endif

Fault read_float(const char*& at, const char* end, double& value) {
  const char* start = at;
  if (start < end && *start == '+') ++start;
#ifdef __cpp_lib_to_chars
  const auto [stop, error] = std::from_chars(start, end, value);
  if (error == std::errc::invalid_argument) return Fault::number;
  if (error == std::errc::result_out_of_range && read_rare_float(start, stop, value) != Fault::none)
    return Fault::range;
#else
  if (is_no_finite_float(start, end)) return Fault::finite;
  const char* const stop = end_of_float(start, end);
  if (stop == start) return Fault::number;
  if (read_rare_float(start, stop, value) != Fault::none) return Fault::range;
#endif
  if (!std::isfinite(value)) return Fault::finite;
  if (*start == '+' || (start > at && *start == '-')) return Fault::number;  // two signs
  at = stop;
  return Fault::none;
}

void turn_to_floats(Column& column) {
  column.floats = true;
  column.numbers.assign(column.integers.begin(), column.integers.end());
  column.integers.clear();
}

// Reads lines into the columns. All positions are pointers into the text.
class ColumnScanner {
 public:
  ColumnScanner(std::string_view text, const LineRules& rules, Scan& scan)
      : rules_(rules),
        alphabet_(rules.blanks, rules.delimiter),
        end_(text.data() + text.size()),
        scan_(scan) {
    for (const char kind : rules.columns) {
      if (std::string_view("vuifns").find(kind) == std::string_view::npos)
        throw std::invalid_argument("a column is one of v u i f n s");
      if (kind == 's') continue;
      scan.columns.emplace_back();
      scan.columns.back().floats = kind == 'f';
    }
    if (rules.columns.empty()) throw std::invalid_argument("there must be a column");
  }

  // If the line at `at` is blank or a comment, moves to the byte after its end.
  bool skip_empty(const char*& at) {
    const char* probe = at;
    while (probe < end_ && alphabet_.blank(*probe)) ++probe;
    if (probe < end_ && *probe != '\n') {
      if (rules_.comments.find(*probe) == std::string::npos) return false;
      ++scan_.comments;
    }
    at = behind_line(probe);
    return true;
  }

  // Reads one line. On a fault, nothing of it is stored and `at` is the invalid byte.
  Fault read_line(const char*& at) {
    Fault fault = read_fields(at);
    if (fault == Fault::none) fault = read_tail(at);
    if (fault != Fault::none) drop_partial_row();
    return fault;
  }

 private:
  const char* behind_line(const char* at) const {
    if (at == end_) return at;
    const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end_ - at));
    return found == nullptr ? end_ : static_cast<const char*>(found) + 1;
  }
  void skip_blanks(const char*& at) const {
    while (at < end_ && alphabet_.blank(*at)) ++at;
  }
  bool at_line_end(const char* at) const { return at == end_ || *at == '\n'; }

  Fault read_fields(const char*& at) {
    skip_blanks(at);
    if (!rules_.tag.empty()) {
      const std::size_t size = rules_.tag.size();
      if (static_cast<std::size_t>(end_ - at) <= size || std::memcmp(at, rules_.tag.data(), size) != 0 ||
          !alphabet_.blank(at[size]))
        return Fault::tag;
      at += size;
    }
    std::size_t column = 0;
    for (std::size_t field = 0; field < rules_.columns.size(); ++field) {
      skip_blanks(at);
      if (field > 0 && rules_.delimiter != '\0') {
        if (at_line_end(at)) return Fault::missing;
        if (*at != rules_.delimiter) return Fault::extra;
        ++at;
        skip_blanks(at);
      }
      if (at_line_end(at)) return Fault::missing;
      const char kind = rules_.columns[field];
      const Fault fault = kind == 's' ? skip_field(at) : read_field(at, kind, scan_.columns[column++]);
      if (fault != Fault::none) return fault;
    }
    return Fault::none;
  }

  Fault read_tail(const char*& at) const {
    skip_blanks(at);
    if (!rules_.more && !at_line_end(at)) return Fault::extra;
    at = behind_line(at);
    return Fault::none;
  }

  Fault skip_field(const char*& at) const {
    while (at < end_ && (rules_.delimiter == '\0' ? !alphabet_.ends_field(*at)
                                                  : !(*at == rules_.delimiter || *at == '\n')))
      ++at;
    return Fault::none;
  }

  Fault read_field(const char*& at, char kind, Column& column) const {
    const char* const start = at;
    std::int64_t integer = 0;
    if (kind != 'f') {
      const Fault fault = read_integer(at, end_, integer);
      const bool complete = fault != Fault::integer && (at == end_ || alphabet_.ends_field(*at));
      if (fault == Fault::none && complete) return keep_integer(at, start, kind, integer, column);
      if (kind != 'n') {
        if (fault == Fault::range) return Fault::range;
        if (fault == Fault::none) at = start;
        return kind == 'v' || kind == 'u' ? Fault::vertex : Fault::integer;
      }
      if (fault == Fault::range && digits_only(start)) return at = start, Fault::range;
      at = start;
    }
    double number = 0;
    const Fault fault = read_float(at, end_, number);
    if (fault != Fault::none) return at = start, fault;
    if (at < end_ && !alphabet_.ends_field(*at)) return at = start, Fault::number;
    if (!column.floats) turn_to_floats(column);
    column.numbers.push_back(number);
    return Fault::none;
  }

  bool digits_only(const char* at) const {
    if (at < end_ && (*at == '-' || *at == '+')) ++at;
    while (at < end_ && static_cast<unsigned char>(*at - '0') < 10) ++at;
    return at == end_ || alphabet_.ends_field(*at);
  }

  Fault keep_integer(const char*& at, const char* start, char kind, std::int64_t value,
                     Column& column) const {
    const bool vertex = kind == 'v' || kind == 'u';
    if (vertex && (value < rules_.lowest || value > rules_.highest)) return at = start, Fault::vertex_range;
    const char* const digits = start + (*start == '-');
    if (kind == 'u' && (*start == '+' || (*digits == '0' && at - start > 1))) return at = start, Fault::usual;
    if (column.floats)
      column.numbers.push_back(static_cast<double>(value));
    else
      column.integers.push_back(value);
    return Fault::none;
  }

  void drop_partial_row() {
    for (Column& column : scan_.columns) {
      if (column.floats)
        column.numbers.resize(static_cast<std::size_t>(scan_.rows));
      else
        column.integers.resize(static_cast<std::size_t>(scan_.rows));
    }
  }

  const LineRules& rules_;
  const Alphabet alphabet_;
  const char* const end_;
  Scan& scan_;
};

}  // namespace

const char* fault_name(Fault fault) {
  static constexpr std::array<const char*, 11> names = {"none",   "missing", "extra",        "tag",
                                                        "vertex", "usual",   "vertex_range", "integer",
                                                        "number", "finite",  "range"};
  return names[static_cast<std::size_t>(fault)];
}

Scan scan_columns(std::string_view text, std::int64_t start, std::int64_t limit, const LineRules& rules,
                  const Control& control) {
  if (start < 0 || start > static_cast<std::int64_t>(text.size()))
    throw std::invalid_argument("start is not in the text");
  Scan scan;
  ColumnScanner scanner(text, rules, scan);
  const char* at = text.data() + start;
  const char* const end = text.data() + text.size();
  for (std::int64_t seen = 0; at < end; ++seen) {
    if (seen % kCheckEvery == 0) control.check();
    const char* const line = at;
    if (!scanner.skip_empty(at)) {
      if (scan.rows >= limit) break;
      scan.fault = scanner.read_line(at);
      if (scan.fault != Fault::none) {
        scan.fault_at = at - text.data();
        at = line;
        break;
      }
      ++scan.rows;
    }
    scan.lines += at[-1] == '\n';
  }
  scan.end = at - text.data();
  return scan;
}

IntegerLines scan_rows(std::string_view text, char comment, const Control& control) {
  IntegerLines rows;
  const Alphabet alphabet(" \t\r\v\f", '\0');
  const char* at = text.data();
  const char* const end = at + text.size();
  std::int64_t seen = 0;
  while (at < end) {
    const std::size_t before = rows.integers.size();
    bool skipped = false;
    for (bool first = true;; first = false) {
      if (seen++ % kCheckEvery == 0) control.check();
      while (at < end && alphabet.blank(*at)) ++at;
      if (at == end || *at == '\n') break;
      if (first && *at == comment) {
        const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
        at = found == nullptr ? end : static_cast<const char*>(found);
        skipped = true;
        break;
      }
      std::int64_t value = 0;
      const char* const field = at;
      rows.fault = read_integer(at, end, value);
      if (rows.fault == Fault::none && at < end && !alphabet.ends_field(*at)) rows.fault = Fault::integer;
      if (rows.fault != Fault::none) {
        rows.integers.resize(before);
        rows.fault_at = field - text.data();
        return rows;
      }
      rows.integers.push_back(value);
    }
    if (at < end) ++at, ++rows.lines;  // behind the line end
    if (!skipped) rows.lengths.push_back(static_cast<std::int64_t>(rows.integers.size() - before));
  }
  return rows;
}

}  // namespace apsp::graph
