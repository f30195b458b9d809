/** What is wrong with a value for which its schema has no sentence of its own. */
export const VALIDATION_MESSAGES = {
  missing: "This field is required.",
  object: "Send an object with the fields of this call.",
  unknownField: "This field cannot be set.",
  misshapen: "This is not a valid value.",
  malformedId: "This is not a valid id.",
  types: {
    string: "Send text.",
    number: "Send a number.",
    int: "Send a whole number.",
    boolean: "Send true or false.",
    array: "Send a list.",
    date: "Send a date and time, such as 2026-11-20T10:42:00.000Z.",
  },
  oneOf: (values: readonly string[]) =>
    values.length === 1 ? `Only ${values.join()} is possible here.` : `Send one of: ${values.join(", ")}.`,
  minLength: (count: string) => `Send at least ${count} characters.`,
  maxLength: (count: string) => `Send at most ${count} characters.`,
  minItems: (count: string) => `List at least ${count}.`,
  maxItems: (count: string) => `List at most ${count}.`,
  min: (value: string) => `Send ${value} or more.`,
  max: (value: string) => `Send ${value} or less.`,
} as const;
