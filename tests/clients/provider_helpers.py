"""Compares our projections with what the providers' Python libraries make of them: nothing may change.

    python3 -m venv venv && venv/bin/pip install openai anthropic google-genai
    venv/bin/python tests/clients/provider_helpers.py [FOLDER]

FOLDER has files named as in tests/providers, which is the default. A library that is not installed is skipped with that reason.
It is run by hand, never by CI: it needs packages from a registry.
"""

import copy
import json
import pathlib
import sys


def openai_strict(tool):
    from openai.lib._pydantic import _ensure_strict_json_schema

    schema = (tool.get("function") or tool)["parameters"]
    changed = copy.deepcopy(schema)
    return schema, _ensure_strict_json_schema(changed, path=(), root=changed)


def anthropic_strict(tool):
    from anthropic import transform_schema

    schema = tool["input_schema"]
    return schema, transform_schema(copy.deepcopy(schema))


def gemini(tool):
    """The library reads the declaration and writes it again; the types of the old field are in upper case there."""
    from google.genai import types

    read = types.FunctionDeclaration.model_validate(tool)
    written = read.model_dump(mode="json", by_alias=True, exclude_none=True)
    return tool, lower_types(written)


def lower_types(value):
    if isinstance(value, list):
        return [lower_types(part) for part in value]
    if not isinstance(value, dict):
        return value
    is_type = lambda key, part: key == "type" and isinstance(part, str)
    return {key: part.lower() if is_type(key, part) else lower_types(part) for key, part in value.items()}


HELPERS = {
    "openai_strict": openai_strict,
    "openai_responses_strict": openai_strict,
    "anthropic_strict": anthropic_strict,
    "gemini": gemini,
    "gemini_legacy": gemini,
}


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "providers")
    differences = 0
    for name, helper in HELPERS.items():
        tools = json.loads((folder / f"{name}.json").read_text())
        equal = 0
        try:
            for tool in tools:
                ours, theirs = helper(tool)
                if ours == theirs:
                    equal += 1
                else:
                    differences += 1
                    print(f"{name}: {json.dumps(ours)}\n    became {json.dumps(theirs)}")
        except ImportError as error:
            print(f"{name}: skipped, {error}")
            continue
        print(f"{name}: {equal} of {len(tools)} unchanged")
    sys.exit(1 if differences else 0)


main()
