from threading import Event, Thread

from dragoman.indexes.sync.watching import changes


def test_a_change_is_noticed_once_files_rest(tmp_path, monkeypatch):
    monkeypatch.setattr("dragoman.indexes.sync.watching.QUIET", 50)
    stop, written = Event(), Event()

    def write():
        while not written.wait(0.1):
            (tmp_path / "a.txt").write_text("text")

    writer = Thread(target=write)
    writer.start()
    assert next(changes([tmp_path], stop)) >= 1
    written.set()
    writer.join()
    stop.set()
