// What the kernels of cpp/flows throw, as errors of Python that hold the vertices.
#pragma once
#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>

#include "flows/flows.hpp"

namespace apsp::bindings {

template <class Act>
void with_flow_errors(Act&& act) {
  try {
    act();
  } catch (const flows::TooManyPaths& error) {
    throw std::overflow_error(std::to_string(error.source));
  } catch (const flows::LostLength& error) {
    const std::string arc = std::to_string(error.tail) + " " + std::to_string(error.head);
    PyErr_SetString(PyExc_FloatingPointError, arc.c_str());
    throw nb::python_error();
  } catch (const flows::ZeroCycle& error) {
    PyErr_SetString(PyExc_ArithmeticError, std::to_string(error.vertex).c_str());
    throw nb::python_error();
  }
}

}  // namespace apsp::bindings
