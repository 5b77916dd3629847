"""An oracle as a server: over HTTP in the forms of OSRM, and as tools of language models."""
