import type { Refusal } from "./read-errors";

/** A type as data, which the printers turn into declarations, JSON schemas and text. */
export type Shape =
  | { kind: "primitive"; name: "string" | "number" | "boolean" | "null" | "undefined" | "unknown" | "never" }
  | { kind: "literal"; value: string | number | boolean }
  | { kind: "date" }
  | { kind: "array"; of: Shape }
  | { kind: "record"; of: Shape }
  | { kind: "object"; properties: Property[] }
  | { kind: "union"; of: Shape[] }
  | { kind: "named"; name: string };

export interface Property {
  name: string;
  isOptional: boolean;
  docs: string;
  shape: Shape;
}

/** A type of the contract that has a name. */
export interface NamedShape {
  name: string;
  docs: string;
  shape: Shape;
}

/** A procedure, from its types. */
export interface TypedProcedure {
  /** `projects.list` */
  path: string;
  kind: "Query" | "Mutation" | "Subscription";
  docs: string;
  input: Shape;
  output: Shape;
  /** Whether the events of a stream have ids to resume after. */
  isTracked: boolean;
  /** Besides those that the frame of every call has. */
  refusals: Refusal[];
}

export interface TypedApi {
  procedures: TypedProcedure[];
  /** By name. */
  named: NamedShape[];
}

/** Names of the routers in their order. */
export function routersOf(procedures: { path: string }[]): string[] {
  return [...new Set(procedures.map(({ path }) => path.slice(0, path.indexOf("."))))];
}
