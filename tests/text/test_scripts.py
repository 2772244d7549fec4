from dragoman.text.scripts import script_name, script_weights, without_scripts, writings_of


def test_letters_are_counted_by_script_and_dense_scripts_count_more():
    assert script_weights("abc да 42!") == {"Cyrl": 2}  # Latin letters next to them are quoted
    assert script_weights("a b c d e f g h i да") == {"Latn": 9, "Cyrl": 2}
    assert script_weights("町") == {"Hani": 3}
    assert script_weights("42!") == {}


def test_a_language_has_all_scripts_it_is_written_in():
    assert writings_of("ja") == ({"Hani", "Hira", "Kana"},)
    assert writings_of("sr") == ({"Cyrl"}, {"Latn"})
    assert writings_of("en") == ({"Latn"},)


def test_scripts_have_names():
    assert script_name("Cyrl") == "Cyrillic letters"
    assert script_name("Runr") == "Runr"


def test_words_in_some_scripts_can_be_left_out():
    assert without_scripts("brød og ψωμί, خبز 100% x-ψ", {"Grek", "Arab"}) == "brød og 100%"
    assert without_scripts("brød  og\nsmør", ()) == "brød og smør"
