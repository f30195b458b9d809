import { filePath } from "@server/contract/files";
import { FIRM_NAME } from "@server/contract/labels";
import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import { describeCommits, describeScope, nameIn, SIGN_OFF_LABELS } from "@server/contract/sign-off-text";
import type { SignOff } from "@server/contract/views";
import { type ReactNode, type Ref, useRef } from "react";
import { storedStatusMeta } from "@/features/projects/project-status";
import { useIsDrawing } from "@/lib/drawing";
import { formatDay, formatInstantLong } from "@/lib/format";
import { formatBytes } from "@/lib/format-bytes";
import { useNextFocus } from "@/lib/use-next-focus";
import { Chip } from "@/ui/chip";
import { SignOffChanges } from "./sign-off-changes";
import { FORMAT, SIGN_OFF_META } from "./sign-off-text";
import { SignOffTurn } from "./sign-off-turn";

/** A sign-off as a document: what was asked, what is signed, who signed it and when. */
export function SignOffRecord({ signOff }: { signOff: SignOff }) {
  const { record, status, changedAfter } = signOff;
  const signature = useRef<HTMLElement>(null);
  // The form or dialog that decided it goes away.
  useNextFocus(status === "asked", signature);
  const { project, question } = record;
  return (
    <article aria-labelledby="sign-off-title" className="grid gap-6">
      <header className="grid gap-3 border-line border-b pb-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <p className="font-display font-semibold text-[17px] tracking-[-0.02em]">{FIRM_NAME}</p>
          <p className="text-dense text-ink2">Sign-off · {project.key}</p>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 id="sign-off-title" tabIndex={-1} dir="auto" className="min-w-0 text-h1 [overflow-wrap:anywhere]">
            Sign-off: {project.title}
          </h1>
          <Chip {...SIGN_OFF_META[status]} />
          <SignOffTurn signOff={signOff} className="print:hidden" />
        </div>
        <p className="text-dense text-ink2">
          Asked by <bdi>{nameIn(signOff, record.askedBy)}</bdi>, to be signed by <bdi>{record.signer.name}</bdi> ·{" "}
          <Instant at={record.askedAt} />
        </p>
      </header>
      {changedAfter && (
        <section aria-label={SIGN_OFF_MESSAGES.changedAfter} className="rounded-control bg-orange-soft p-4">
          <h2 className="mb-2 text-orange text-reading">{SIGN_OFF_MESSAGES.changedAfter}</h2>
          <SignOffChanges changes={changedAfter} label="What has changed since" />
          <p className="mt-2 text-dense text-ink2">What was approved stands below, as it was then.</p>
        </section>
      )}
      <Part title="Question">
        <p dir="auto" className="max-w-[76ch] whitespace-pre-line text-reading [overflow-wrap:anywhere]">
          {question}
        </p>
      </Part>
      <Part title={`What is signed: ${describeScope(record).toLowerCase()}`}>
        <Tasks signOff={signOff} />
      </Part>
      <Evidence signOff={signOff} />
      <Signature ref={signature} signOff={signOff} />
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 font-medium font-sans text-dense text-ink2 tracking-normal">{title}</h2>
      {children}
    </section>
  );
}

const CELL = "border-line border-b py-2 pe-3 text-start align-baseline font-normal";

function Tasks({ signOff: { record } }: { signOff: SignOff }) {
  const { tasks, project } = record;
  if (tasks.length === 0) return <p className="text-ink2">No tasks.</p>;
  return (
    <table className="w-full border-separate border-spacing-0">
      <caption className="sr-only">Tasks</caption>
      <thead>
        <tr className="text-dense text-ink3">
          <th scope="col" className={CELL}>
            Task
          </th>
          <th scope="col" className={CELL}>
            Status
          </th>
          <th scope="col" className={`${CELL} whitespace-nowrap`}>
            Due date
          </th>
        </tr>
      </thead>
      <tbody>
        {tasks.map(({ id, number, title, status, dueDate }) => (
          <tr key={id}>
            <th scope="row" className={CELL}>
              <span className="text-dense text-ink3">{`${project.key}-${number}`}</span>{" "}
              <span dir="auto" className="[overflow-wrap:anywhere]">
                {title}
              </span>
            </th>
            <td className={CELL}>
              <Chip {...storedStatusMeta(status)} className="-my-1 align-middle" />
            </td>
            <td className={`${CELL} whitespace-nowrap text-dense last:pe-0`}>
              {dueDate ? formatDay(dueDate) : "None"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Commits, live link and files, as far as there are any. */
function Evidence({ signOff: { record, changedAfter, isProjectGone } }: { signOff: SignOff }) {
  const isDrawing = useIsDrawing();
  const { commits, liveLink, files } = record;
  const format = isDrawing ? { ...FORMAT, instantDay: (at: string) => formatDay(at.slice(0, 10)) } : FORMAT;
  const isGone = (fileId: string) =>
    isProjectGone || (changedAfter ?? []).some((change) => change.kind === "file-removed" && change.id === fileId);
  return (
    <>
      {commits.length > 0 && (
        <Part title="Commits">
          <ul className="grid gap-1">
            {commits.map((range) => (
              <li key={range.repository} className="[overflow-wrap:anywhere]">
                <span className="font-medium">{range.repository}</span>: {describeCommits(range, format)}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {liveLink && (
        <Part title="Live link">
          <a
            href={liveLink}
            target="_blank"
            rel="noopener noreferrer"
            className="no-url text-brand-text underline underline-offset-3 [overflow-wrap:anywhere]"
          >
            {liveLink}
          </a>
        </Part>
      )}
      {files.length > 0 && (
        <Part title="Files">
          <ul aria-label="Files" className="grid gap-2">
            {files.map(({ id, name, size, hash }) => (
              <li key={id} className="[overflow-wrap:anywhere]">
                {isGone(id) ? (
                  <bdi>{name}</bdi>
                ) : (
                  <a href={filePath(id, "download")} className="text-brand-text underline underline-offset-3">
                    <bdi>{name}</bdi>
                  </a>
                )}
                <span className="text-dense text-ink2">, {formatBytes(size)}</span>
                <span className="block text-ink3 text-meta">SHA-256 {hash}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

function Signature({ ref, signOff }: { ref: Ref<HTMLElement>; signOff: SignOff }) {
  const { status, decidedBy, decidedAt, reason, record } = signOff;
  if (status === "asked" || !decidedBy || !decidedAt) {
    return (
      <p className="border-line border-t pt-4 text-ink2">
        Not signed yet. Waiting for <bdi>{record.signer.name}</bdi>.
      </p>
    );
  }
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Signature"
      className="grid gap-3 break-inside-avoid border-line border-t pt-4 outline-none"
    >
      {reason && (
        <p dir="auto" className="max-w-[76ch] whitespace-pre-line [overflow-wrap:anywhere]">
          {reason}
        </p>
      )}
      <div className="w-fit min-w-64 max-w-full">
        <p dir="auto" className="border-ink border-b pb-1 font-display text-h3 [overflow-wrap:anywhere]">
          {nameIn(signOff, decidedBy)}
        </p>
        <p className="mt-1 text-dense text-ink2">
          {SIGN_OFF_LABELS[status]} by <bdi>{nameIn(signOff, decidedBy)}</bdi>, <Instant at={decidedAt} />
        </p>
      </div>
    </section>
  );
}

/** An instant with its time where the reader is; the day alone until their browser has taken over what the server drew. */
function Instant({ at }: { at: string }) {
  const isDrawing = useIsDrawing();
  return <time dateTime={at}>{isDrawing ? formatDay(at.slice(0, 10)) : formatInstantLong(at)}</time>;
}
