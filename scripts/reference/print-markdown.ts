import { ERROR_REASONS } from "../../server/contract/error-reasons";
import { HTTP_ENDPOINTS, type HttpEndpoint } from "./http-endpoints";
import { printShape } from "./print-types";
import type { Procedure } from "./read-procedures";
import {
  ACCESS_LABELS,
  describeRefusals,
  describeRouter,
  HTTP_TAG,
  limitOf,
  oneLine,
  sharedErrorsOf,
  statusOf,
  WIRE_FORMAT,
} from "./reference-text";
import { type NamedShape, routersOf, type Shape } from "./shape";

const HEAD = `<!-- Made by \`npm run reference\` from the router, its schemas and its types. Do not edit. -->
# Procedures

Every procedure of the API: what it takes, answers and refuses, and who may call it. The same as an OpenAPI document is at
\`/api/openapi.json\`, as a page at \`/docs\`. TypeScript has a typed client: \`import { createClient } from "sangam/client"\`.
`;

/** docs/procedures.md. */
export function printMarkdown({ procedures, named }: { procedures: Procedure[]; named: NamedShape[] }): string {
  const sections = routersOf(procedures).map((router) => {
    const own = procedures.filter(({ path }) => path.startsWith(`${router}.`));
    return [`## ${router}`, ...own.map(printProcedure)].join("\n\n");
  });
  const types = named.map(({ name, docs, shape }) =>
    [`### ${name}`, ...(docs === "" ? [] : [oneLine(docs)]), code(`${name} = ${printShape(shape, "")}`)].join("\n\n"),
  );
  return `${[
    HEAD.trimEnd(),
    "## On the wire",
    ...WIRE_FORMAT,
    "## What every procedure may refuse",
    printSharedErrors(),
    "## Reasons",
    printReasons(),
    ...sections,
    `## ${HTTP_TAG}`,
    describeRouter(HTTP_TAG),
    ...HTTP_ENDPOINTS.map(printEndpoint),
    "## Types",
    ...types,
  ].join("\n\n")}\n`;
}

/** The errors of base procedures, listed once. */
function printSharedErrors(): string {
  const shared = sharedErrorsOf({ access: "admins", kind: "Mutation", inputSchema: {} });
  const rows = shared.map(({ code: name, sentence }) => `| ${name} | ${statusOf(name)} | ${sentence} |`);
  return ["| Code | HTTP | Sentence |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The values of `data.reason`. */
function printReasons(): string {
  const rows = Object.entries(ERROR_REASONS).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`);
  return ["| `data.reason` | Meaning |", "| --- | --- |", ...rows].join("\n");
}

function printProcedure(procedure: Procedure): string {
  const { path, kind, docs, access, input, output, isTracked, refusals } = procedure;
  const limit = limitOf(procedure);
  const facts = [
    `- ${kind}, for ${ACCESS_LABELS[access]}${limit ? `; ${limit}` : ""}`,
    ...(refusals.length > 0 ? [`- Refuses with ${describeRefusals(refusals)}`] : []),
  ];
  const shown = printShape(output, "");
  const word = kind === "Subscription" ? "event" : "output";
  const lines = [
    ...(isNone(input) ? [] : [`input = ${printShape(input, "")}`]),
    `${word} = ${isTracked ? `Tracked<${shown}>` : shown}`,
  ];
  return [`### ${path}`, ...(docs === "" ? [] : [oneLine(docs)]), facts.join("\n"), code(lines.join("\n"))].join(
    "\n\n",
  );
}

/** Its schemas are in the OpenAPI document. */
function printEndpoint({ method, path, docs, kind, access, limit, refusals }: HttpEndpoint): string {
  const facts = [
    `- ${kind.charAt(0).toUpperCase()}${kind.slice(1)}, for ${access}${limit ? `; ${limit}` : ""}`,
    `- Refuses with ${describeRefusals(refusals)}`,
  ];
  return [`### ${method.toUpperCase()} ${path}`, docs, facts.join("\n")].join("\n\n");
}

function isNone(shape: Shape): boolean {
  return shape.kind === "primitive" && shape.name === "undefined";
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}
