import { type Property, routersOf, type Shape, type TypedApi, type TypedProcedure } from "./shape";

const HEAD = `// Made by \`npm run reference\` from the router's own types; api.test-d.ts proves that the two are equal. Do not edit.
import type { Mutation, Query, Subscription, Tracked } from "./procedures";
`;

/** Declarations that name no server code: what the package ships. */
export function printTypes({ procedures, named }: TypedApi): string {
  const views = named.map(({ name, docs, shape }) =>
    shape.kind === "object"
      ? `${comment(docs, "")}export interface ${name} ${printObject(shape.properties, "")}\n`
      : `${comment(docs, "")}export type ${name} = ${printShape(shape, "")};\n`,
  );
  return [HEAD, ...views, printApi(procedures)].join("\n");
}

/** A type as TypeScript writes it. */
export function printShape(shape: Shape, indent: string): string {
  switch (shape.kind) {
    case "primitive":
    case "named":
      return shape.name;
    case "literal":
      return JSON.stringify(shape.value);
    case "date":
      return "Date";
    case "array":
      return shape.of.kind === "union" ? `(${printShape(shape.of, indent)})[]` : `${printShape(shape.of, indent)}[]`;
    case "record":
      return `Record<string, ${printShape(shape.of, indent)}>`;
    case "union":
      return shape.of.map((one) => printShape(one, indent)).join(" | ");
    case "object":
      return printObject(shape.properties, indent);
  }
}

function printObject(properties: Property[], indent: string): string {
  const inner = `${indent}  `;
  const lines = properties.map(
    ({ name, isOptional, docs, shape }) =>
      `${comment(docs, inner)}${inner}${printName(name)}${isOptional ? "?" : ""}: ${printShape(shape, inner)};\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

/** A property's name, in quotes where it is no identifier. */
function printName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Routers, each an object of its procedures. */
function printApi(procedures: TypedProcedure[]): string {
  const lines = routersOf(procedures).map((router) => {
    const own = procedures.filter(({ path }) => path.startsWith(`${router}.`));
    const members = own.map(
      (procedure) =>
        `${comment(procedure.docs, "    ")}    ${procedure.path.slice(router.length + 1)}: ${printProcedure(procedure)};\n`,
    );
    return `  ${router}: {\n${members.join("")}  };\n`;
  });
  return `/** Every procedure, by router and name. */\nexport interface Api {\n${lines.join("")}}\n`;
}

function printProcedure(procedure: TypedProcedure): string {
  return `${procedure.kind}<${printInput(procedure.input)}, ${printOutput(procedure)}>`;
}

function printOutput({ output, isTracked }: TypedProcedure): string {
  const printed = printShape(output, "    ");
  return isTracked ? `Tracked<${printed}>` : printed;
}

function printInput(input: Shape): string {
  return input.kind === "primitive" && input.name === "undefined" ? "void" : printShape(input, "    ");
}

function comment(docs: string, indent: string): string {
  const lines = docs
    .trim()
    .split("\n")
    .filter((line) => line !== "");
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}
