"""The house rules, read off the source files: who imports whom, who caches, what is never there."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

HOUSE = Path(__file__).parent.parent
ROOMS = ("mechanisms", "measures", "release", "data", "pages", "benchmarks", "tests")
SOURCES = sorted(
    [*HOUSE.glob("*.py"), *(file for room in ROOMS for file in (HOUSE / room).rglob("*.py"))]
)
PRODUCT = [file for file in SOURCES if file.relative_to(HOUSE).parts[0] not in ("tests",)]


def shown(file):
    return str(file.relative_to(HOUSE))


def offenders(files, rule):
    """What breaks a rule, by file: `rule(file)` gives what it finds there."""
    found = {shown(file): list(rule(file)) for file in files if file.exists()}
    return {file: what for file, what in found.items() if what}


def in_rooms(*rooms):
    return [file for file in SOURCES if file.relative_to(HOUSE).parts[0] in rooms]


PAGES = sorted((HOUSE / "pages").glob("*/page.py"))


@cache
def tree(file):
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def imports(nodes):
    """Dotted names that import statements among these nodes bring in."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def for_types_alone(node):
    """Whether a statement is run by the type checker alone."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def running(node, *left_out):
    """The statements under a node that a program runs, but those in nodes of some kinds."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, left_out) and not for_types_alone(child):
            yield child
            yield from running(child, *left_out)


@cache
def all_imports(file):
    return set(imports(ast.walk(tree(file))))


@cache
def imports_on_loading(file):
    """Imports that run when the file is imported: none of those inside functions."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return set(imports(running(tree(file), *functions)))


@cache
def imports_that_run(file):
    """Imports that run at some time: all but those for the type checker."""
    return set(imports(running(tree(file))))


def of(names, *packages):
    """Those of the dotted names that lie in one of the packages."""
    return sorted(n for n in names if any(n == p or n.startswith(p + ".") for p in packages))


@cache
def attributes(file):
    """Dotted uses such as `st.cache_data` or `np.random.seed`."""
    return {ast.unparse(n) for n in ast.walk(tree(file)) if isinstance(n, ast.Attribute)}


def test_the_house_has_rooms_to_look_at():
    assert in_rooms("mechanisms")
    assert in_rooms("data")
    assert len(SOURCES) > 20


# ------------------------------------------------------------------------------ imports go one way

USER_INTERFACE = ("streamlit", "plotly", "pandas", "pages")


def importing(*packages):
    """The rule that a file imports none of the packages."""
    return lambda file: of(all_imports(file), *packages)


def test_mechanisms_import_no_user_interface_and_no_other_room():
    others = importing(*USER_INTERFACE, "data", "measures", "release", "benchmarks")
    assert not offenders(in_rooms("mechanisms"), others)


CHARTS = HOUSE / "charts.py"


def test_the_front_door_and_its_charts_know_no_pages():
    above = importing("streamlit", "pages", "benchmarks", "tests")
    assert not offenders([CHARTS, HOUSE / "wordveil.py"], above)


BELOW_THE_PAGES = [file for file in PRODUCT if file not in in_rooms("pages", "benchmarks")]


def test_only_the_pages_and_the_charts_of_the_door_draw():
    others = [file for file in BELOW_THE_PAGES if file != CHARTS]
    assert not offenders(others, importing("plotly"))
    assert not of(imports_on_loading(CHARTS), "plotly")  # they load it when they draw


def test_no_floor_imports_the_front_door():
    others = [file for file in BELOW_THE_PAGES if file.name != "wordveil.py"]
    assert not offenders(others, importing("wordveil", "charts"))


def test_data_builds_what_mechanisms_define_and_knows_no_other_room():
    others = importing("streamlit", "plotly", "pages", "measures", "release")
    assert not offenders(in_rooms("data"), others)


def test_measures_and_release_know_no_pages_and_measures_no_release():
    above = importing("streamlit", "plotly", "pages", "benchmarks")
    assert not offenders(in_rooms("measures", "release"), above)
    assert not offenders(in_rooms("measures"), importing("release"))


# The storeys of `measures`: a file imports from storeys below its own, and from its own room.
STOREYS = {
    **dict.fromkeys(("intervals", "store", "machine", "puc", "question"), 0),
    **dict.fromkeys(("words", "audits", "own_texts"), 1),
    "sweeps": 2,
    **dict.fromkeys(("attacks", "papers", "lessons", "flat_map"), 3),
}


def test_measures_stand_on_four_storeys_and_import_only_downwards():
    def upwards(file):
        own = file.relative_to(HOUSE / "measures").with_suffix("").parts[0]
        for name in all_imports(file):
            if name.startswith("measures."):
                other = name.split(".")[1]
                if other != own and STOREYS[other] >= STOREYS[own]:
                    yield name

    files = [file for file in in_rooms("measures") if file.name != "__init__.py"]
    assert not offenders(files, upwards)


MODULES = {
    ".".join(file.relative_to(HOUSE).with_suffix("").parts).removesuffix(".__init__"): file
    for file in PRODUCT
}


def module_of(name):
    """The module of the product that a dotted name lies in, or nothing."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def circle(imported, modules=MODULES):
    """Modules that import each other in a circle, or nothing."""
    needs = {
        name: {module_of(other) for other in imported(file)} - {name, ""}
        for name, file in modules.items()
    }
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_module_is_loaded_in_a_circle():
    assert not circle(imports_on_loading)


def test_no_module_imports_in_a_circle_not_even_late():
    """But a mechanism, whose methods load what answers for it, and which asks it back."""
    above = {name: file for name, file in MODULES.items() if not name.startswith("mechanisms")}
    assert len(above) > 200
    assert not circle(imports_that_run, above)


def test_a_circle_is_seen():
    ring = {"release.plan": ["release.run.run"], "release.run": ["release.plan"]}
    found = circle(lambda file: ring.get(f"release.{file.stem}", ()), {r: MODULES[r] for r in ring})
    assert set(found) == set(ring)


def test_the_product_does_not_import_its_tests():
    assert not offenders(PRODUCT, importing("tests", "pytest"))


def test_a_page_holds_no_numpy():
    assert not offenders(PAGES, importing("numpy", "scipy"))


def test_charts_are_built_without_streamlit():
    charts = sorted((HOUSE / "pages").glob("*/*charts.py"))
    assert len(charts) > 10
    assert not offenders(charts, importing("streamlit"))


def test_only_the_file_of_cached_functions_uses_streamlits_cache():
    def cached(file):
        yield from (name for name in attributes(file) if re.match(r"(st|streamlit)\.cache_", name))
        yield from (name for name in all_imports(file) if name.startswith("streamlit.cache_"))

    assert list(offenders(PRODUCT, cached)) == ["pages/shared/cached.py"]


# -------------------------------------------------------------------------------- what loads when

# They take seconds or a gigabyte to import, or bring an OpenMP runtime of their own.
HEAVY = ("torch", "sentence_transformers", "sklearn", "faiss", "scipy.stats", "transformers")


def test_nothing_heavy_is_imported_before_it_is_used():
    files = in_rooms("mechanisms", "measures", "pages", "data") + sorted(HOUSE.glob("*.py"))
    assert not offenders(files, lambda file: of(imports_on_loading(file), *HEAVY))


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


def calls(file):
    """Calls in a file."""
    return [node for node in ast.walk(tree(file)) if isinstance(node, ast.Call)]


def test_the_global_generator_is_never_used():
    def used(file):
        yield from (name for name in attributes(file) if RANDOM_STATE.fullmatch(name))
        yield from of(all_imports(file), "random")

    assert not offenders(PRODUCT, used)


def test_nothing_is_pickled_or_unpickled():
    def pickled(file):
        yield from of(
            all_imports(file), "pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal"
        )
        for call in calls(file):
            text = ast.unparse(call)
            asked = any(keyword.arg == "allow_pickle" for keyword in call.keywords)
            if asked and "allow_pickle=False" not in text:
                yield text

    assert not offenders(PRODUCT, pickled)


def test_nothing_typed_becomes_code():
    code = {"eval", "exec", "compile", "os.system"}
    assert not offenders(PRODUCT, lambda file: {ast.unparse(n.func) for n in calls(file)} & code)


def test_names_say_what_a_file_is_about():
    nothing = {"utils", "util", "helpers", "helper", "core", "common", "misc"}
    parts = {file: set(file.relative_to(HOUSE).with_suffix("").parts) for file in SOURCES}
    assert not offenders(SOURCES, lambda file: parts[file] & nothing)


def containing(text):
    """The rule that a file does not hold a text."""
    return lambda file: [text] if text in file.read_text(encoding="utf-8") else []


def test_no_icon_comes_from_a_font_host():
    assert not offenders([*in_rooms("pages"), HOUSE / "app.py"], containing(":material/"))


# Addresses that a browser would fetch: in markup, style sheets and the theme. A link to follow by
# hand (`href`) is none.
FETCHED = re.compile(r"""(src\s*=\s*["']?|url\(\s*["']?|@import\s+["']?|fontFaces.*)https?:""")


def test_no_font_style_or_picture_is_fetched_from_any_host():
    files = in_rooms("pages") + sorted((HOUSE / ".streamlit").glob("*.toml"))
    assert not offenders(files, lambda file: FETCHED.findall(file.read_text(encoding="utf-8")))


def test_the_server_sends_no_statistics_and_its_theme_names_no_host():
    text = (HOUSE / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    config = tomllib.loads(text)
    assert config["browser"]["gatherUsageStats"] is False
    assert config["server"]["enableXsrfProtection"] is True
    settings = re.sub(r"#.*", "", text)
    assert "http:" not in settings
    assert "https:" not in settings


def values_alone_on_a_line(file):
    """Expressions that Streamlit's magic would show; calls and docstrings are none."""
    lines = [node.value for node in ast.walk(tree(file)) if isinstance(node, ast.Expr)]
    return [
        ast.unparse(value)
        for value in lines
        if not isinstance(value, ast.Call)
        and not (isinstance(value, ast.Constant) and isinstance(value.value, str))
    ]


def test_streamlit_parses_no_page_for_values_alone_on_a_line():
    config = tomllib.loads((HOUSE / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["runner"]["magicEnabled"] is False
    assert not offenders(PAGES, values_alone_on_a_line)


def test_html_without_escaping_is_never_asked_for():
    assert not offenders(in_rooms("pages"), containing("unsafe_allow_html"))


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


def test_what_is_kept_of_a_function_of_numbers_does_not_depend_on_who_asked_first():
    assert not offenders(PRODUCT, plain_caches_of_numbers), "use mechanisms.number_cache"


def test_no_number_is_typed_into_a_box_that_swallows_signs():
    def used(file):
        return [name for name in attributes(file) if name.endswith(".number_input")]

    message = "use pages.shared.number_box: in a browser's own box `1,5` arrives as 15"
    assert not offenders(in_rooms("pages"), used), message


# --------------------------------------------------------------------------- the pages of the book


def defines_a_mechanism(file):
    """Whether a module of mechanisms holds a class with a `name` of its own."""
    for node in tree(file).body:
        if isinstance(node, ast.ClassDef) and node.name != "Mechanism":
            for item in node.body:
                if isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == "name":
                    return True
    return False


def test_a_mechanism_is_a_page_with_its_law_guarantee_and_reference():
    def missing(file):
        page = ast.get_docstring(tree(file))
        for heading in ("Law", "Guarantee", "Cost", "Reference"):
            if not re.search(rf"^{heading} +\S", page, flags=re.MULTILINE):
                yield heading

    pages = [file for file in in_rooms("mechanisms") if defines_a_mechanism(file)]
    assert len(pages) > 7
    assert not offenders(pages, missing)


def test_every_module_with_a_mechanism_is_registered():
    registered = (HOUSE / "mechanisms" / "__init__.py").read_text(encoding="utf-8")
    for file in in_rooms("mechanisms"):
        if defines_a_mechanism(file):
            assert f"from mechanisms.{file.stem} import" in registered, file.stem


@cache
def registered_mechanisms():
    """The names of the classes in `MECHANISMS`."""
    for node in tree(HOUSE / "mechanisms" / "__init__.py").body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "MECHANISMS":
            return {ast.unparse(each) for each in node.value.elts}
    raise AssertionError("no MECHANISMS")


def names_in(node):
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} | {
        each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)
    }


def asked_for_its_class(file):
    """Places that ask whether a mechanism is of one registered class."""
    for node in ast.walk(tree(file)):
        asked = None
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
            asked = node.args[1]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            asked = node
        elif isinstance(node, ast.MatchClass):
            asked = node.cls
        if asked is not None and names_in(asked) & registered_mechanisms():
            yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_code_asks_a_mechanism_for_its_class():
    found = offenders(PRODUCT, asked_for_its_class)
    assert not found, "ask the object: a kind such as DistanceLaw, or what it states"


def test_generic_code_about_mechanisms_knows_none_of_them():
    those = [file for file in in_rooms("mechanisms") if defines_a_mechanism(file)]
    generic = [f for f in in_rooms("mechanisms") if f not in those and f.name != "__init__.py"]
    one = [f"mechanisms.{file.stem}" for file in those]
    assert not offenders(generic, lambda file: of(all_imports(file), *one))


def dummy_epsilons(file):
    """Mechanisms that are made at ε = 1 because some ε was needed."""
    makers = registered_mechanisms() | {"cls", "kind", "replace", "dataclasses.replace"}
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in makers:
            for keyword in node.keywords:
                if keyword.arg == "epsilon" and ast.unparse(keyword.value) in ("1", "1.0"):
                    yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_epsilon_stands_in_for_all():
    found = offenders(PRODUCT, dummy_epsilons)
    assert not found, "what is the same at every ε belongs to a family: `CMP.family()`"


ESTIMATE = HOUSE / "mechanisms" / "estimate.py"


def numbers_with_an_error(file):
    """Classes with a number and both ends of its interval."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.ClassDef):
            fields = {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
            if {"value", "low", "high"} <= fields:
                yield node.name


def test_an_estimate_is_the_only_number_with_an_error():
    assert list(numbers_with_an_error(ESTIMATE)) == ["Estimate"]
    # Of reports by randomised response the unbiased estimate may lie outside of its interval.
    allowed = (ESTIMATE, HOUSE / "measures" / "randomised_response.py")
    rest = [file for file in PRODUCT if file not in allowed]
    assert not offenders(rest, numbers_with_an_error)


def normal_quantiles(file):
    """Quantiles of the normal law, written by hand."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Constant) and node.value in (1.645, 1.96, 2.576):
            yield node.value


def test_no_interval_is_made_by_hand():
    assert not offenders(in_rooms("mechanisms", "measures", "release", "pages"), normal_quantiles)


def named_embeddings(file):
    """Comparisons with the name of an embedding."""
    names = {"GLOVE", "MINILM", "RANDOM", "GLOVE_840B"}
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Compare):
            for part in ast.walk(node):
                name = getattr(part, "attr", getattr(part, "id", None))
                if name in names:
                    yield ast.unparse(node)


def test_no_code_decides_by_the_name_of_an_embedding():
    rooms = in_rooms("data", "mechanisms", "measures", "pages")
    assert not offenders(rooms, named_embeddings), "an embedding answers itself: `by_name(name)`"


def test_every_file_says_what_it_is():
    files = [file for file in PRODUCT if file.stat().st_size]
    assert not offenders(files, lambda file: [] if ast.get_docstring(tree(file)) else ["nothing"])


def test_the_page_of_release_names_each_of_its_files():
    room = HOUSE / "release"
    page = ast.get_docstring(tree(room / "__init__.py"))
    files = {file.name for file in room.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert sorted(name for name in files if name not in page) == []


def test_no_box_has_none_as_a_choice_since_it_shows_nothing_then():
    def nameless(file):
        for call in calls(file):
            if isinstance(call.func, ast.Attribute) and call.func.attr == "selectbox":
                options = ast.unparse(call.args[1])
                if "None" in re.findall(r"\w+", options):
                    yield options

    assert not offenders(in_rooms("pages"), nameless), "name the choice"


def test_no_page_imports_what_belongs_to_another_page():
    def of_another(file):
        own = file.relative_to(HOUSE).parts[1]
        for name in all_imports(file):
            parts = name.split(".")
            if parts[0] == "pages" and parts[1] not in (own, "shared"):
                yield name

    assert not offenders(in_rooms("pages"), of_another)


def test_no_file_of_the_product_is_longer_than_one_reads_in_one_go():
    def too_long(file):
        lines = len(file.read_text(encoding="utf-8").splitlines())
        return [lines] if lines > 450 else []

    assert not offenders(PRODUCT, too_long)


def test_the_first_visitor_of_a_server_reaches_every_page():
    text = (HOUSE / "pages" / "shared" / "menu.py").read_text(encoding="utf-8")
    named = re.findall(r'a_page\("(\w+)", "[^"]+", "[^"]+"\)', text)
    scripts = {file.stem.removeprefix("0_") for file in (HOUSE / "pages").glob("0_*.py")}
    assert scripts == set(named), "see pages/shared/first_visit.py"
    assert len(named) >= 13


def test_no_test_sleeps_instead_of_asking():
    """A wait ends when its condition holds, in `waiting.py` and in the browser's own functions."""

    def sleeps(file):
        for node in ast.walk(tree(file)):
            called = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
            if called in ("sleep", "wait_for_timeout"):
                yield f"line {node.lineno}: {ast.unparse(node)}"

    files = [file for file in in_rooms("tests") if file.name != "waiting.py"]
    assert offenders(files, sleeps) == {}


def test_no_test_picks_an_option_but_by_the_one_helper():
    """A list of options closes when the page moves: see `tests.browser.pick`."""

    def opens_a_list(file):
        for node in ast.walk(tree(file)):
            called = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
            if called == "get_by_role":
                yield from (
                    f"line {node.lineno}" for a in node.args if ast.unparse(a) == "'option'"
                )

    files = [file for file in in_rooms("tests") if file.name != "browser.py"]
    assert set(offenders(files, opens_a_list)) <= {"tests/pages/test_browser_class.py"}


def test_the_tests_of_the_core_say_which_of_them_begin_a_process():
    """`make quick` leaves those out, and the core's tests open no page and no browser."""
    elsewhere = ("subprocess", "multiprocessing", "concurrent.futures.Process", "distributed")
    pages = ("streamlit", "playwright", "tests.app", "tests.browser")
    for file in (HOUSE / "tests" / "mechanisms").glob("*.py"):
        names = all_imports(file)
        if any(name.startswith(elsewhere) for name in names):
            assert "mark.process" in file.read_text(encoding="utf-8"), shown(file)
        assert not any(name.startswith(pages) for name in names), shown(file)


def test_downloads_and_figures_are_offered_in_one_place_so_that_none_lacks_its_provenance():
    def offered(file):
        calls = (n.func for n in ast.walk(tree(file)) if isinstance(n, ast.Call))
        names = {call.attr for call in calls if isinstance(call, ast.Attribute)}
        return sorted(names & {"download_button", "plotly_chart"})

    one_place = HOUSE / "pages/shared/downloads.py"
    assert offered(one_place) == ["download_button", "plotly_chart"]
    assert not offenders([file for file in in_rooms("pages") if file != one_place], offered)


# ------------------------------------------------------------------------- locked and hidden links

CLASSROOM = HOUSE / "pages/shared/classroom.py"
# What a file asks to know whether a setting is locked.
LOCKED = {"classroom.locked", "classroom.locked_names", "mechanism_picker.is_locked"}
SETTING = {
    "mechanism_picker.use_mechanism", "mechanism_picker.use_epsilon", "own_embedding.use_embedding",
}  # fmt: skip


def test_what_a_link_locks_and_hides_is_read_from_the_address_and_the_session_in_one_place():
    names = {"lock", "hide", "sealed", "lock.names", "hide.names"}

    def named(file):
        return names & {n.value for n in ast.walk(tree(file)) if isinstance(n, ast.Constant)}

    def address(file):
        return {"st.query_params"} & attributes(file)

    knowing = [file for file in in_rooms("pages") if of(all_imports(file), "streamlit")]
    assert named(CLASSROOM) == names
    assert not offenders([file for file in knowing if file != CLASSROOM], named)
    assert {Path(file).parent.name for file in offenders(knowing, address)} == {"shared"}


def test_a_page_asks_once_whether_a_mechanism_is_hidden_and_its_parts_not_at_all():
    def asked(file):
        called = [ast.unparse(call.func) for call in calls(file)]
        most = 1 if file in PAGES else 0
        return ["classroom"] * (called.count("classroom.hidden") > most)

    parts = [file for file in in_rooms("pages") if file.parent.name != "shared"]
    assert not offenders(parts, asked), "hand the mechanism over, None if it is hidden"


def test_a_page_ends_in_one_way_which_still_draws_its_parts():
    def stopped(file):
        return {"st.stop"} & {ast.unparse(call.func) for call in calls(file)}

    stopping = offenders(in_rooms("pages"), stopped)
    assert stopping == {"pages/shared/failures.py": ["st.stop"]}, "page_end.stop"


def test_each_fragment_sees_what_else_its_message_has_changed():
    fragments = offenders(in_rooms("pages"), lambda file: {"st.fragment"} & attributes(file))
    assert list(fragments) == ["pages/shared/fragments.py"], "fragments.fragment"


def test_a_control_that_a_link_can_lock_takes_its_key_together_with_its_lock():
    from pages.shared.classroom import LOCKS

    def without_its_lock(file):
        for call in calls(file):
            keys = [keyword.value for keyword in call.keywords if keyword.arg == "key"]
            if ast.unparse(call.func) == "number_box":
                keys += call.args[1:2]
            yield from (k.value for k in keys if isinstance(k, ast.Constant) and k.value in LOCKS)

    assert not offenders(in_rooms("pages"), without_its_lock), "use settings.kept"


def test_a_page_with_a_button_that_sets_what_can_be_locked_asks_for_the_lock():
    for folder in {file.parent for file in PAGES}:
        used = set().union(*(attributes(file) for file in folder.rglob("*.py")))
        assert not used & SETTING or used & LOCKED, folder.name
