import type { InquiryStatus } from "@db/enums";
import { INQUIRY_STATUS_LABELS } from "@server/contract/messages/inquiries";
import type { Inquiry } from "@server/contract/views";
import { Archive, CheckCheck, type LucideIcon, Mail, Reply } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cn } from "@/lib/cn";
import { formatInstant, formatInstantInText, formatInstantLong } from "@/lib/format";
import { rowAction, rowMark } from "@/lib/use-row-focus";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";
import { cardStyle } from "@/ui/card-style";
import { Chip } from "@/ui/chip";
import type { Tone } from "@/ui/tone";
import { beginningOf, formatTopic, NEXT_STATUSES, replyAddress } from "./inquiry-text";
import { useSetInquiryStatus } from "./use-inquiries";

const CONTACT = "text-brand-text underline underline-offset-3";

/** One inquiry with its text, reply link and next statuses. */
export function InquiryCard({ inquiry }: { inquiry: Inquiry }) {
  const headingId = useId();
  const { name, email, phone, company, message, status, createdAt } = inquiry;
  return (
    <li>
      <article aria-labelledby={headingId} {...rowMark(inquiry.id)} className={cardStyle()}>
        <div className="flex items-start gap-3">
          <h2 id={headingId} className="min-w-0 flex-1 font-medium font-sans text-reading tracking-normal">
            <bdi className="[overflow-wrap:anywhere]">{name}</bdi>
          </h2>
          <InquiryStatusChip status={status} />
        </div>
        <p className="mt-0.5 text-dense text-ink2 [overflow-wrap:anywhere]">
          {formatTopic(inquiry)}
          {" · "}
          <Moment at={createdAt} text={formatInstant(createdAt)} />
        </p>
        <p className="mt-1 text-dense text-ink2 [overflow-wrap:anywhere]">
          <a href={replyAddress(inquiry)} className={CONTACT}>
            {email}
          </a>
          {phone && (
            <>
              {" · "}
              <a href={`tel:${phone.replace(/[^+\d]/g, "")}`} className={cn(CONTACT, "whitespace-nowrap")}>
                {phone}
              </a>
            </>
          )}
          {company && (
            <>
              {" · "}
              <bdi>{company}</bdi>
            </>
          )}
        </p>
        <Message text={message} of={name} />
        <Actions inquiry={inquiry} />
      </article>
    </li>
  );
}

function Moment({ at, text }: { at: string; text: string }) {
  return (
    <time dateTime={at} title={formatInstantLong(at)} className="whitespace-nowrap">
      {text}
    </time>
  );
}

/** The text with its line breaks and direction; the rest of a long one on request. */
function Message({ text, of }: { text: string; of: string }) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  if (text === "") return null;
  const beginning = beginningOf(text);
  const verb = isWhole ? "Hide" : "Show";
  return (
    <div className="mt-3">
      {/* No wider than its text: one that is read from the right stays below its sender. */}
      <p id={id} dir="auto" className="w-fit max-w-[76ch] whitespace-pre-line [overflow-wrap:anywhere]">
        {isWhole ? text : beginning}
      </p>
      {beginning !== text && (
        <button
          type="button"
          aria-expanded={isWhole}
          aria-controls={id}
          aria-label={`${verb} full message, ${of}`}
          onClick={() => setWhole(!isWhole)}
          className="-ms-1 mt-1 inline-flex min-h-6 items-center rounded-check px-1 text-dense text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink pointer-coarse:min-h-9"
        >
          {verb} full message
        </button>
      )}
    </div>
  );
}

function Actions({ inquiry }: { inquiry: Inquiry }) {
  const { id: inquiryId, name, status, decidedBy, decidedAt } = inquiry;
  const setStatus = useSetInquiryStatus();
  const asked = setStatus.isPending ? setStatus.variables.status : null;
  return (
    <div
      aria-busy={setStatus.isPending}
      className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t pt-3"
    >
      <div className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2">
        <a
          href={replyAddress(inquiry)}
          aria-label={`Reply by email to ${name}`}
          className={cn(buttonStyle({ size: "sm" }), "max-sm:col-span-2")}
        >
          <Reply size={16} />
          Reply by email
        </a>
        {NEXT_STATUSES[status].map((next) => (
          <Button
            key={next.status}
            {...rowAction}
            size="sm"
            variant={next.status === "answered" ? "tonal" : "secondary"}
            aria-label={asked === next.status ? undefined : `${next.label}, ${name}`}
            aria-disabled={setStatus.isPending}
            busy={asked === next.status}
            busyLabel="Saving..."
            onClick={() => setStatus.mutate({ inquiryId, status: next.status })}
          >
            {next.label}
          </Button>
        ))}
      </div>
      {decidedBy && decidedAt && (
        <Decided>
          {INQUIRY_STATUS_LABELS[status]} by <bdi>{decidedBy.name}</bdi>,{" "}
          <Moment at={decidedAt} text={formatInstantInText(decidedAt)} />
        </Decided>
      )}
    </div>
  );
}

function Decided({ children }: { children: ReactNode }) {
  return <p className="text-dense text-ink3 [overflow-wrap:anywhere]">{children}</p>;
}

const STATUS_META: Record<InquiryStatus, { tone: Tone; icon: LucideIcon }> = {
  new: { tone: "orange", icon: Mail },
  answered: { tone: "green", icon: CheckCheck },
  closed: { tone: "grey", icon: Archive },
};

function InquiryStatusChip({ status }: { status: InquiryStatus }) {
  return <Chip {...STATUS_META[status]} label={INQUIRY_STATUS_LABELS[status]} />;
}
