import { join } from "node:path";
import {
  API,
  type Checker,
  SymbolFlags,
  type Type,
  TypeFlags,
  type Symbol as TypeSymbol,
} from "typescript/unstable/sync";
import { HTTP_TYPES } from "./http-endpoints";
import { createErrorReader } from "./read-errors";
import type { NamedShape, Property, Shape, TypedApi, TypedProcedure } from "./shape";

const PROJECT = "scripts/reference/tsconfig.json";
const SOURCE = "src/client/api.ts";
/** Types of these files keep their names; all others are written out. */
const NAMING = ["/server/contract/", "/db/enums.ts"];

/** Every procedure with what it takes and answers, as the compiler infers it from the router. */
export function readTypes(root: string): TypedApi {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, PROJECT)] });
    const project = snapshot.getProjects()[0];
    const file = project?.program.getSourceFile(join(root, SOURCE));
    const source = file && project?.checker.getSymbolAtLocation(file);
    const exported = source && project?.checker.getExportsOfModule(source);
    const [declared, ...others] = ["Api", ...HTTP_TYPES].map((name) => {
      const symbol = exported?.find((one) => one.name === name);
      if (!symbol || !project) throw new Error(`${SOURCE} exports no ${name}.`);
      return project.checker.getDeclaredTypeOfSymbol(symbol);
    });
    if (!project || !declared) throw new Error(`${SOURCE} cannot be read.`);
    return readApi(project.checker, declared, others);
  } finally {
    api.close();
  }
}

/** `others` are named besides the types that procedures take and answer with. */
function readApi(checker: Checker, api: Type, others: Type[]): TypedApi {
  const reader = createReader(checker);
  const errors = createErrorReader(checker);
  const procedures = checker.getPropertiesOfType(api).flatMap((router) =>
    checker.getPropertiesOfType(typeOf(checker, router)).map((procedure): TypedProcedure => {
      const type = typeOf(checker, procedure);
      const path = `${router.name}.${procedure.name}`;
      const kind = type.getSymbol()?.name;
      if (kind !== "Query" && kind !== "Mutation" && kind !== "Subscription")
        throw new Error(`${path} is no procedure.`);
      const [input, output] = type.isTypeReference() ? checker.getTypeArguments(type) : [];
      if (!input || !output) throw new Error(`${path} has no input or no output.`);
      const isTracked = output.getSymbol()?.name === "Tracked" && output.isTypeReference();
      const emitted = isTracked ? checker.getTypeArguments(output)[0] : output;
      return {
        path,
        kind,
        isTracked,
        docs: procedure.getDocumentationComment(checker),
        input: reader.read(input),
        output: reader.read(emitted ?? output),
        refusals: errors.read(procedure),
      };
    }),
  );
  for (const type of others) reader.read(type);
  return { procedures, named: reader.named() };
}

function createReader(checker: Checker) {
  const named = new Map<string, NamedShape>();
  /** The type of a property that may be missing, which is not one that may be undefined. */
  const undefinedId = checker.getUndefinedType().id;

  function read(type: Type): Shape {
    const symbol = nameOf(type);
    if (!symbol) return readStructure(type);
    if (!named.has(symbol.name)) {
      const entry: NamedShape = { name: symbol.name, docs: symbol.getDocumentationComment(checker), shape: NEVER };
      named.set(symbol.name, entry);
      entry.shape = readStructure(type);
    }
    return { kind: "named", name: symbol.name };
  }

  function readStructure(type: Type): Shape {
    const { flags } = type;
    if (type.isLiteralType() && typeof type.value !== "bigint") return { kind: "literal", value: type.value };
    for (const [flag, name] of PRIMITIVES) if (flags & flag) return { kind: "primitive", name };
    if (type.isUnionType()) return readUnion(type.getTypes());
    if (type.getSymbol()?.name === "Date") return { kind: "date" };
    if (checker.isArrayType(type) && type.isTypeReference()) {
      const [element] = checker.getTypeArguments(type);
      return { kind: "array", of: element ? read(element) : NEVER };
    }
    const isPrimitive = (type.isObjectType() || type.isIntersectionType()) && !type.isTupleType() && !isOfLibrary(type);
    if (!isPrimitive) throw new Error(`No shape for ${checker.typeToString(type)}: write it in simpler types.`);
    const [index] = checker.getIndexInfosOfType(type);
    if (index) return { kind: "record", of: read(index.valueType) };
    return { kind: "object", properties: checker.getPropertiesOfType(type).map(readProperty) };
  }

  function readProperty(symbol: TypeSymbol): Property {
    return {
      name: symbol.name,
      isOptional: (symbol.flags & SymbolFlags.Optional) !== 0,
      docs: symbol.getDocumentationComment(checker),
      shape: read(typeOf(checker, symbol)),
    };
  }

  function readUnion(types: readonly Type[]): Shape {
    const isMissing = (type: Type) => (type.flags & TypeFlags.Undefined) !== 0 && type.id !== undefinedId;
    const of = types.filter((type) => !isMissing(type)).map(read);
    return unionOf(of);
  }

  function nameOf(type: Type): TypeSymbol | undefined {
    const symbol = type.getAliasSymbol() ?? type.getSymbol();
    const isOurs = symbol?.declarations.some(({ path }) => NAMING.some((place) => path.includes(place)));
    const isGeneric = type.getAliasTypeArguments().length > 0;
    return symbol && isOurs && !isGeneric && /^[A-Z]/.test(symbol.name) ? symbol : undefined;
  }

  return {
    read,
    named: () => [...named.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** One of several; `true` and `false` together are a boolean again, and absence comes last. */
function unionOf(of: Shape[]): Shape {
  const isLiteral = (value: boolean) => of.some((shape) => shape.kind === "literal" && shape.value === value);
  const isBoolean = isLiteral(true) && isLiteral(false);
  const rest = of.filter((shape) => !isBoolean || shape.kind !== "literal" || typeof shape.value !== "boolean");
  const rank = (shape: Shape) =>
    shape.kind !== "primitive" ? 0 : shape.name === "null" ? 1 : shape.name === "undefined" ? 2 : 0;
  const shapes: Shape[] = isBoolean ? [...rest, { kind: "primitive", name: "boolean" }] : rest;
  const sorted = shapes.sort((a, b) => rank(a) - rank(b));
  const [only] = sorted;
  return only && sorted.length === 1 ? only : { kind: "union", of: sorted };
}

/** A class such as Map, whose properties are no data. Mapped types of the library, such as Record, have no such symbol. */
function isOfLibrary(type: Type): boolean {
  const { name = "", declarations = [] } = type.getSymbol() ?? {};
  return !name.startsWith("__") && declarations.some(({ path }) => /\/lib\.[\w.]+\.d\.ts$/.test(path));
}

function typeOf(checker: Checker, symbol: TypeSymbol): Type {
  const type = checker.getTypeOfSymbol(symbol);
  if (!type || type.isErrorType()) throw new Error(`${symbol.name} has no type.`);
  return type;
}

const NEVER: Shape = { kind: "primitive", name: "never" };

const PRIMITIVES = [
  [TypeFlags.String, "string"],
  [TypeFlags.Number, "number"],
  [TypeFlags.Boolean, "boolean"],
  [TypeFlags.Null, "null"],
  [TypeFlags.Undefined, "undefined"],
  [TypeFlags.Void, "undefined"],
  [TypeFlags.Unknown, "unknown"],
  [TypeFlags.Never, "never"],
] as const;
