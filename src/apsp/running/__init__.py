"""Where rows are reduced: in this process, in workers, into a store, or by workers into a store."""
