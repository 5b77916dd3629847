// A callable that is borrowed for one call. A std::function would copy it and allocate memory, and what it
// needs for both is compiled for every lambda.
#pragma once
#include <type_traits>

namespace apsp {

template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F>
    requires std::is_invocable_r_v<Result, const F&, Args...>
  FunctionRef(const F& function) noexcept  // NOLINT(google-explicit-constructor)
      : function_(&function),
        call_([](const void* f, Args... args) -> Result { return (*static_cast<const F*>(f))(args...); }) {}

  Result operator()(Args... args) const { return call_(function_, args...); }

 private:
  const void* function_;
  Result (*call_)(const void*, Args...);
};

}  // namespace apsp
