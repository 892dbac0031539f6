# SPDX-License-Identifier: Apache-2.0
"""What is public is told: names, types and documentation go together."""

import ast
import inspect
import pathlib

import tofscope
from tofscope import _tofscope

STUB = ast.parse((pathlib.Path(tofscope.__file__).parent / "_tofscope.pyi").read_text(encoding="utf-8"))


def test_types_are_those_of_the_compiled_half():
    told = {node.name: node for node in STUB.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert set(told) == {name for name in dir(_tofscope) if not name.startswith("_") and name != "version"}
    for name, node in told.items():
        if not isinstance(node, ast.ClassDef):
            continue
        members = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        members |= {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}
        there = {member for member in vars(getattr(_tofscope, name)) if not member.startswith("_")}
        assert {member for member in members if not member.startswith("_")} == there, name


def test_everything_public_is_documented():
    for name in tofscope.__all__:
        assert inspect.getdoc(getattr(tofscope, name)), name
    for name, member in vars(tofscope.Operator).items():
        assert name.startswith("_") or inspect.getdoc(member), name
