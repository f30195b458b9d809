/** The value of a JSON text, or undefined when it is none. For text from outside; check the value with a schema. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
