"""A map in one file: a page that computes exact distances from any vertex in a browser, without a server.

`contents` chooses what the page needs, `sections` writes its arrays as bytes, `document` joins them with the programs
of `page/`, `writing` checks the request; `sets` has what several sets of weights need. The sweeps are C++
(`cpp/explore`), compiled to WebAssembly: `scripts/wasm` writes `page/engine.wasm`.
"""
