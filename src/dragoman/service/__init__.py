"""Indexes over HTTP: an API, the web page and their limits, in one process (extra ``serve``)."""
