"""Programs -> an index behind a service, used as one in a folder is (httpx, extra ``serve``)."""
