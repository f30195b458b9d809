import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { signOffs } from "../../../db/schema";
import { rowsOf } from "../../../db/writes";
import type { Take } from "./fields";
import { unmatched } from "./notes";
import type { People } from "./people";
import { pages, stagedSignOffs } from "./staging";

/**
 * Adds the staged sign-offs that are not there yet, with their records as they are; nobody is notified. What nobody known asked or was
 * asked is noted and left out. Returns how many were added.
 */
export async function importSignOffs(db: Db | Tx, { people, take }: { people: People; take: Take }): Promise<number> {
  let count = 0;
  for await (const page of pages((after, limit) => missingSignOffs(db, { after, limit }))) {
    const known = page.flatMap(({ place: _, fileId, signer, asker, decider, askedAt, decidedAt, ...row }) => {
      const find = (field: string, personId: string | null) => {
        const userId = personId === null ? undefined : people.byFileId.get(personId)?.userId;
        if (personId !== null && userId === undefined)
          take(unmatched<string>({ kind: "sign-off", id: fileId }, field, personId, "nobody has that id"));
        return userId ?? null;
      };
      const [signerId, askedBy, decidedBy] = [
        find("signerId", signer),
        find("askedBy", asker),
        find("decidedBy", decider),
      ];
      if (signerId === null || askedBy === null) return [];
      const instants = { askedAt: new Date(askedAt), decidedAt: decidedAt === null ? null : new Date(decidedAt) };
      return [{ ...row, ...instants, signerId, askedBy, decidedBy }];
    });
    if (known.length > 0) await db.insert(signOffs).values(rowsOf(signOffs, known));
    count += known.length;
  }
  return count;
}

function missingSignOffs(db: Db | Tx, { after, limit }: { after: number; limit: number }) {
  const { place, id } = stagedSignOffs;
  return db
    .select()
    .from(stagedSignOffs)
    .where(and(gt(place, after), sql`not exists (select from ${signOffs} where ${eq(signOffs.id, id)})`))
    .orderBy(asc(place))
    .limit(limit);
}
