import type { Connection } from "../../../db/client";

export async function runExportCommand(_: {
  args: string[];
  folder: string;
  connection: Connection;
  dataDir: string;
}): Promise<{ ok: boolean; sentence: string }> {
  return { ok: false, sentence: "Usage: npm run export -- FILE.zip" };
}
