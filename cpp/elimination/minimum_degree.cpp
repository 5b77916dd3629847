#include "elimination/minimum_degree.hpp"

#include <bit>
#include <limits>

namespace apsp::elimination {
namespace {

// The rows of the part as sets of bits over the part and its halo.
class BitRows {
 public:
  BitRows(const Neighbours& graph, const std::vector<Vertex>& part, std::vector<Vertex>& number) {
    std::vector<Vertex> seen(part);
    for (std::size_t i = 0; i < part.size(); ++i) number[part[i]] = static_cast<Vertex>(i);
    for (const Vertex v : part) {
      for (const Vertex* u = graph.begin(v); u != graph.end(v); ++u) {
        if (number[*u] >= 0) continue;
        number[*u] = static_cast<Vertex>(seen.size());
        seen.push_back(*u);
      }
    }
    words_ = (seen.size() + 63) / 64;
    bits_.assign(words_ * part.size(), 0);
    for (std::size_t i = 0; i < part.size(); ++i)
      for (const Vertex* u = graph.begin(part[i]); u != graph.end(part[i]); ++u)
        row(i)[number[*u] / 64] |= std::uint64_t{1} << (number[*u] % 64);
    for (const Vertex v : seen) number[v] = -1;
  }

  std::uint64_t* row(std::size_t i) { return bits_.data() + i * words_; }
  int degree(std::size_t i) {
    int count = 0;
    for (std::size_t word = 0; word < words_; ++word) count += std::popcount(row(i)[word]);
    return count;
  }

  // Eliminates i: its neighbours in the part become adjacent to each other, and i is removed. Calls body(u)
  // for each of them.
  template <class Body>
  void eliminate(std::size_t i, std::size_t part, const Body& body) {
    const std::uint64_t* own = row(i);
    for (std::size_t word = 0; 64 * word < part; ++word) {
      for (std::uint64_t left = own[word]; left != 0; left &= left - 1) {
        const std::size_t u = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
        if (u >= part) break;
        std::uint64_t* other = row(u);
        for (std::size_t k = 0; k < words_; ++k) other[k] |= own[k];
        other[u / 64] &= ~(std::uint64_t{1} << (u % 64));
        other[i / 64] &= ~(std::uint64_t{1} << (i % 64));
        body(u);
      }
    }
  }

 private:
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

void minimum_degree(const Neighbours& graph, std::vector<Vertex>& part, std::vector<Vertex>& number) {
  BitRows rows(graph, part, number);
  constexpr int kGone = std::numeric_limits<int>::max();
  std::vector<int> degree(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) degree[i] = rows.degree(i);
  std::vector<Vertex> order;
  while (order.size() < part.size()) {
    std::size_t least = 0;
    for (std::size_t i = 1; i < part.size(); ++i)
      if (degree[i] < degree[least]) least = i;
    degree[least] = kGone;
    order.push_back(part[least]);
    rows.eliminate(least, part.size(), [&](std::size_t u) { degree[u] = rows.degree(u); });
  }
  part.swap(order);
}

}  // namespace apsp::elimination
