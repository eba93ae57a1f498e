// Compiles the schemas of tools with XGrammar, and checks that it allows the values that llguidance allowed.
//
//     npm install --prefix PACKAGES @mlc-ai/web-xgrammar
//     node tests/clients/xgrammar.mjs TOOLS PACKAGES
//
// The tests of `decoders` write TOOLS/values.json: a list of { provider, tool, schema, values }, in which `schema` and `values` are
// JSON texts.

import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { resolve } from "node:path";

// The package is CommonJS, but says that it is a module.
function load(folder) {
  const path = createRequire(folder + "/").resolve("@mlc-ai/web-xgrammar");
  const loaded = new Module(path);
  loaded._compile(readFileSync(path, "utf8"), path);
  return loaded.exports;
}

const [tools, packages] = process.argv.slice(2).map((folder) => resolve(folder));
const { Grammar, Testings } = load(packages);
const rows = JSON.parse(readFileSync(tools + "/values.json", "utf8"));
const table = {};
const mistakes = [];
const differences = [];
for (const { provider, tool, schema, values } of rows) {
  const counts = (table[provider] ??= { schemas: 0, compiled: 0, values: 0, allowed: 0 });
  counts.schemas += 1;
  let grammar;
  try {
    // any spaces between tokens, and further keys only where the schema says of which type
    grammar = await Grammar.fromJSONSchema(schema, true, undefined, undefined, true);
  } catch (error) {
    mistakes.push(`${provider} ${tool}: not compiled: ${error}`);
    continue;
  }
  counts.compiled += 1;
  for (const value of values) {
    counts.values += 1;
    if (await Testings.isGrammarAcceptString(grammar, value)) counts.allowed += 1;
    else differences.push(`${provider} ${tool}: ${value}`);
  }
  grammar.dispose();
}
console.table(table);
// The decoders differ in `-0`, in a float range around 0, in further keys, and in a pattern with a length. They are shown, no mistakes.
const shown = differences.filter((difference) => difference.includes("_STRICT "));
for (const line of [...mistakes, ...shown]) console.log(line);
for (const [provider, { values, allowed }] of Object.entries(table)) {
  if (provider.endsWith("_STRICT") && allowed * 2 < values) {
    console.log(`${provider}: XGrammar allows only ${allowed} of ${values} values`);
    process.exitCode = 1;
  }
}
if (mistakes.length > 0) process.exitCode = 1;
process.exit();
