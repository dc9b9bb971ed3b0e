"""Mutants of a few calls, the list of explained ones, and what the program makes of both."""

import dataclasses
import json

import pytest

from tools.mutate import campaign, explained, mutate, operators, report

OP = "block_attention_residuals_grad"


def plain(place):
    return place


@pytest.fixture(scope="module")
def small():
    """The quickest call alone."""
    return campaign.Campaign(operators.OPERATORS[OP].cases("ascend910b", "float32")[:1])


def of_kind(small, kind):
    return [mutant for mutant in small.mutants() if mutant.site.kind == kind]


def outcome_of(rules=(), differ=False):
    site = campaign.Site("copy", "a.h:1:2", 3, "")
    mutant = campaign.Mutant("arch22", "FULL_H batches", "float32", site, "src_gap+32")
    return campaign.Outcome(mutant, ("x",), rules, differ, "", 1, True)


@pytest.mark.parametrize(
    "kind, rules",
    [
        ("set_flag", {"flag-never-set", "wait-cycle"}),
        ("wait_flag", {"flag-set-twice", "flag-left-over"}),
        ("flag_pair", {"ub-race"}),
    ],
)
def test_flags_are_noticed(small, kind, rules):
    mutant = of_kind(small, kind)[0]
    outcome = small.try_mutant(mutant)
    assert rules & set(outcome.rules), outcome


def test_copies_are_noticed(small):
    mutants = [mutant for mutant in of_kind(small, "copy") if mutant.change == "block_count-1"]
    outcomes = [small.try_mutant(mutant) for mutant in mutants[:4]]
    assert all(outcome.is_caught and outcome.tensors for outcome in outcomes)


def test_uses_of_a_helper_are_told_apart(small):
    copies = {mutant.site for mutant in of_kind(small, "copy")}
    assert len({site.place for site in copies}) < len(copies)


def test_a_mutant_that_changes_nothing_is_not_noticed(small):
    """A call that the kernel does not have."""
    mutant = of_kind(small, "set_flag")[0]
    site = dataclasses.replace(mutant.site, ordinal=99)
    outcome = small.try_mutant(dataclasses.replace(mutant, site=site))
    assert not outcome.is_caught and outcome.tried == 0


def test_explained_mutants():
    [entry] = explained.read("# words\n\n* FULL_H-batches float32 copy src_gap* a.h:* 3 - : why: so\n")
    assert entry.reason == "why: so" and entry.line == 3
    judge = lambda outcome: report.judge([outcome], [entry], plain)  # noqa: E731
    missed = judge(outcome_of())
    assert missed[0].verdict == "explained"
    assert report.list_faults(missed, [entry], True) == []
    noticed = judge(outcome_of(("ub-race",), True))
    assert noticed[0].verdict == "check and results"
    assert "explained.txt:3: check and results notices" in report.list_faults(noticed, [entry], True)[0]
    assert report.list_faults([], [entry], True) == ["explained.txt:3: no mutant is so"]
    assert report.list_faults([], [entry], False) == []


@pytest.mark.parametrize("line", ["* * * : why", "* * * * * * * *", "* * * * * * * * : "])
def test_faults_of_the_list(line):
    with pytest.raises(explained.ListFault, match="line 1: expected"):
        explained.read(line)


def test_totals():
    judged = report.judge([outcome_of(), outcome_of((), True), outcome_of(("ub-race",))], [], plain)
    expected = {"mutants": 3, "check": 1, "check and results": 0, "results": 1, "explained": 0, "nothing": 1}
    assert report.totals(judged) == {"arch22": expected, "all": expected}


def test_program(monkeypatch, capsys):
    """On the smallest call alone, a few mutants of it."""
    op = operators.OPERATORS[OP]
    one = operators.Operator(op.folder, op.prefix, lambda soc, dtype: op.cases(soc, dtype)[:1])
    monkeypatch.setitem(operators.OPERATORS, OP, one)
    arguments = ["mutate", f"--op={OP}", "--soc=ascend950", "--dtype=float32", "--most=6", "--json"]
    code = mutate.main(arguments)
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert len(result["mutants"]) == 6
    assert result["right"] is (code == 0)
    assert result["totals"]["arch35"]["mutants"] == 6
    assert all(mutant["place"].startswith(op.folder) for mutant in result["mutants"])
    assert "6 mutants" in err


def test_the_list_is_well_formed():
    with open(mutate.LIST, encoding="utf-8") as file:
        assert explained.read(file.read())


@pytest.mark.parametrize("arguments", [[], ["--op=other"], [f"--op={OP}", "more"]])
def test_wrong_arguments(arguments, capsys):
    assert mutate.main(["mutate", *arguments]) == 2
    assert capsys.readouterr().err.startswith("mutate: ")
