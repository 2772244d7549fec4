"""An index -> tools of language-model assistants (Model Context Protocol, extra ``serve``)."""
