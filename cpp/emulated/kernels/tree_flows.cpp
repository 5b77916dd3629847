#include "register.hpp"

#include "tree_flows.cu"

#define APSP_TREE_FLOWS(T)          \
  APSP_KERNEL(apsp::flow_climb<T>)  \
  APSP_KERNEL(apsp::flow_turn<T>)   \
  APSP_KERNEL(apsp::flow_down<T>)   \
  APSP_KERNEL(apsp::flow_back<T>)   \
  APSP_KERNEL(apsp::flow_return<T>) \
  APSP_KERNEL(apsp::flow_demand<T>)
APSP_TREE_FLOWS(int)
APSP_TREE_FLOWS(double)
APSP_KERNEL(apsp::flow_total)
