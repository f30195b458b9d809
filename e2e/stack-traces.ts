/**
 * Playwright maps each frame of each step's stack to TypeScript, which took a sixth of its processor time. What packages and
 * Node.js itself run is no TypeScript, and is printed as it is.
 */
const toTypeScript = Error.prepareStackTrace;

if (toTypeScript) {
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => {
      const file = frame.getFileName();
      if (!file || file.startsWith("node:") || file.includes("/node_modules/")) return `\n    at ${frame}`;
      const text = String(toTypeScript(error, [frame]));
      return text.slice(text.lastIndexOf("\n    at "));
    });
    return `${error.name || "Error"}: ${error.message || ""}${lines.join("")}`;
  };
}
