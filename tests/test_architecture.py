"""The house rules, read off the source files: who imports whom, who caches, what is never there."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
ROOMS = ("mechanisms", "measures", "release", "data", "pages", "benchmarks", "tests")
SOURCES = sorted(
    [*HOUSE.glob("*.py"), *(file for room in ROOMS for file in (HOUSE / room).rglob("*.py"))]
)
PRODUCT = [file for file in SOURCES if file.relative_to(HOUSE).parts[0] not in ("tests",)]


def shown(file):
    return str(file.relative_to(HOUSE))


def each(files):
    return pytest.mark.parametrize("file", files, ids=shown)


def in_rooms(*rooms):
    return [file for file in SOURCES if file.relative_to(HOUSE).parts[0] in rooms]


PAGES = sorted((HOUSE / "pages").glob("*/page.py"))


def tree(file):
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def imports(nodes):
    """Dotted names that import statements among these nodes bring in."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def all_imports(file):
    return set(imports(ast.walk(tree(file))))


def imports_on_loading(file):
    """Imports that run when the file is imported: all but those inside functions."""

    def outside_functions(node):
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                yield child
                yield from outside_functions(child)

    return set(imports(outside_functions(tree(file))))


def of(names, *packages):
    """Those of the dotted names that lie in one of the packages."""
    return sorted(n for n in names if any(n == p or n.startswith(p + ".") for p in packages))


def attributes(file):
    """Dotted uses such as `st.cache_data` or `np.random.seed`."""
    return {ast.unparse(n) for n in ast.walk(tree(file)) if isinstance(n, ast.Attribute)}


def test_the_house_has_rooms_to_look_at():
    assert in_rooms("mechanisms")
    assert in_rooms("data")
    assert len(SOURCES) > 20


# ------------------------------------------------------------------------------ imports go one way

USER_INTERFACE = ("streamlit", "plotly", "pandas", "pages")


@each(in_rooms("mechanisms"))
def test_mechanisms_import_no_user_interface_and_no_other_room(file):
    assert not of(all_imports(file), *USER_INTERFACE, "data", "measures", "release", "benchmarks")


CHARTS = HOUSE / "charts.py"


@each([CHARTS, HOUSE / "wordveil.py"])
def test_the_front_door_and_its_charts_know_no_pages(file):
    assert not of(all_imports(file), "streamlit", "pages", "benchmarks", "tests")


@each([file for file in PRODUCT if file not in in_rooms("pages", "benchmarks")])
def test_only_the_pages_and_the_charts_of_the_door_draw(file):
    if file == CHARTS:  # and it loads plotly when it draws
        drawn = of(imports_on_loading(file), "plotly")
        assert drawn == ["plotly.graph_objects"], "only for type checking"
    else:
        assert not of(all_imports(file), "plotly")


@each([file for file in PRODUCT if file not in in_rooms("pages", "benchmarks")])
def test_no_floor_imports_the_front_door(file):
    if file.name != "wordveil.py":
        assert not of(all_imports(file), "wordveil")
        assert "charts" not in all_imports(file)


@each(in_rooms("data"))
def test_data_builds_what_mechanisms_define_and_knows_no_other_room(file):
    assert not of(all_imports(file), "streamlit", "plotly", "pages", "measures", "release")


@each(in_rooms("measures", "release"))
def test_measures_and_release_know_no_pages_and_measures_no_release(file):
    assert not of(all_imports(file), "streamlit", "plotly", "pages", "benchmarks")
    if file in in_rooms("measures"):
        assert not of(all_imports(file), "release")


@each(PRODUCT)
def test_the_product_does_not_import_its_tests(file):
    assert not of(all_imports(file), "tests", "pytest")


@each(PAGES)
def test_a_page_holds_no_numpy(file):
    assert not of(all_imports(file), "numpy", "scipy")


@each(sorted((HOUSE / "pages").glob("*/*charts.py")))
def test_charts_are_built_without_streamlit(file):
    assert not of(all_imports(file), "streamlit")


@each(PRODUCT)
def test_only_the_file_of_cached_functions_uses_streamlits_cache(file):
    if shown(file) == "pages/shared/cached.py":
        return
    assert not [name for name in attributes(file) if re.match(r"(st|streamlit)\.cache_", name)]
    assert not [name for name in all_imports(file) if name.startswith("streamlit.cache_")]


# -------------------------------------------------------------------------------- what loads when

# They take seconds or a gigabyte to import, or bring an OpenMP runtime of their own.
HEAVY = ("torch", "sentence_transformers", "sklearn", "faiss", "scipy.stats", "transformers")


@each(in_rooms("mechanisms", "measures", "pages", "data") + sorted(HOUSE.glob("*.py")))
def test_nothing_heavy_is_imported_before_it_is_used(file):
    if file.exists():
        assert not of(imports_on_loading(file), *HEAVY)


def test_importing_the_core_loads_nothing_heavy_and_no_user_interface():
    unwanted = [name for name in HEAVY if name != "scipy.stats"] + ["streamlit", "plotly", "pandas"]
    program = (
        "import sys, mechanisms, data.embeddings\n"
        f"print([name for name in {unwanted!r} if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=HOUSE, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


# ------------------------------------------------------------------------------ what is never there

RANDOM_STATE = re.compile(
    r"(np|numpy)\.random\.(?!Generator|default_rng|SeedSequence|BitGenerator)\w+"
)


@each(PRODUCT)
def test_the_global_generator_is_never_used(file):
    assert not [name for name in attributes(file) if RANDOM_STATE.fullmatch(name)]
    assert not of(all_imports(file), "random")


@each(PRODUCT)
def test_nothing_is_pickled_or_unpickled(file):
    assert not of(
        all_imports(file), "pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal"
    )
    for call in (n for n in ast.walk(tree(file)) if isinstance(n, ast.Call)):
        if any(keyword.arg == "allow_pickle" for keyword in call.keywords):
            assert "allow_pickle=False" in ast.unparse(call)


@each(PRODUCT)
def test_nothing_typed_becomes_code(file):
    calls = {ast.unparse(n.func) for n in ast.walk(tree(file)) if isinstance(n, ast.Call)}
    assert not calls & {"eval", "exec", "compile", "os.system"}


@each(SOURCES)
def test_names_say_what_a_file_is_about(file):
    for part in file.relative_to(HOUSE).with_suffix("").parts:
        assert part not in ("utils", "util", "helpers", "helper", "core", "common", "misc")


@each(in_rooms("pages") + [HOUSE / "app.py"])
def test_no_icon_comes_from_a_font_host(file):
    if file.exists():
        assert ":material/" not in file.read_text(encoding="utf-8")


# Addresses that a browser would fetch: in markup, style sheets and the theme. A link to follow by
# hand (`href`) is none.
FETCHED = re.compile(r"""(src\s*=\s*["']?|url\(\s*["']?|@import\s+["']?|fontFaces.*)https?:""")


@each(in_rooms("pages") + sorted((HOUSE / ".streamlit").glob("*.toml")))
def test_no_font_style_or_picture_is_fetched_from_any_host(file):
    assert not FETCHED.search(file.read_text(encoding="utf-8"))


@pytest.mark.skipif(
    not (HOUSE / ".streamlit" / "config.toml").exists(), reason="there is no app to configure yet"
)
def test_the_server_sends_no_statistics_and_its_theme_names_no_host():
    text = (HOUSE / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    config = tomllib.loads(text)
    assert config["browser"]["gatherUsageStats"] is False
    assert config["server"]["enableXsrfProtection"] is True
    settings = re.sub(r"#.*", "", text)
    assert "http:" not in settings
    assert "https:" not in settings


@each(in_rooms("pages"))
def test_html_without_escaping_is_never_asked_for(file):
    assert "unsafe_allow_html" not in file.read_text(encoding="utf-8")


def plain_caches_of_numbers(file):
    """Functions of numbers under `lru_cache` or `cache`, which mix up numpy's and Python's."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.FunctionDef):
            caches = [ast.unparse(d) for d in node.decorator_list]
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            kinds = " ".join(ast.unparse(a.annotation) for a in arguments if a.annotation)
            cached = any(re.match(r"(functools\.)?(lru_cache|cache)\b", c) for c in caches)
            if cached and re.search(r"\b(int|float)\b", kinds):
                yield node.name


@each(PRODUCT)
def test_what_is_kept_of_a_function_of_numbers_does_not_depend_on_who_asked_first(file):
    assert not list(plain_caches_of_numbers(file)), "use mechanisms.number_cache"


@each(PAGES)
def test_no_number_is_typed_into_a_box_that_swallows_signs(file):
    used = [name for name in attributes(file) if name.endswith(".number_input")]
    assert not used, "use pages.shared.number_box: in a browser's own box `1,5` arrives as 15"


# --------------------------------------------------------------------------- the pages of the book


def defines_a_mechanism(file):
    """Whether a module of mechanisms holds a class with a `name` of its own."""
    for node in tree(file).body:
        if isinstance(node, ast.ClassDef) and node.name != "Mechanism":
            for item in node.body:
                if isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == "name":
                    return True
    return False


@each([file for file in in_rooms("mechanisms") if defines_a_mechanism(file)])
def test_a_mechanism_is_a_page_with_its_law_guarantee_and_reference(file):
    page = ast.get_docstring(tree(file))
    for heading in ("Law", "Guarantee", "Cost", "Reference"):
        assert re.search(rf"^{heading} +\S", page, flags=re.MULTILINE), heading


def test_every_module_with_a_mechanism_is_registered():
    registered = (HOUSE / "mechanisms" / "__init__.py").read_text(encoding="utf-8")
    for file in in_rooms("mechanisms"):
        if defines_a_mechanism(file):
            assert f"from mechanisms.{file.stem} import" in registered, file.stem


@each([file for file in PRODUCT if file.stat().st_size])
def test_every_file_says_what_it_is(file):
    assert ast.get_docstring(tree(file))


def test_the_page_of_release_names_each_of_its_files():
    room = HOUSE / "release"
    page = ast.get_docstring(tree(room / "__init__.py"))
    files = {file.name for file in room.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert sorted(name for name in files if name not in page) == []


@each(in_rooms("pages"))
def test_no_box_has_none_as_a_choice_since_it_shows_nothing_then(file):
    for call in (n for n in ast.walk(tree(file)) if isinstance(n, ast.Call)):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "selectbox":
            options = ast.unparse(call.args[1])
            assert "None" not in re.findall(r"\w+", options), f"{options}: name the choice"
