from dataclasses import fields, replace

from dragoman.cluster.settings import LAYOUT, ClusterSettings, VectorQuantization, layout


def test_the_layout_is_what_a_build_fixes():
    names = [one.name for one in fields(ClusterSettings)]
    assert names[: len(LAYOUT)] == [
        *("shards", "replication", "write_factor", "on_disk", "quantization"),
        *("graph_links", "graph_build_width", "graph_from_kilobytes"),
    ]
    assert {*LAYOUT} == {*names[: len(LAYOUT)]}
    settings = ClusterSettings()
    assert layout(replace(settings, read_seconds=3)) == layout(settings)
    other = replace(settings, quantization=VectorQuantization.SCALAR)
    assert layout(other) != layout(settings)
