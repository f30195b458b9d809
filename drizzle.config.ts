import { defineConfig } from "drizzle-kit";

/** `npm run db:generate` compares db/schema with drizzle/ and writes the difference as a new migration. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./db/schema/index.ts",
  out: "./drizzle",
  casing: "snake_case",
});
