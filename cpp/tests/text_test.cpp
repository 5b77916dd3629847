// scan_columns and scan_rows: valid lines, every fault with its position, and random bytes, which must not
// crash them.
#include "graph/text.hpp"

#include <random>
#include <string>

#include "check.hpp"

using namespace apsp;
using namespace apsp::graph;

namespace {

constexpr std::int64_t kAll = std::int64_t{1} << 60;

Scan scan(const std::string& text, const std::string& columns, const std::string& tag = "",
          char delimiter = '\0', bool more = false) {
  LineRules rules;
  rules.columns = columns;
  rules.tag = tag;
  rules.comments = "#c";
  rules.delimiter = delimiter;
  rules.more = more;
  rules.lowest = 1;
  rules.highest = 9;
  return scan_columns(text, 0, kAll, rules, Control());
}

void check_fault(const std::string& line, Fault fault, std::int64_t column,
                 const std::string& columns = "vvn") {
  const Scan found = scan("1 2 3\n" + line + "\n", columns);
  CHECK(found.fault == fault);
  CHECK(found.fault_at == 6 + column);
  CHECK(found.rows == 1 && found.end == 6 && found.lines == 1);
  for (const Column& part : found.columns) CHECK(part.integers.size() + part.numbers.size() == 1);
}

void good_lines() {
  const Scan found = scan("a 1 2 3\nc note\n\n a\t4 5 -6\r\na 7 8 9", "vvn", "a");
  CHECK(found.fault == Fault::none && found.rows == 3 && found.lines == 4 && found.end == 34);
  CHECK((found.columns[0].integers == std::vector<std::int64_t>{1, 4, 7}));
  CHECK((found.columns[2].integers == std::vector<std::int64_t>{3, -6, 9}));
  const Scan mixed = scan("1 2 3\n1 2 +0.5\n1 2 1e2\n1 2 7", "vvn");
  CHECK(mixed.columns[2].floats && (mixed.columns[2].numbers == std::vector<double>{3, 0.5, 100, 7}));
  const Scan commas = scan("1, 2 ,x,3\n", "vvsf", "", ',');
  CHECK(commas.rows == 1 && commas.columns[2].numbers[0] == 3);
  CHECK(scan("1 2 3 4 5\n", "vvn", "", '\0', true).rows == 1);
  CHECK(scan("1 2 9223372036854775807\n", "vvn").columns[2].integers[0] == INT64_MAX);
  CHECK(scan("1 2 -9223372036854775808\n", "vvn").columns[2].integers[0] == INT64_MIN);
  const Scan bare = scan("1 2 .5\n1 2 -5.\n1 2 1.e1\n1 2 2E-1\n", "vvn");
  CHECK((bare.columns[2].numbers == std::vector<double>{0.5, -5, 10, 0.2}));
  const Scan tiny = scan("1 2 1e-400\n1 2 -5e-324\n1 2 1e-310\n", "vvn");
  CHECK((tiny.columns[2].numbers == std::vector<double>{0, -5e-324, 1e-310}));
}

void faults() {
  check_fault("1 2", Fault::missing, 3);
  check_fault("1 2 3 4", Fault::extra, 6);
  check_fault("x 2 3", Fault::vertex, 0);
  check_fault("1 2.5 3", Fault::vertex, 2);
  check_fault("0 2 3", Fault::vertex_range, 0);
  check_fault("1 10 3", Fault::vertex_range, 2);
  check_fault("1 2 x", Fault::number, 4);
  check_fault("1 2 3x", Fault::number, 4);
  check_fault("1 2 +-3", Fault::number, 4);
  for (const char* const part : {"1 2 .", "1 2 -", "1 2 1e", "1 2 1e+", "1 2 -.e1", "1 2 1.2.3"})
    check_fault(part, Fault::number, 4);
  check_fault("1 2 nan", Fault::finite, 4);
  check_fault("1 2 Infinity", Fault::finite, 4);
  check_fault("1 2 -inf", Fault::finite, 4);
  check_fault("1 2 9223372036854775808", Fault::range, 4);
  check_fault("1 2 1e999", Fault::range, 4);
  check_fault("1 2 0.5", Fault::integer, 4, "vvi");
  CHECK(scan("b 1 2 3\n", "vvn", "a").fault == Fault::tag);
}

void rows() {
  const IntegerLines found = scan_rows("2 1\n\n% note\n 3 4 5 \r\n6", '%', Control());
  CHECK((found.lengths == std::vector<std::int64_t>{2, 0, 3, 1}));
  CHECK(found.integers.size() == 6 && found.lines == 4);
  const IntegerLines bad = scan_rows("1 2\n3 x\n", '%', Control());
  CHECK(bad.fault == Fault::integer && bad.fault_at == 6 && bad.integers.size() == 2);
}

void random_bytes() {
  std::mt19937 random(5);
  const std::string letters = "0123456789 \t\n\r,.-+eEacx#%inf\0\xff";
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 40, ' ');
    for (char& c : text) c = letters[random() % letters.size()];
    const Scan found =
        scan(text, round % 2 ? "vvn" : "isf", round % 3 ? "" : "a", round % 5 ? '\0' : ',', round % 7);
    CHECK(found.end >= 0 && found.end <= static_cast<std::int64_t>(text.size()));
    CHECK(found.fault_at >= 0 && found.fault_at <= static_cast<std::int64_t>(text.size()));
    scan_rows(text, '%', Control());
  }
}

}  // namespace

int main() {
  good_lines();
  faults();
  rows();
  random_bytes();
  return 0;
}
