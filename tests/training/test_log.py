from dragoman.training.log import TrainingLog, read_log


def test_lines_come_back_and_a_cut_one_is_dropped(tmp_path):
    path = tmp_path / "log.jsonl"
    log = TrainingLog(path)
    assert log.begin(0) == []
    log.write({"epoch": 1, "loss": 0.5})
    log.write({"epoch": 2, "loss": 0.25})
    with path.open("a") as stream:
        stream.write('{"epoch": 3, "lo')
    assert [line["loss"] for line in read_log(path)] == [0.5, 0.25]


def test_lines_beyond_the_checkpoint_are_gone(tmp_path):
    log = TrainingLog(tmp_path / "log.jsonl")
    for epoch in (1, 2, 3):
        log.write({"epoch": epoch})
    assert log.begin(2) == [{"epoch": 1}, {"epoch": 2}]
    assert read_log(tmp_path / "log.jsonl") == [{"epoch": 1}, {"epoch": 2}]


def test_without_a_path_nothing_is_written():
    log = TrainingLog(None)
    log.write({"epoch": 1})
    assert log.begin(1) == []
