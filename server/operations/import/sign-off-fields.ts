import { COMMIT_MODES, SIGN_OFF_STATUSES } from "@db/client-enums";
import { signOffRecordSchema } from "../../contract/sign-offs";
import type { ImportThing } from "./document";
import { type Fields, keptId, type Take } from "./fields";
import { type Subject, unmatched } from "./notes";

const MAX_TEXT = 2_000;

/** A sign-off as it is staged; null, and noted, without a record, a question, a signer or who asked: it is evidence, or nothing. */
export function signOffOf(
  { id }: ImportThing,
  { fields, subject, take, today }: { fields: Fields; subject: Subject; take: Take; today: string },
) {
  const note = (field: string, given: unknown, why: string) => take(unmatched<string>(subject, field, given, why));
  const record = fields.checked(["record"], signOffRecordSchema);
  const project = fields.reference("projectId");
  const [signer, asker] = [fields.reference("signerId"), fields.reference("askedBy")];
  const text = fields.text(["note"], { max: MAX_TEXT, lines: "many" });
  if (record === null) return note("record", null, "a sign-off needs a record");
  if (project === null) return note("projectId", null, "a sign-off needs a project");
  if (signer === null) return note("signerId", null, "a sign-off needs a signer");
  if (asker === null) return note("askedBy", null, "a sign-off needs somebody who asked");
  if (text === null) return note("note", null, "a sign-off needs a question");
  const status = fields.word(["status"], { words: SIGN_OFF_STATUSES, fallback: "asked", unknown: "withdrawn" });
  const isAsked = status === "asked";
  const taskIds = record.scope === "tasks" ? fields.references("taskIds") : null;
  return {
    fileId: id,
    id: keptId(id, "sign-off"),
    projectId: keptId(project, "project"),
    taskIds: taskIds?.map((taskId) => keptId(taskId, "task", project)) ?? null,
    ...{ signer, asker, status, note: text, record },
    askedAt: fields.instant(["askedAt"], { fallback: () => today }),
    decider: isAsked ? null : fields.reference("decidedBy"),
    decidedAt: isAsked ? null : fields.instant(["decidedAt"], { fallback: () => today }),
    commitModeAtDeletion: fields.word(["commitModeAtDeletion"], {
      words: COMMIT_MODES,
      fallback: null,
      unknown: "hidden",
    }),
    reason: isAsked ? null : fields.text(["reason"], { max: MAX_TEXT, lines: "many" }),
  };
}
